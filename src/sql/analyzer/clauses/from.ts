// FROM: tables, joins, UNNEST and array paths.

import { didYouMean, QuernError } from '../../../base/errors.ts';
import type { Span } from '../../../base/source-text.ts';
import { fail } from '../../base/fail.ts';
import { INT64 } from '../../base/types.ts';
import type { Rel } from '../../logical/nodes.ts';
import type { Source } from '../../source.ts';
import type * as ast from '../../syntax/ast.ts';
import { analyzeExpr, analyzeQuery } from '../analyze.ts';
import { type AnalyzedFrom, type AnalyzedQuery, asFrom, type Output, withDifferentNames } from '../analyzed.ts';
import { withoutEmptyDefault } from '../calls/empty-default.ts';
import { analyzeTableCall } from '../calls/table-call.ts';
import { type Analysis, atPlace, type Context, inSubquery, scopeOf } from '../context.ts';
import { expandSavedQuery } from '../names/saved-query-table.ts';
import { scanSource } from '../names/scan-source.ts';
import type { RangeVariable, Scope } from '../names/scope.ts';
import { joinTables } from './join.ts';
import { applyTableOperator } from './table-operator.ts';

export function analyzeFrom(from: ast.TableExpr | null, context: Context): AnalyzedFrom {
  if (from === null) return { rel: { kind: 'one_row' }, tables: [], names: new Map() };
  return withDifferentNames(analyzeTable(from, context, null), from.span);
}

/** `left`: the tables to the left in the same FROM; arrays may be taken from their rows. */
function analyzeTable(table: ast.TableExpr, context: Context, left: AnalyzedFrom | null): AnalyzedFrom {
  if (table.kind === 'join') return joinWith(analyzeTable(table.left, context, left), table, context, left);
  const plain = analyzePlainTable(table, context, left);
  return table.operators.reduce((from, operator) => applyTableOperator(operator, from, context), plain);
}

/** Joins an analyzed left side with the join's right side, which may take arrays from it. */
export function joinWith(
  left: AnalyzedFrom,
  join: Pick<ast.Join, 'type' | 'right' | 'on' | 'using' | 'span'>,
  context: Context,
  outerLeft: AnalyzedFrom | null = null,
): AnalyzedFrom {
  const visible = outerLeft === null ? left : { ...left, tables: [...outerLeft.tables, ...left.tables] };
  return joinTables(left, analyzeTable(join.right, context, visible), join, context);
}

function analyzePlainTable(table: Exclude<ast.TableExpr, ast.Join>, context: Context, left: AnalyzedFrom | null): AnalyzedFrom {
  switch (table.kind) {
    case 'parenthesised_join':
      // The tables outside of the parentheses are not visible inside.
      return analyzeTable(table.join, context, null);
    case 'table_subquery':
      // A subquery in FROM sees the scope around this query, not its neighbours.
      return namedFrom(analyzeQuery(table.query, inSubquery(context)), table.alias?.name ?? null, context);
    case 'unnest':
      return analyzeUnnest(table, context, left);
    case 'table_name':
      return analyzeTableName(table, context, left);
    case 'table_call':
      return namedFrom(analyzeTableCall(table, context), table.alias?.name ?? null, context);
  }
}

