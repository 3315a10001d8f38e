// A saved query that FROM calls as a table function: its parameters are the arguments, by position.
import { fail } from '../../base/fail.ts';
import type * as ast from '../../syntax/ast.ts';
import type { SavedFunction } from '../../translation.ts';
import { analyzeExpr } from '../analyze.ts';
import type { AnalyzedQuery } from '../analyzed.ts';
import { coerceToDeclared } from '../calls/coerce.ts';
import type { Context } from '../context.ts';
import { expandSavedQuery } from '../names/saved-query-table.ts';
import type { Variable } from '../names/scope.ts';
import { expressionOfParameter } from './parameter-expression.ts';
import { variableOf } from './variable.ts';

export function callSavedQuery({ text, parameters }: SavedFunction, call: ast.TableCall, context: Context): AnalyzedQuery {
  const { args, span } = call;
  const { name } = call.name;
  const fewest = parameters.findLastIndex(({ absent }) => absent === undefined) + 1;
  if (args.length > parameters.length || args.length < fewest) {
    const count = fewest === parameters.length ? String(fewest) : `${fewest} to ${parameters.length}`;
    fail(
      'type',
      span,
      `${name} takes ${count} argument${count === '1' ? '' : 's'}, not ${args.length}`,
      `${name}(${parameters.map((parameter) => parameter.name).join(', ')})`,
    );
  }
  const given = new Map<string, Variable>();
  for (const [i, { name: parameter, type, absent }] of parameters.entries()) {
    const what = `argument ${parameter} of ${name}`;
    const arg = args[i];
    if (arg !== undefined && arg.name !== null)
      fail('unsupported', arg.name.span, `${name} takes its arguments by position, not by name`, 'leave out the name and =>');
    const value = arg?.value;
    if (value?.kind === 'table_name') return fail('type', value.span, `${what} must be a value, not a table`);
    const make = () => (value === undefined ? expressionOfParameter(absent ?? '', span, context) : analyzeExpr(value, context));
    given.set(
      parameter.toLowerCase(),
      variableOf(what, () => coerceToDeclared(make(), type, what)),
    );
  }
  return expandSavedQuery({ name, text, span, given }, context);
}
