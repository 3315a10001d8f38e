// The names that a document gives itself: parameters and WITH tables, where they are defined, and where they are read.
import { basename } from 'node:path';
import type { Span } from '../base/source-text.ts';
import { parameterPlaces } from '../queries/header/parameter-places.ts';
import { positionOf } from '../sql/base/positional.ts';
import { type Cte, isQuery, isSelect, type Path, type Query, type Script, type Select, type TableName, visitNodes } from '../sql/index.ts';

export type Symbol_ =
  | { readonly kind: 'parameter'; readonly name: string; readonly span: Span }
  | { readonly kind: 'cte'; readonly name: string; readonly span: Span; readonly cte: Cte }
  /** A table that is no WITH table: a source, or another saved query. */
  | { readonly kind: 'table'; readonly name: string; readonly span: Span };

interface Parameter {
  readonly kind: 'parameter';
  readonly name: string;
  readonly span: Span;
}

/** A `?` has no name that could be looked up or changed. */
const isParameter = (node: { readonly kind: string }): node is Parameter =>
  node.kind === 'parameter' && positionOf((node as Parameter).name) === undefined; // every parameter of the syntax tree has a name
const isTableName = (node: { readonly kind: string }): node is TableName => node.kind === 'table_name';
const isPath = (node: { readonly kind: string }): node is Path => node.kind === 'path';
export const covers = ({ start, end }: Span, offset: number): boolean => start <= offset && offset <= end;
const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Returns the symbol at `offset`, in the header or in the SQL. */
export function symbolAt(text: string, script: Script | undefined, offset: number): Symbol_ | undefined {
  const inHeader = parameterPlaces(text).find(({ span }) => covers(span, offset));
  if (inHeader !== undefined) return { kind: 'parameter', name: inHeader.name, span: inHeader.span };
  if (script === undefined) return undefined;
  let found: Symbol_ | undefined;
  visitNodes(script, (node) => {
    if (isParameter(node) && covers(node.span, offset)) found = { kind: 'parameter', name: node.name, span: node.span };
  });
  for (const { cte, reads } of cteReads(script)) {
    const span = [cte.name.span, ...reads].find((one) => covers(one, offset));
    if (span !== undefined) return { kind: 'cte', name: cte.name.name, span, cte };
  }
  visitNodes(script, (node) => {
    if (!isTableName(node)) return;
    const span = nameSpan(node);
    if (covers(span, offset)) found ??= { kind: 'table', name: node.parts.map(({ name }) => name).join('.'), span };
  });
  return found;
}

/** All places of a parameter or WITH table: of a name, without the `@`. */
export function placesOf(symbol: Symbol_, text: string, script: Script): readonly Span[] {
  // What stands in the text of an EXECUTE IMMEDIATE has the place of the whole statement.
  return distinct(places(symbol, text, script)).filter(({ start, end }) => same(text.slice(start, end).replaceAll('`', ''), symbol.name));
}

function places(symbol: Symbol_, text: string, script: Script): readonly Span[] {
  if (symbol.kind === 'table') return [symbol.span];
  if (symbol.kind === 'cte') {
    const one = cteReads(script).find(({ cte }) => cte.span.start === symbol.cte.span.start);
    return one === undefined ? [] : [one.cte.name.span, ...one.reads];
  }
  const found = parameterPlaces(text)
    .filter(({ name }) => same(name, symbol.name))
    .map(({ span }) => span);
  visitNodes(script, (node) => {
    if (isParameter(node) && same(node.name, symbol.name)) found.push({ start: node.span.end - node.name.length, end: node.span.end });
  });
  return found;
}

/** Returns the place where a parameter or WITH table is defined. */
export function definitionOf(symbol: Symbol_, text: string): Span | undefined {
  if (symbol.kind === 'cte') return symbol.cte.name.span;
  return symbol.kind === 'table'
    ? undefined
    : parameterPlaces(text).find(({ name, declares }) => declares && same(name, symbol.name))?.span;
}

/** The names of a FROM, without alias and operators. */
function nameSpan({ parts, span }: TableName): Span {
  const [first, last] = [parts[0], parts.at(-1)];
  return { start: first?.span.start ?? span.start, end: last?.span.end ?? span.end };
}

interface CteReads {
  readonly cte: Cte;
  readonly reads: readonly Span[];
}

/** WITH tables with the places that read each: in FROM, and before the columns of a FROM without an alias. */
function cteReads(script: Script): readonly CteReads[] {
  const reads = new Map<Cte, Span[]>();
  const queries: Query[] = [];
  const selects: Select[] = [];
  visitNodes(script, (node) => {
    if (isQuery(node)) queries.push(node);
    if (isSelect(node)) selects.push(node);
  });
  for (const { ctes } of queries) for (const cte of ctes) reads.set(cte, []);
  /** The innermost WITH, and in it the last table, that has the name at this place. */
  const defining = (name: string, at: Span): Cte | undefined =>
    queries
      .filter(({ span }) => span.start <= at.start && at.end <= span.end)
      .sort((a, b) => b.span.start - a.span.start || a.span.end - b.span.end)
      .flatMap(({ ctes, recursive }) =>
        [...ctes].reverse().filter((cte) => cte.span.end <= at.start || (recursive && cte.span.start <= at.end)),
      )
      .find((cte) => same(cte.name.name, name));
  visitNodes(script, (node) => {
    if (!isTableName(node) || node.parts.length !== 1) return;
    const [part] = node.parts;
    const cte = part === undefined ? undefined : defining(part.name, part.span);
    if (part === undefined || cte === undefined) return;
    const places = reads.get(cte) ?? [];
    places.push(part.span);
    const select = node.alias === null ? innermost(selects, node.span) : undefined;
    if (select !== undefined)
      visitNodes(select, (inner) => {
        const [first, second] = isPath(inner) ? inner.parts : [];
        if (first !== undefined && second !== undefined && same(first.name, part.name)) places.push(first.span);
        if ('of' in inner && inner.kind === 'star_item' && isPathOfOne(inner.of, part.name)) places.push(inner.of.span);
      });
  });
  return [...reads].map(([cte, places]) => ({ cte, reads: distinct(places) }));
}

const isPathOfOne = (of: unknown, name: string): of is Path =>
  typeof of === 'object' &&
  of !== null &&
  isPath(of as { readonly kind: string }) &&
  same((of as Path).parts.map((part) => part.name).join('.'), name);

function innermost(selects: readonly Select[], at: Span): Select | undefined {
  return selects
    .filter(({ span }) => span.start <= at.start && at.end <= span.end)
    .sort((a, b) => b.span.start - a.span.start || a.span.end - b.span.end)[0];
}

const distinct = (spans: readonly Span[]): readonly Span[] => [...new Map(spans.map((span) => [span.start, span])).values()];

export const queryNameOf = (path: string): string => basename(path, '.sql');
