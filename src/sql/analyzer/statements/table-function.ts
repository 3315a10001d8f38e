// CREATE TABLE FUNCTION: a call is its query, where names of parameters mean the arguments.
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
import type { Context, VisibleCte } from '../context.ts';
import { asTable, columnsAs, givenRows } from '../names/given-table.ts';
import { EMPTY_SCOPE, type Variable } from '../names/scope.ts';
import { inFile } from './library.ts';
import { variableOf } from './variable.ts';

/** A function that the text itself defines: it sees the tables that the text creates before. */
export function expandTableFunction(definition: ast.TableFunctionDefinition, call: ast.TableCall, context: Context): AnalyzedQuery {
  const created = new Map([...context.ctes].filter(([, { calledAs }]) => calledAs !== undefined));
  return expand(definition, call, context, { ...context, ctes: created }, (body) => body());
}

/** A function of a file: errors in it are shown there; it sees neither what the text defines, nor saved queries, nor parameters of the query. */
export function expandLibraryTable(
  definition: ast.TableFunctionDefinition,
  source: SourceText,
  call: ast.TableCall,
  context: Context,
): AnalyzedQuery {
  const { options, ...analysis } = context.analysis;
  const { savedQuery: _, ...sources } = options;
  const apart = { ...analysis, options: { ...sources, parameters: {} }, temporaryFunctions: new Map() };
  return expand(definition, call, context, { ...context, analysis: apart, ctes: new Map() }, (body) => {
    const before = analysis.ctes.length;
    const rows = inFile(source, body);
    // Places in the file mean nothing in the text of the query.
    const placed = (rel: Rel): Rel => rewriteExprsOf(rel, (e) => ({ ...e, span: call.span }));
    analysis.ctes.splice(before, Number.POSITIVE_INFINITY, ...analysis.ctes.slice(before).map((cte) => ({ ...cte, rel: placed(cte.rel) })));
    return { ...rows, rel: placed(rows.rel) };
  });
}

/** `around`: what the body may see beside its parameters; `place` analyzes it where it belongs. */
function expand(
  definition: ast.TableFunctionDefinition,
  call: ast.TableCall,
  context: Context,
  around: Context,
  place: (body: () => AnalyzedQuery) => AnalyzedQuery,
): AnalyzedQuery {
  const { name } = definition.name;
  const { expanding } = context.analysis;
  if (expanding.includes(name))
    fail(
      'unsupported',
      call.span,
      `the function ${name} calls itself (${[...expanding, name].join(' → ')})`,
      'BigQuery functions can’t be recursive',
    );
  const wanted = definition.parameters.length;
  if (call.args.length !== wanted)
    fail(
      'type',
      call.span,
      `${name} takes ${wanted} arguments, not ${call.args.length}`,
      `${name}(${definition.parameters.map((p) => p.name.name).join(', ')})`,
    );
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
      ctes.set(key, asTable(parameter.name, rows, columnsAs(type, rows, what, value.span), value.span, context));
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
  const inner: Context = {
    ...around,
    analysis: { ...around.analysis, expanding: [...expanding, name] },
    scope: { ...EMPTY_SCOPE, variables },
    ctes,
    noAggregates: null,
    noWindows: null,
    windows: new Map(),
  };
  return place(() => returned(definition, analyzeQuery(definition.query, inner), inner));
}

/** The columns that RETURNS TABLE names, or all. */
function returned({ name, returns }: ast.TableFunctionDefinition, rows: AnalyzedQuery, { analysis }: Context): AnalyzedQuery {
  if (returns === null) return rows;
  const columns = columnsAs(returns, rows, `the result of ${name.name}`, returns.span);
  const items = columns.map((column) => ({ column: analysis.newColumn(column.name, column.value.type), value: column.value }));
  const outputs = items.map(({ column }) => ({ name: column.name, column }));
  return { rel: { kind: 'project', input: rows.rel, items }, outputs, value: false };
}
