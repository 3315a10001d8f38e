// Reads fields of a header's YAML mapping, and collects what is wrong with them, each with its place in the file.
import { type Document, isMap, isScalar, isSeq, type Node, type YAMLMap, type YAMLParseError } from 'yaml';
import { messageAbout, nearest, QuernError } from '../../base/errors.ts';
import { positionAt, type SourceText, type Span } from '../../base/source-text.ts';
import { yamlProblem } from '../../base/yaml-problem.ts';

export interface HeaderProblem {
  readonly span: Span;
  /** The field's name, e.g. `params.interval.default`. */
  readonly name: string;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** A problem in words: what is wrong, and optionally what to do. */
export interface Invalid {
  readonly message: string;
  readonly hint?: string;
}

export interface FieldReader {
  /** The field's value as `read` sees it; undefined when it is absent or does not fit, and then the problem is noted. */
  field<T>(name: string, read: (value: unknown, node: Node | null) => T | Invalid): T | undefined;
  has(name: string): boolean;
  /** Notes a problem with a field, or with the mapping itself for ''. */
  problem(name: string, message: string, hint?: string): void;
  /** A reader for the mapping in a field; undefined when the field is absent or not a mapping. */
  mapping(name: string): FieldReader | undefined;
  /** The elements of the list in a field; undefined when the field is absent or not a list. */
  list(name: string): readonly ListElement[] | undefined;
  /** Names of the mapping's fields, in the order of the file. */
  readonly names: readonly string[];
  /** Where the value of a field is; the mapping itself for ''. */
  spanOf(name: string): Span;
  /** Notes every field whose name is not one of `known`; `owner` is what the fields are of, `meant` what other tools call them. */
  refuseOthers(known: readonly string[], owner?: string, meant?: Readonly<Record<string, string>>): void;
}

export interface ListElement {
  readonly value: unknown;
  readonly span: Span;
  /** A reader for the element when it is a mapping. */
  readonly fields: FieldReader | undefined;
  problem(message: string, hint?: string): void;
}

export const isUnfit = (value: unknown): value is Invalid => typeof value === 'object' && value !== null && 'message' in value;

interface HeaderContext {
  readonly document: Document;
  /** Where the YAML text begins in the file. */
  readonly offset: number;
  readonly note: (problem: HeaderProblem) => void;
}

/** A reader of `map`; `path` is the names above it, '' for the header itself. */
export function fieldReader(map: YAMLMap, context: HeaderContext, path = ''): FieldReader {
  const { document, offset, note } = context;
  const pairs = map.items.map((pair) => ({
    name: isScalar(pair.key) ? String(pair.key.value) : '',
    key: pair.key as Node, // what parseDocument makes are nodes
    value: pair.value as Node | null,
  }));
  const spanOf = (node: Node | null | undefined): Span => ({
    start: offset + (node?.range?.[0] ?? 0),
    end: offset + (node?.range?.[1] ?? 0),
  });
  const find = (name: string) => pairs.find((pair) => pair.name === name);
  const fullName = (name: string) => [path, name].filter((part) => part !== '').join('.');

  const problem = (name: string, message: string, hint?: string): void => {
    const pair = find(name);
    const node = pair === undefined ? map : (pair.value ?? pair.key);
    note({ span: spanOf(node), name: fullName(name), message, hint });
  };

  return {
    names: pairs.map(({ name }) => name),
    has: (name) => find(name) !== undefined,
    problem,
    field(name, read) {
      const pair = find(name);
      if (pair === undefined) return undefined;
      const node = pair.value;
      const value: unknown = node === null ? null : node.toJS(document);
      const result = read(value, node);
      if (!isUnfit(result)) return result;
      problem(name, result.message, result.hint);
      return undefined;
    },
    mapping(name) {
      const pair = find(name);
      if (pair === undefined) return undefined;
      if (isMap(pair.value)) return fieldReader(pair.value, context, fullName(name));
      problem(name, 'must contain fields, as in `{ type: string }`');
      return undefined;
    },
    list(name) {
      const pair = find(name);
      if (pair === undefined) return undefined;
      if (!isSeq(pair.value)) {
        problem(name, 'must be a list');
        return undefined;
      }
      return pair.value.items.map((item, i) => {
        const node = item as Node; // what parseDocument makes are nodes
        const element = `${fullName(name)}[${i}]`;
        return {
          value: node.toJS(document) as unknown,
          span: spanOf(node),
          fields: isMap(node) ? fieldReader(node, context, element) : undefined,
          problem: (message, hint) => note({ span: spanOf(node), name: element, message, hint }),
        };
      });
    },
    spanOf: (name) => spanOf(name === '' ? map : (find(name)?.value ?? map)),
    refuseOthers(known, owner = 'a header', meant = {}) {
      for (const { name, key } of pairs) {
        if (known.includes(name)) continue;
        const near = meant[name] ?? nearest(name, known);
        const hint = near === undefined ? `the fields are ${known.join(', ')}` : `did you mean ${near}?`;
        note({ span: spanOf(key), name: fullName(name), message: `is not a field of ${owner}`, hint });
      }
    },
  };
}

/** The first error of a text that is not YAML, which begins at `offset`: what the parser finds behind it comes from that. */
export function notYaml(source: SourceText, name: string, { message, pos: [start, end] }: YAMLParseError, offset: number): QuernError {
  const { what, hint } = yamlProblem(message);
  const span = { start: offset + start, end: offset + Math.max(end, start + 1) };
  return new QuernError('config', `${name} is not YAML: ${what}`, { source, span, hint });
}

/** All problems of a header, or of `what`, as one error, at the place of the first. */
export function headerError(source: SourceText, problems: readonly HeaderProblem[], what = `the header of ${source.name}`): QuernError {
  const [first, ...others] = [...problems].sort((a, b) => a.span.start - b.span.start);
  if (first === undefined) throw new RangeError('an error needs a problem');
  const hint = first.hint === undefined ? {} : { hint: first.hint };
  if (others.length === 0) return new QuernError('config', messageAbout(first.name, first.message), { source, span: first.span, ...hint });
  return new QuernError('config', `${what} has ${problems.length} problems`, {
    source,
    span: first.span,
    problems: [first, ...others].map((problem) => ({
      kind: `line ${positionAt(source.text, problem.span.start).line}`,
      name: problem.name,
      message: problem.message + (problem.hint === undefined ? '' : ` (${problem.hint})`),
    })),
  });
}
