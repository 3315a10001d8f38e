// CREATE TABLE FUNCTION: a call stands for its query, where names of parameters mean the arguments.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/data-definition-language#create_table_function_statement
import type { SourceText } from '../../../base/source-text.ts';
import { fail } from '../../base/fail.ts';
import type { Rel } from '../../logical/nodes.ts';
import { rewriteExprsOf } from '../../logical/walk.ts';
import type * as ast from '../../syntax/ast.ts';
import { analyzeExpr, analyzeQuery } from '../analyze.ts';
import type { AnalyzedQuery } from '../analyzed.ts';
import { coerceToDeclared, resolveDynamic } from '../calls/coerce.ts';
import { typeFromRef } from '../calls/type-ref.ts';
import { apart, type Context, type VisibleCte } from '../context.ts';
import { asTable, columnsAs, givenRows, rowsOf } from '../names/given-table.ts';
import { withInner } from '../names/saved-query-table.ts';
import type { Variable } from '../names/scope.ts';
import { inFile } from './library.ts';
import { refuseMiscall } from './own-functions.ts';
import { variableOf } from './variable.ts';

/** Expands a function that the text itself defines: it sees the tables that the text creates before. */
export function expandTableFunction(definition: ast.TableFunctionDefinition, call: ast.TableCall, context: Context): AnalyzedQuery {
  const created = new Map([...context.ctes].filter(([, { calledAs }]) => calledAs !== undefined));
  const body = bodyPlace(definition, call, context, { ...context, ctes: created });
  return returned(definition, analyzeQuery(definition.query, body), body);
}

/** Expands a function of a file: errors in it are shown there; it sees neither the text's definitions, nor saved queries, nor parameters of the query. */
export function expandLibraryTable(
  definition: ast.TableFunctionDefinition,
  source: SourceText,
  call: ast.TableCall,
  context: Context,
): AnalyzedQuery {
  const { options, ...analysis } = context.analysis;
  const { savedQuery: _, savedFunction: __, ...sources } = withInner(options);
  const alone = { ...analysis, options: { ...sources, parameters: {} }, temporaryFunctions: new Map(), given: new Map() };
  const body = bodyPlace(definition, call, context, { ...context, analysis: alone, ctes: new Map() });
  const before = analysis.ctes.length;
  const rows = inFile(source, () => returned(definition, analyzeQuery(definition.query, body), body));
  // Places in the file mean nothing in the text of the query.
  const placed = (rel: Rel): Rel => rewriteExprsOf(rel, (e) => ({ ...e, span: call.span }));
  analysis.ctes.splice(before, Number.POSITIVE_INFINITY, ...analysis.ctes.slice(before).map((cte) => ({ ...cte, rel: placed(cte.rel) })));
  return { ...rows, rel: placed(rows.rel) };
}

/** Returns the place of the body, which sees its parameters and `around`. */
function bodyPlace(definition: ast.TableFunctionDefinition, call: ast.TableCall, context: Context, around: Context): Context {
  const { name } = definition.name;
  const { expanding } = context.analysis;
  refuseMiscall(definition, call, expanding);
  const variables = new Map<string, Variable>();
  const ctes = new Map<string, VisibleCte>(around.ctes);
  for (const [i, { name: parameter, type }] of definition.parameters.entries()) {
    const { name: called, value } = call.args[i] ?? fail('internal', call.span, 'an argument is missing');
    if (called !== null)
      fail('unsupported', called.span, `${name} takes its arguments by position, not by name`, 'leave out the name and =>');
    const what = `argument ${parameter.name} of ${name}`;
    const key = parameter.name.toLowerCase();
    if (type?.name === 'TABLE') {
      const rows = givenRows(value, what, context);
      ctes.set(key, asTable(parameter.name, rowsOf(rows, columnsAs(type, rows, what, value.span), context), value.span, context));
      continue;
    }
    if (value.kind === 'table_name') return fail('type', value.span, `${what} must be a value, not a table`);
    variables.set(
      key,
      variableOf(what, () => {
        const given = analyzeExpr(value, context);
        return type === null ? resolveDynamic(given) : coerceToDeclared(given, typeFromRef(type), what);
      }),
    );
  }
  return apart({ ...around.analysis, expanding: [...expanding, name] }, ctes, variables);
}

/** Returns the columns that RETURNS TABLE names, or all. */
function returned({ name, returns }: ast.TableFunctionDefinition, rows: AnalyzedQuery, context: Context): AnalyzedQuery {
  return returns === null ? rows : rowsOf(rows, columnsAs(returns, rows, `the result of ${name.name}`, returns.span), context);
}
