// GAP_FILL: buckets of a time series, with values for those in which nothing was observed. It is the query that a user would write for it.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/time-series-functions#gap_fill
import type { Span } from '../../../base/source-text.ts';
import { fail } from '../../base/fail.ts';
import type { IntervalValue } from '../../base/interval.ts';
import { type Type, typeName } from '../../base/types.ts';
import { foldExpr } from '../../functions/fold.ts';
import type { Expr } from '../../logical/nodes.ts';
import { rewriteExpr } from '../../logical/walk.ts';
import type * as ast from '../../syntax/ast.ts';
import { parseScript } from '../../syntax/parser/parse-script.ts';
import { placedAt } from '../../syntax/placed-at.ts';
import { analyzeExpr, analyzeQuery } from '../analyze.ts';
import type { AnalyzedQuery } from '../analyzed.ts';
import { apart, type Context } from '../context.ts';
import { asTable, columnsOf, givenRows, rowsOf } from '../names/given-table.ts';
import type { Variable } from '../names/scope.ts';
import { variableOf } from '../statements/variable.ts';
import { coerce } from './coerce.ts';
import { type FilledColumn, type Series, seriesText } from './gap-fill-text.ts';

/** The arguments in their order; the first three must be there. */
const ARGUMENTS = ['table', 'ts_column', 'bucket_width', 'partitioning_columns', 'value_columns', 'origin', 'ignore_null_values'] as const;
type ArgumentName = (typeof ARGUMENTS)[number];
type Arguments = Readonly<Partial<Record<ArgumentName, ast.TableArgument['value']>>>;

const METHODS = ['null', 'locf', 'linear'] as const;
const TIMES = ['DATE', 'DATETIME', 'TIMESTAMP'] as const;
const NUMBERS: readonly string[] = ['INT64', 'NUMERIC', 'BIGNUMERIC', 'FLOAT64'];
const NESTED: readonly string[] = ['STRUCT', 'JSON'];

export function fillGaps(call: ast.TableCall, context: Context): AnalyzedQuery {
  const { span } = call;
  const given = argumentsOf(call);
  const { table, bucket_width: width } = given;
  if (table === undefined || given.ts_column === undefined || width === undefined || width.kind === 'table_name')
    return fail('type', span, 'GAP_FILL takes a table, ts_column and bucket_width', EXAMPLE);
  const rows = givenRows(table, 'the first argument of GAP_FILL', context);
  const columns = columnsOf(rows, table.span);
  const find = ({ value: name, span: at }: Text) => {
    const [found, second] = columns.filter((column) => column.name.toLowerCase() === name.toLowerCase());
    if (found === undefined || second !== undefined)
      return fail('unknown-column', at, `the table of GAP_FILL has ${found === undefined ? 'no column' : 'two columns called'} ${name}`);
    return found;
  };
  const time = find(text(given.ts_column));
  const kind = TIMES.find((one) => one === time.value.type.kind);
  if (kind === undefined)
    return fail(
      'type',
      given.ts_column.span,
      `${time.name} is ${typeName(time.value.type)}`,
      'GAP_FILL needs a DATE, DATETIME or TIMESTAMP',
    );
  const partitions = (given.partitioning_columns === undefined ? [] : list(given.partitioning_columns).map(text)).map(find);
  const filled =
    given.value_columns === undefined
      ? columns.filter((c) => c !== time && !partitions.includes(c)).map((column) => ({ ...column, method: 'null' as const }))
      : list(given.value_columns).map((pair) => filledColumn(pair, find));
  const array = filled.find(({ value }) => value.type.kind === 'ARRAY');
  if (array !== undefined)
    fail(
      'unsupported',
      span,
      `GAP_FILL of ${array.name}, which is an array, is not translated`,
      'name the other columns in value_columns, or fill it as TO_JSON(…)',
    );
  const all = [time, ...partitions, ...filled];
  const twice = all.find(({ name }, i) => all.findIndex((other) => other.name === name) < i);
  if (twice !== undefined) fail('type', span, `GAP_FILL is given ${twice.name} twice`);
  const origin = given.origin === undefined ? undefined : originOf(given.origin, time.value.type, context);
  const ignoreNulls = given.ignore_null_values === undefined || flag(given.ignore_null_values);
  const series: Series = {
    kind,
    width: widthOf(width, kind, origin, context),
    origin: origin !== undefined,
    partitions: partitions.length,
    columns: filled.map(({ method, value: { type } }): FilledColumn => ({ method, type: type.kind, nested: NESTED.includes(type.kind) })),
    ignoreNulls,
  };
  const named = [
    { name: 'ts', value: time.value },
    ...partitions.map(({ value }, i) => ({ name: `p${i}`, value })),
    ...filled.map(({ value }, i) => ({ name: `v${i}`, value })),
  ];
  const input = asTable('input', rowsOf(rows, named, context), table.span, context);
  const variables = new Map<string, Variable>(origin === undefined ? [] : [['origin', variableOf('origin', () => origin)]]);
  const query = placedAt(span, parseScript(seriesText(series)).query);
  const result = analyzeQuery(query, apart(context.analysis, new Map([['input', input]]), variables));
  return { ...result, outputs: result.outputs.map((output, i) => ({ ...output, name: all[i]?.name ?? output.name })) };
}

