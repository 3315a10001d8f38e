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
import { type Context, inSubquery, type VisibleCte } from '../context.ts';
import { depthWithin } from '../depth.ts';
import { createProjection } from '../projection.ts';
import { columnRef, fieldsOrSelf } from './scope.ts';

interface NamedValue {
  readonly name: string;
  readonly value: Expr;
}

/** Analyzes the rows of `TABLE t` or `(SELECT …)`; `what` is the argument, for the error. */
export function givenRows(given: ast.TableArgument['value'], what: string, context: Context): AnalyzedQuery {
  const { span } = given;
  let query: ast.QueryBody | undefined;
  if (given.kind === 'table_name') query = { kind: 'from', from: given, span };
  else if (given.kind === 'subquery' && given.mode === 'scalar') query = given.query;
  if (query === undefined) return fail('type', span, `${what} must be a table`, 'write TABLE name, or a query in parentheses');
  const rows = analyzeQuery(query, inSubquery(context));
  if (isCorrelated(rows.rel))
    fail('unsupported', span, `${what} reads columns of the outer query`, 'a table argument can’t be correlated: define its rows in WITH');
  return rows;
}

/** Returns the columns of rows, also those of SELECT AS STRUCT. */
export const columnsOf = ({ outputs, value }: AnalyzedQuery, span: Span): readonly NamedValue[] =>
  outputs.flatMap(({ name, column }) => {
    const reference = columnRef(column, span);
    return value ? fieldsOrSelf(name, reference, span) : [{ name, value: reference }];
  });

/** Returns `columns` of the rows as columns of their own. */
export function rowsOf({ rel }: AnalyzedQuery, columns: readonly NamedValue[], { analysis }: Context): AnalyzedQuery {
  const projection = createProjection(analysis);
  const outputs = columns.map(({ name, value }) => ({ name, column: projection.add(name, value) }));
  return { rel: projection.finish(rel), outputs, value: false };
}

/** Defines a WITH table of the rows of `argument`. */
export function asTable(name: string, { rel, outputs }: AnalyzedQuery, span: Span, { analysis }: Context): VisibleCte {
  const id = analysis.newCteId();
  analysis.ctes.push({ id, name, rel, columns: outputs.map(({ column }) => column), recursive: false });
  analysis.depths.ctes.set(id, depthWithin(rel, span, analysis.depths));
  return { id, columns: outputs, value: false };
}

/** Returns the columns that `TABLE<a INT64, …>` declares, found by their names in any order; others are left out, as in BigQuery. */
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