function analyzeTableName(table: ast.TableName, context: Context, left: AnalyzedFrom | null): AnalyzedFrom {
  const { parts, alias, span } = table;
  if (table.forSystemTime !== null)
    fail(
      'unsupported',
      span,
      'FOR SYSTEM_TIME AS OF is not supported',
      'ClickHouse tables keep no history; to set the time that CURRENT_TIMESTAMP() gives, use `--as-of`',
    );
  const first = parts[0];
  if (first === undefined) throw new RangeError('a table has a name');
  const name = parts.map((p) => p.name).join('.');
  const lastPart = parts.at(-1)?.name.split('.').at(-1) ?? name;
  const cte = context.ctes.get(name.toLowerCase());
  if (cte !== undefined) {
    if (table.withOffset !== null) fail('type', span, 'WITH OFFSET works only with arrays');
    if (cte.volatile === true) refuseSecondRead(cte.id, name, span, context);
    const called = alias?.name ?? cte.calledAs ?? name;
    const made = cte.inPlace?.();
    const columns = made?.outputs.map((o) => o.column) ?? cte.columns.map((c) => context.analysis.newColumn(c.name, c.column.type));
    const rel: Rel = made?.rel ?? { kind: 'cte_scan', cte: cte.id, columns, alias: called };
    const outputs = columns.map((column, i) => ({ name: cte.columns[i]?.name ?? '', column }));
    noteNames(called, cte.columns, context.analysis);
    return asFrom({ rel, outputs, value: cte.value }, called);
  }
  if (parts.length > 1 && isArrayPath(first.name, left, context)) {
    const array = { kind: 'path', parts, span } as const;
    return analyzeUnnest({ array, alias: alias ?? parts.at(-1) ?? null, withOffset: table.withOffset }, context, left);
  }
  const source = findSource(name, span, context);
  if (source?.query !== undefined) {
    context.analysis.sourcesRead.add(source.name);
    return namedFrom(expandSavedQuery({ name, text: source.query, span }, context), alias?.name ?? lastPart, context);
  }
  if (source !== undefined) return scanSource(source, alias?.name ?? lastPart, span, context);
  const saved = context.analysis.options.savedQuery?.(name);
  if (saved !== undefined) return namedFrom(expandSavedQuery({ name, text: saved, span }, context), alias?.name ?? lastPart, context);
  return unknownSource(name, span, context);
}

function namedFrom(query: AnalyzedQuery, name: string | null, { analysis }: Context): AnalyzedFrom {
  noteNames(name, query.outputs, analysis);
  return asFrom(query, name);
}

/** Notes what the rows of a query are called, and their columns: the ClickHouse SQL calls them so, if it can. */
function noteNames(table: string | null, outputs: readonly Output[], { names }: Analysis): void {
  for (const { name, column } of outputs) {
    if (table !== null && !names.tables.has(column.id)) names.tables.set(column.id, table);
    if (name !== '' && !names.columns.has(column.id)) names.columns.set(column.id, name);
  }
}

/** Refuses a second read of a created table with changing rows: BigQuery makes them once, here they are made wherever it is read. */
function refuseSecondRead(id: number, name: string, span: Span, { analysis: { volatileRead } }: Context): void {
  if (volatileRead.has(id))
    fail(
      'unsupported',
      span,
      `${name} is read twice, but its rows would differ each time, because it uses RAND or the like`,
      'read it once, or compute them from a column: FARM_FINGERPRINT(id)',
    );
  volatileRead.add(id);
}

/** Finds the source of that name. An error about the name gets its place; an error about the source is about its definition. */
function findSource(name: string, span: Span, { analysis: { options } }: Context): Source | undefined {
  try {
    return options.sources?.find(name);
  } catch (error) {
    if (error instanceof QuernError && error.code === 'unknown-source' && options.savedQuery?.(name) !== undefined) return undefined;
    if (error instanceof QuernError && error.code === 'unknown-source' && error.details.span === undefined)
      throw new QuernError(error.code, error.message, { ...error.details, span });
    throw error;
  }
}

/** The number of names that a hint has room for. */
const MOST_NAMES = 8;

function listed(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  return more > 1 ? `${names.slice(0, MOST_NAMES).join(', ')} and ${more} more` : names.join(', ');
}

function unknownSource(name: string, span: Span, context: Context): never {
  const { onlyCtes = false, options } = context.analysis;
  const ctes = [...context.ctes.keys()];
  const { names = [], empty = [] } = options.sources ?? {};
  const known = [...ctes, ...names];
  const rule = onlyCtes ? undefined : (fileHint(name) ?? ruleFor(name, names));
  const near = onlyCtes ? didYouMean(name, known) : nearSource(name, known);
  const all = onlyCtes
    ? `known tables: ${listed(known)}`
    : whatThereIs(
        name,
        known.filter((one) => !empty.includes(one)),
      );
  const hint = rule ?? near ?? (known.length === 0 ? 'there are no sources' : all);
  return fail('unknown-source', span, `there is no ${onlyCtes ? '' : 'source, saved query or '}WITH table named ${name}`, hint);
}

/** Returns the hint that lists what can be read. */
function whatThereIs(name: string, known: readonly string[]): string {
  if (known.length === 0)
    return 'there is no table yet: load files with `quern load TABLE FILE`, or name your tables under sources: in quern.yaml';
  const rule = name.split('.').length > 2 ? `; to read one of them by this name, say so in quern.yaml: names: { "${name}": "TABLE" }` : '';
  return `known sources: ${listed(known)}${rule}`;
}