const EXAMPLE = "e.g. GAP_FILL(TABLE t, ts_column => 'time', bucket_width => INTERVAL 1 MINUTE, value_columns => [('signal', 'locf')])";

function argumentsOf(call: ast.TableCall): Arguments {
  const found: Partial<Record<ArgumentName, ast.TableArgument['value']>> = {};
  for (const [i, { name, value }] of call.args.entries()) {
    const called = ARGUMENTS.find((one, at) => (name === null ? at === i : one === name.name.toLowerCase()));
    if (called === undefined || found[called] !== undefined)
      return fail(
        'type',
        name?.span ?? value.span,
        `GAP_FILL takes no ${name === null ? `${i + 1}th argument` : `second ${name.name}`}`,
        EXAMPLE,
      );
    found[called] = value;
  }
  return found;
}

interface Text {
  readonly value: string;
  readonly span: Span;
}

function text(node: ast.TableArgument['value']): Text {
  if (node.kind === 'string_literal') return node;
  return fail('type', node.span, 'GAP_FILL takes column names as string literals', "e.g. 'device_id'");
}

function list(node: ast.TableArgument['value']): readonly ast.Expr[] {
  if (node.kind === 'array') return node.elements;
  return fail('type', node.span, 'GAP_FILL takes its columns as an array literal', "e.g. ['device_id'], or [('signal', 'locf')]");
}

function flag(node: ast.TableArgument['value']): boolean {
  if (node.kind === 'bool_literal') return node.value;
  return fail('type', node.span, 'ignore_null_values must be TRUE or FALSE');
}

/** Reads `('signal', 'locf')`. */
function filledColumn<T extends { readonly name: string; readonly value: Expr }>(pair: ast.Expr, find: (name: Text) => T) {
  const [name, method] = pair.kind === 'struct' ? pair.fields : [];
  if (pair.kind !== 'struct' || name === undefined || method === undefined || pair.fields.length > 2)
    return fail(
      'type',
      pair.span,
      'each entry of value_columns is a column and the method that fills its gaps',
      "e.g. [('signal', 'locf')]",
    );
  const written = text(method.value);
  const known = METHODS.find((one) => one === written.value.toLowerCase());
  if (known === undefined) return fail('type', written.span, `gaps are filled by ${METHODS.join(', ')}, not by ${written.value}`);
  const column = find(text(name.value));
  if (known === 'linear' && !NUMBERS.includes(column.value.type.kind))
    fail('type', pair.span, `${column.name} is ${typeName(column.value.type)}, and only numbers are filled linearly`, "use 'locf'");
  return { ...column, method: known };
}

function originOf(node: ast.TableArgument['value'], type: Type, context: Context): Expr {
  if (node.kind === 'table_name') return fail('type', node.span, 'origin must be a time, not a table');
  return rewriteExpr(coerce(analyzeExpr(node, context), type, 'origin of GAP_FILL'), foldExpr);
}

/** Writes the width as an INTERVAL of one unit; months begin on the day of the origin, which every month must have. */
function widthOf(node: ast.Expr, kind: (typeof TIMES)[number], origin: Expr | undefined, context: Context): string {
  const width = rewriteExpr(analyzeExpr(node, context), foldExpr);
  if (width.kind !== 'literal' || !isInterval(width.value))
    return fail('unsupported', node.span, 'bucket_width of GAP_FILL must be a constant interval', 'e.g. INTERVAL 5 MINUTE');
  const { months, days, micros } = width.value;
  const units = (
    [
      ['MONTH', months],
      ['DAY', days],
      ['MICROSECOND', micros],
    ] as const
  ).filter(([, size]) => size !== 0n);
  const [unit, size] = units[0] ?? ['', 0n];
  if (units.length !== 1 || size < 0n || (kind === 'DATE' && unit === 'MICROSECOND') || (kind === 'TIMESTAMP' && unit === 'MONTH'))
    return fail(
      'type',
      node.span,
      `bucket_width for ${kind} must be a positive interval in one unit that ${kind}_BUCKET takes`,
      'e.g. INTERVAL 1 DAY',
    );
  if (unit === 'MONTH' && origin !== undefined)
    return fail(
      'unsupported',
      origin.span,
      'GAP_FILL by months does not take an origin: its buckets begin on the first day of a month',
      'leave out origin',
    );
  return `INTERVAL ${size} ${unit}`;
}

const isInterval = (value: unknown): value is IntervalValue => typeof value === 'object' && value !== null && 'micros' in value;
