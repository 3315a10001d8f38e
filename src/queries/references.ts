// Finds what the text of a query refers to: parameters and tables, in its tree by shape.
import { QuernError } from '../base/errors.ts';
import type { SourceText, Span } from '../base/source-text.ts';
import { parse, parseText } from '../sql/index.ts';

export interface Reference {
  readonly name: string;
  readonly span: Span;
}

export interface References {
  /** Every `@name`, in the order of the text. */
  readonly parameters: readonly Reference[];
  /** Every name in FROM that no WITH table in sight has, dotted. */
  readonly tables: readonly Reference[];
  /** Every name in FROM that is called as a function, dotted, but those of functions that the text defines. */
  readonly calls: readonly Reference[];
  /** Every name in FROM, dotted, also those that a WITH defines: one there may read the source of its name. */
  readonly named: ReadonlySet<string>;
}

interface TreeNode {
  readonly kind?: unknown;
  readonly name?: unknown;
  readonly parts?: unknown;
  readonly span?: Span;
  readonly ctes?: unknown;
  readonly recursive?: unknown;
  readonly parameters?: unknown;
}

/** The same of a text. Throws what parsing throws. */
export const referencesIn = (text: string): References => referencesOf(parse(text));

/** Returns the names in FROM of a query or a function that may be sources. Throws what parsing throws. */
export const namesIn = (text: string): readonly string[] => referencesOf(parseText(text)).tables.map(({ name }) => name);

/** Returns the names in FROM of those functions of files that a text may call. What is wrong with a file is told where a call is translated. */
export function namesInFunctions(files: readonly SourceText[], text: string): readonly string[] {
  return files.flatMap((file) => {
    if (!/\bfrom\b/i.test(file.text)) return [];
    const definition = functionIn(file.text);
    const last = definition?.name.name.toLowerCase().split('.').at(-1) ?? '';
    const callers = [text, ...files.filter((other) => other !== file).map((other) => other.text)];
    if (definition === undefined || !callers.some((caller) => caller.toLowerCase().includes(last))) return [];
    return referencesOf(definition).tables.map(({ name }) => name);
  });
}

function functionIn(text: string): Exclude<ReturnType<typeof parseText>, ReturnType<typeof parse>> | undefined {
  try {
    const parsed = parseText(text);
    return parsed.kind === 'script' ? undefined : parsed;
  } catch (error) {
    if (error instanceof QuernError) return undefined;
    throw error;
  }
}

export function referencesOf(script: ReturnType<typeof parseText>): References {
  const parameters: Reference[] = [];
  const tables: (Reference & { readonly known: boolean })[] = [];
  const calls: Reference[] = [];
  const defined = new Set<string>();
  /** The parts of the text where names stand for WITH tables of pipes, up to the end of their query, or for tables that the text creates. */
  const later: { readonly name: string; readonly start: number; end: number }[] = [];
  const visit = (value: unknown, inSight: Set<string>, end: number): void => {
    if (typeof value !== 'object' || value === null) return;
    const { kind, name, parts, span, ctes, recursive, parameters: taken } = value as TreeNode; // every property is checked below
    if (span !== undefined && kind === 'parameter' && typeof name === 'string') parameters.push({ name, span });
    if (span !== undefined && kind === 'table_name' && Array.isArray(parts)) {
      const written = parts.map(identifierText).join('.');
      tables.push({ name: written, span, known: inSight.has(written.toLowerCase()) });
    }
    if (span !== undefined && kind === 'table_call') calls.push({ name: identifierText(name), span });
    if (kind === 'create_table_function') defined.add(nameOf({ name }));
    if (span !== undefined && kind === 'cte') later.push({ name: nameOf({ name }), start: span.end, end });
    if (span !== undefined && kind === 'drop_table')
      for (const one of later) if (one.name === nameOf({ name })) one.end = Math.min(one.end, span.start);
    const own: readonly TreeNode[] = kind === 'query' && Array.isArray(ctes) ? ctes : [];
    const given = kind === 'create_table_function' && Array.isArray(taken) ? taken.filter(isTable).map(nameOf) : [];
    const named = [...given, ...(recursive === true ? own.map(nameOf) : [])];
    const within = own.length === 0 && given.length === 0 ? inSight : new Set([...inSight, ...named]);
    const endOfQuery = kind === 'query' ? (span?.end ?? end) : end;
    for (const cte of own) {
      for (const part of Object.values(cte)) visit(part, within, endOfQuery);
      within.add(nameOf(cte));
    }
    for (const child of Object.values(value)) if (child !== ctes || own.length === 0) visit(child, within, endOfQuery);
  };
  visit(script, new Set(), Number.POSITIVE_INFINITY);
  const isLater = (name: string, { start }: Span): boolean =>
    later.some((one) => one.name === name && one.start <= start && start < one.end);
  const byPlace = (a: Reference, b: Reference) => a.span.start - b.span.start;
  return {
    parameters: parameters.sort(byPlace),
    tables: tables.flatMap(({ name, span, known }) => (known || isLater(name.toLowerCase(), span) ? [] : [{ name, span }])).sort(byPlace),
    calls: calls.filter(({ name }) => !defined.has(name.toLowerCase())).sort(byPlace),
    named: new Set(tables.map(({ name }) => name)),
  };
}

/** A parameter of a table function that stands for a table in its body. */
const isTable = ({ type }: { readonly type?: TreeNode | null }): boolean => type?.name === 'TABLE';
const nameOf = ({ name }: TreeNode): string => identifierText(name).toLowerCase();

function identifierText(identifier: unknown): string {
  return typeof identifier === 'object' && identifier !== null && 'name' in identifier ? String(identifier.name) : '';
}
