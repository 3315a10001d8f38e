// The outline of a document: its parameters, the functions and tables that it makes, its WITH tables, and the columns of its query.
import { type DocumentSymbol, type Range, SymbolKind } from 'vscode-languageserver';
import type { Span } from '../base/source-text.ts';
import { parameterPlaces } from '../queries/header/parameter-places.ts';
import { isSelect, type Query, type Script } from '../sql/index.ts';

type RangeOf = (span: Span) => Range;

/** Returns the names in the order of the text; those of the header alone where the SQL cannot be read. */
export function outlineOf(text: string, script: Script | undefined, rangeOf: RangeOf): readonly DocumentSymbol[] {
  const parameters = parameterPlaces(text)
    .filter(({ declares }) => declares)
    .map(({ name, span }) => symbol(`@${name}`, SymbolKind.Variable, { whole: span, name: span }, rangeOf));
  if (script === undefined) return parameters;
  const made = script.statements.flatMap((statement) => {
    if (statement.kind === 'declare')
      return statement.names.map(({ name, span }) => symbol(name, SymbolKind.Variable, { whole: span, name: span }, rangeOf));
    if (statement.kind !== 'create_table') return [];
    const { name, query } = statement.table;
    return [
      { ...symbol(name.name, SymbolKind.Class, { whole: statement.span, name: name.span }, rangeOf), children: partsOf(query, rangeOf) },
    ];
  });
  const functions = script.functions.map(({ name, span }) =>
    symbol(name.name, SymbolKind.Function, { whole: span, name: name.span }, rangeOf),
  );
  const all = [...parameters, ...functions, ...made, ...partsOf(script.query, rangeOf)];
  return all.sort((a, b) => a.range.start.line - b.range.start.line || a.range.start.character - b.range.start.character);
}

/** WITH tables of a query, each with its own parts, and the named columns of its SELECT. */
function partsOf({ ctes, body }: Query, rangeOf: RangeOf): DocumentSymbol[] {
  const tables = ctes.map(({ name, query, span }) => ({
    ...symbol(name.name, SymbolKind.Class, { whole: span, name: name.span }, rangeOf),
    children: partsOf(query, rangeOf),
  }));
  const items = isSelect(body) ? body.items : [];
  const columns = items.flatMap((item) => {
    if (item.kind !== 'expr_item') return [];
    const name = item.alias ?? lastName(item.value);
    return name === undefined ? [] : [symbol(name.name, SymbolKind.Field, { whole: item.span, name: name.span }, rangeOf)];
  });
  return [...tables, ...columns];
}

/** The name that a column has from the path that it is. */
const lastName = (value: object): { readonly name: string; readonly span: Span } | undefined =>
  'parts' in value && Array.isArray(value.parts) ? value.parts.at(-1) : undefined;

const symbol = (
  name: string,
  kind: SymbolKind,
  spans: { readonly whole: Span; readonly name: Span },
  rangeOf: RangeOf,
): DocumentSymbol => ({ name, kind, range: rangeOf(spans.whole), selectionRange: rangeOf(spans.name) });
