// Tables as arguments of table functions: rows that become a WITH table for the body.
import type { Span } from '../../../base/source-text.ts';
import { fail } from '../../base/fail.ts';
import { isCorrelated } from '../../logical/free-columns.ts';
import type { Expr } from '../../logical/nodes.ts';
import type * as ast from '../../syntax/ast.ts';
import { analyzeQuery } from '../analyze.ts';
import type { AnalyzedQuery } from '../analyzed.ts';
import { coerceToDeclared } from '../calls/coerce.ts';
import { typeFromRef } from '../calls/type-ref.ts';
import type { Context, VisibleCte } from '../context.ts';
import { depthWithin } from '../depth.ts';
import { columnRef, fieldsOrSelf } from './scope.ts';

interface NamedValue {
  readonly name: string;
  readonly value: Expr;
}

/** The rows of `TABLE t` or `(SELECT …)`; `what` is the argument, for the error. */
export function givenRows(given: ast.TableArgument['value'], what: string, context: Context): AnalyzedQuery {
  const { span } = given;
  const query: ast.QueryBody | undefined =
    given.kind === 'table_name'
      ? { kind: 'from', from: given, span }
      : given.kind === 'subquery' && given.mode === 'scalar'
        ? given.query
        : undefined;
  if (query === undefined) return fail('type', span, `${what} must be a table`, 'write TABLE name, or a query in parentheses');
  const rows = analyzeQuery(query, { ...context, noAggregates: null, noWindows: null });
  if (isCorrelated(rows.rel))
    fail('unsupported', span, `${what} reads columns of the outer query`, 'a table argument can’t be correlated: define its rows in WITH');
  return rows;
}

/** The columns of rows, those of SELECT AS STRUCT too. */
export const columnsOf = ({ outputs, value }: AnalyzedQuery, span: Span): readonly NamedValue[] =>
  outputs.flatMap(({ name, column }) => {
    const reference = columnRef(column, span);
    return value ? fieldsOrSelf(name, reference, span) : [{ name, value: reference }];
  });

/** A WITH table of these columns of `rows`. */
export function asTable(
  name: string,
  { rel }: AnalyzedQuery,
  columns: readonly NamedValue[],
  span: Span,
  { analysis }: Context,
): VisibleCte {
  const items = columns.map((column) => ({ column: analysis.newColumn(column.name, column.value.type), value: column.value }));
  const id = analysis.newCteId();
  const shown = items.map(({ column }) => column);
  analysis.ctes.push({ id, name, rel: { kind: 'project', input: rel, items }, columns: shown, recursive: false });
  analysis.depths.ctes.set(id, depthWithin(rel, span, analysis.depths));
  return { id, columns: shown.map((column) => ({ name: column.name, column })), value: false };
}

/** The columns that `TABLE<a INT64, …>` asks for, found by their names in any order; others are left out, as in BigQuery. */
export function columnsAs(declared: ast.TypeRef, rows: AnalyzedQuery, what: string, span: Span): readonly NamedValue[] {
  const given = columnsOf(rows, span);
  return declared.fields.map(({ name, type }) => {
    if (name === null) return fail('type', type.span, 'a column needs a name', 'write TABLE<name TYPE>');
    const [found, second] = given.filter((column) => column.name.toLowerCase() === name.name.toLowerCase());
    if (found === undefined || second !== undefined)
      return fail(
        'type',
        span,
        `${what} has ${found === undefined ? 'no column' : 'two columns called'} ${name.name}`,
        `it must have ${asText(declared)}`,
      );
    return { name: name.name, value: coerceToDeclared(found.value, typeFromRef(type), `column ${name.name} of ${what}`) };
  });
}

const asText = ({ fields }: ast.TypeRef): string => fields.map(({ name, type }) => `${name?.name ?? ''} ${type.name}`).join(', ');
