// Functions in FROM: GAP_FILL, and those of the user's own.
// https://cloud.google.com/bigquery/docs/table-functions
import { didYouMean } from '../../../base/errors.ts';
import { fail } from '../../base/fail.ts';
import type * as ast from '../../syntax/ast.ts';
import type { AnalyzedQuery } from '../analyzed.ts';
import { atPlace, type Context } from '../context.ts';
import { callSavedQuery } from '../statements/saved-query-call.ts';
import { expandLibraryTable, expandTableFunction } from '../statements/table-function.ts';
import { fillGaps } from './gap-fill.ts';

/** Analyzes the rows of a call. Its arguments see the names around the query, not the tables beside the call. */
export function analyzeTableCall(call: ast.TableCall, outer: Context): AnalyzedQuery {
  const { name } = call.name;
  const context = atPlace(`an argument of ${name}`, outer);
  const { temporaryFunctions, library } = context.analysis;
  const own = temporaryFunctions.get(name.toLowerCase());
  if (own !== undefined) return expandTableFunction(tableFunction(own), call, context);
  if (name.toUpperCase() === 'GAP_FILL') return fillGaps(call, context);
  const ofFile = library.find(name);
  if (ofFile !== undefined) return expandLibraryTable(tableFunction(ofFile.definition), ofFile.source, call, context);
  const saved = context.analysis.options.savedFunction?.(name);
  if (saved !== undefined) return callSavedQuery(saved, call, context);
  if (/(?:^|\.)queries\.[^.]/i.test(name))
    return fail('unknown-function', call.name.span, `there is no saved query for ${name}(…)`, 'list the saved queries with `quern list`');
  const known = ['GAP_FILL', ...[...temporaryFunctions.values()].map((f) => f.name.name), ...library.names()];
  return fail(
    'unsupported',
    call.name.span,
    `${name}(…) in FROM is a table function`,
    didYouMean(name, known) ?? 'FROM takes tables, subqueries and UNNEST(array)',
  );

  function tableFunction(definition: ast.OwnFunction): ast.TableFunctionDefinition {
    if (definition.kind === 'create_table_function') return definition;
    return fail('type', call.span, `${name} returns a value, not rows`, `write it as an expression: SELECT ${name}(…)`);
  }
}