/** Returns the hint that names the source of nearly that name: the project may be another, and `orders` may be `shop.orders`. */
function nearSource(name: string, known: readonly string[]): string | undefined {
  const [inDataset, second] = known.filter((one) => one.toLowerCase().endsWith(`.${name.toLowerCase()}`));
  if (inDataset !== undefined && second === undefined) return `did you mean ${inDataset}?`;
  const [first = '', ...path] = name.split('.').slice(-2);
  return didYouMean(name, known) ?? (path.length === 0 ? undefined : didYouMean([first, ...path].join('.'), known));
}

const FILE = /([^/\\]*)\.(?:csv|tsv|json|jsonl|ndjson|parquet|arrow|orc|avro)(?:\.\w+)?$/i;

/** Returns the hint for the path of a file, which stands in FROM only in SQL that somebody types. */
function fileHint(path: string): string | undefined {
  const name = FILE.exec(path)?.[1]?.replace(/\W+/g, '_');
  return name && `a saved query reads a file as a source: name it in quern.yaml, sources: { ${name}: { file: "${path}" } }`;
}

/** Returns the hint to lead `project.dataset.orders` to `orders` or `shop.orders`, or `project.dataset.events_*` to tables that begin so. */
function ruleFor(name: string, known: readonly string[]): string | undefined {
  const [last = '', ...dataset] = name.toLowerCase().split('.').toReversed();
  const begins = last.endsWith('*') ? last.slice(0, -1) : undefined;
  const isIt = (one: string): boolean => (begins === undefined ? one === last : one.startsWith(begins));
  if (dataset.length === 0 || begins === '') return undefined;
  const whole = known.find((one) => isIt(one.toLowerCase()));
  if (whole !== undefined) {
    const pattern = `${name.slice(0, -last.length)}*`;
    return `if it is ${whole}, say so in quern.yaml: names: { "${pattern}": "{${dataset.length + 1}}" }`;
  }
  const [other, second] = known.filter(
    (one) => begins === undefined && one.split('.').length === 2 && one.toLowerCase().endsWith(`.${last}`),
  );
  return other === undefined || second !== undefined
    ? undefined
    : `if it is ${other}, say so in quern.yaml: names: { "${name}": "${other}" }`;
}

/** True if `first` is a table or column that an array path can start from. */
function isArrayPath(first: string, left: AnalyzedFrom | null, context: Context): boolean {
  const wanted = first.toLowerCase();
  const has = (tables: readonly RangeVariable[]): boolean =>
    tables.some(
      (t) => t.name?.toLowerCase() === wanted || t.columns.some((c) => c.name.toLowerCase() === wanted && c.column.type.kind !== 'STRING'),
    );
  if (left !== null && has(left.tables)) return true;
  for (let scope: Scope | null = context.scope; scope !== null; scope = scope.parent) if (has(scope.tables)) return true;
  return false;
}

/** Analyzes `UNNEST(array)` or an array path, as an Unnest over one row; a join with a left side puts that below it. */
function analyzeUnnest(
  { array: given, alias, withOffset }: Pick<ast.Unnest, 'array' | 'alias' | 'withOffset'>,
  context: Context,
  left: AnalyzedFrom | null,
): AnalyzedFrom {
  const array = withoutEmptyDefault(given, context);
  const value = analyzeExpr(array, atPlace('UNNEST', left === null ? context : { ...context, scope: scopeOf(left, context) }));
  const { type } = value;
  if (type.kind !== 'ARRAY' && type.kind !== 'DYNAMIC') {
    return fail(
      'type',
      array.span,
      `UNNEST needs an array, not ${type.kind}`,
      type.kind === 'STRING' ? "to unnest a STRING, split it first: UNNEST(SPLIT(text, ','))" : undefined,
    );
  }
  const element = context.analysis.newColumn(alias?.name ?? 'element', type.kind === 'ARRAY' ? type.element : type);
  const offset = withOffset === null ? null : context.analysis.newColumn(withOffset.alias?.name ?? 'offset', INT64);
  const rel: Rel = { kind: 'unnest', input: null, array: value, element, offset, outer: false };
  const columns = offset === null ? [] : [{ name: offset.name, column: offset }];
  return { rel, tables: [{ name: alias?.name ?? null, columns, value: element }], names: new Map() };
}
