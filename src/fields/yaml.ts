// Reads YAML, and knows where in its text each value stands. Loads the parser, so it is itself loaded only when a file must be read.
import { isMap, isNode, isScalar, isSeq, type Node, type Pair, parseDocument } from 'yaml';
import { QuernError } from '../base/errors.ts';
import type { SourceText, Span } from '../base/source-text.ts';
import { yamlProblem } from '../base/yaml-problem.ts';
import type { Path, Section } from './value-at.ts';

/**
 * The value of `text`, which begins at `offset` of the source. Throws QuernError `config` for a text that is not YAML, with its first problem: what the
 * parser finds behind that comes from it. `name` is what errors call it.
 */
export function readYaml(text: string, source: SourceText, name: string, offset = 0): Section {
  const document = parseDocument(text, { logLevel: 'error' }); // its warnings would be printed, with parts of the text
  const spanOf = (range: readonly number[] | null | undefined): Span | undefined =>
    range ? { start: offset + (range[0] ?? 0), end: offset + (range[1] ?? 0) } : undefined;
  const refuse = (message: string, range: readonly number[] | null | undefined): QuernError => {
    const { what, hint } = yamlProblem(message);
    return new QuernError('config', `${name} is not YAML: ${what}`, { source, span: spanOf(range) ?? { start: 0, end: 0 }, hint });
  };
  const [broken] = document.errors;
  if (broken !== undefined) throw refuse(broken.message, [broken.pos[0], Math.max(broken.pos[1], broken.pos[0] + 1)]);

  const find = (path: Path): { readonly node?: unknown; readonly pair?: Pair | undefined } => {
    const last = path.at(-1);
    if (last === undefined) return { node: document.contents };
    const { node } = find(path.slice(0, -1));
    if (isSeq(node)) return { node: node.items[Number(last)] };
    const pair = isMap(node) ? node.items.find(({ key }) => isScalar(key) && String(key.value) === last) : undefined;
    return { node: pair?.value ?? pair?.key, pair };
  };
  return {
    value: plain(document.contents),
    source,
    spanAt(path, of) {
      const { node, pair } = find(path);
      const found = of === 'key' ? (pair?.key ?? node) : node;
      return isNode(found) ? spanOf(found.range) : undefined;
    },
  };

  function plain(contents: Node | null): unknown {
    const value = (node: Node | null): unknown => {
      try {
        return node?.toJS(document) ?? null;
      } catch (cause) {
        if (!(cause instanceof ReferenceError)) throw cause;
        throw refuse(cause.message, node?.range); // *name of a value that is not there
      }
    };
    if (!isMap(contents)) return value(contents);
    const named = contents.items.map(
      ({ key, value: node }) => [isScalar(key) ? String(key.value) : '', value(node as Node | null)] as const,
    );
    return Object.fromEntries(named);
  }
}
