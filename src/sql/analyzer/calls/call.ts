// Calls: temporary functions expanded, table functions matched to their signatures, aggregate and window calls set apart.
import { fail } from '../../base/fail.ts';
import { BOOL, STRING, TIMESTAMP } from '../../base/types.ts';
import { findFunction } from '../../functions/index.ts';
import type { Expr } from '../../logical/nodes.ts';
import type * as ast from '../../syntax/ast.ts';
import { analyzeExpr } from '../analyze.ts';
import type { Context } from '../context.ts';
import { expandLibraryFunction, expandTemporaryFunction } from '../statements/temporary-function.ts';
import { analyzeAggregateCall } from './aggregate-call.ts';
import { matched } from './arguments.ts';
import { callFunction } from './call-function.ts';
import { coerce, unify } from './coerce.ts';
import { refuseUnknown } from './unknown-function.ts';
import { analyzeWindowCall } from './window-call.ts';

export function analyzeCall(node: ast.Call, context: Context): Expr {
  const [word] = node.name;
  const name = (node.name.length === 1 && word !== undefined ? word.name : node.name.map((p) => p.name).join('.')).toUpperCase();
  const temporary = context.analysis.temporaryFunctions.get(name.toLowerCase());
  if (temporary !== undefined) return expandTemporaryFunction(scalarFunction(temporary, node), node, context);
  if (name === 'IF') return analyzeIf(node, context);
  if (name === 'MAX_BY' || name === 'MIN_BY') return analyzeCall(anyValueBy(node, name), context);
  const current = CURRENT[name];
  if (current !== undefined) return analyzeCurrent(node, name, current, context);
  const fn = findFunction(name);
  if (fn === undefined) {
    const ofFile = context.analysis.library.find(name);
    return ofFile === undefined
      ? refuseUnknown(name, node, [...Object.keys(CURRENT), 'MAX_BY', 'MIN_BY'], context)
      : expandLibraryFunction(scalarFunction(ofFile.definition, node), ofFile.source, node, context);
  }
  if (node.over !== null) {
    if (fn.kind === 'function')
      fail('type', node.span, `${name} can’t be used with OVER: it is neither an aggregate nor a window function`);
    return analyzeWindowCall(node, fn, context);
  }
  switch (fn.kind) {
    case 'window':
      return fail('type', node.span, `${name} needs OVER (…)`, `e.g. ${name}(…) OVER (ORDER BY timestamp)`);
    case 'aggregate':
      return analyzeAggregateCall(node, fn, context);
    case 'function':
      refuseModifiers(node, name);
      return { ...matched(node, fn, context), kind: 'call', fn, safe: node.safe, span: node.span };
  }
}

/** MAX_BY(x, y) is short for ANY_VALUE(x HAVING MAX y). https://cloud.google.com/bigquery/docs/reference/standard-sql/aggregate_functions#max_by */
function anyValueBy(node: ast.Call, name: 'MAX_BY' | 'MIN_BY'): ast.Call {
  const [value, key] = node.args;
  const [word] = node.name;
  if (value === undefined || key === undefined || key.value.kind === 'lambda' || word === undefined || node.args.length > 2)
    return fail('type', node.span, `${name} takes 2 arguments, not ${node.args.length}`, `it is ${name}(value, key)`);
  if (node.having !== null || node.over !== null)
    return fail('type', node.span, `${name} does not take ${node.over === null ? 'HAVING' : 'OVER'}`);
  return {
    ...node,
    name: [{ ...word, name: 'ANY_VALUE' }],
    args: [value],
    having: { which: name === 'MAX_BY' ? 'MAX' : 'MIN', value: key.value },
  };
}

/** Refuses a function that returns rows. */
function scalarFunction(definition: ast.OwnFunction, node: ast.Call): ast.FunctionDefinition {
  if (definition.kind === 'create_function') return definition;
  const { name } = definition.name;
  return fail('type', node.span, `${name} returns rows, not a value`, `read it in FROM: SELECT * FROM ${name}(…)`);
}

function refuseModifiers({ star, distinct, nulls, having, orderBy, limit, span }: ast.Call, name: string): void {
  const modifiers = [
    star && '*',
    distinct && 'DISTINCT',
    nulls !== null && `${nulls} NULLS`,
    having !== null && 'HAVING',
    orderBy.length > 0 && 'ORDER BY',
    limit !== null && 'LIMIT',
  ];
  const modifier = modifiers.find((one) => one !== false);
  if (modifier !== undefined) fail('type', span, `${name} does not take ${modifier}: it is not an aggregate function`);
}

/** By the name of a current date or time, with or without parentheses, the function that takes it from the instant of the query. */
const CURRENT: Readonly<Record<string, string>> = {
  CURRENT_TIMESTAMP: 'TIMESTAMP',
  CURRENT_DATETIME: 'DATETIME',
  CURRENT_DATE: 'DATE',
  CURRENT_TIME: 'TIME',
};

function analyzeCurrent(node: ast.Call, name: string, conversion: string, context: Context): Expr {
  refuseModifiers(node, name);
  const instant: Expr = { kind: 'instant', type: TIMESTAMP, span: node.span };
  const zones = node.args.map((a) => a.value).filter((v): v is ast.Expr => v.kind !== 'lambda');
  const most = conversion === 'TIMESTAMP' ? 0 : 1;
  if (zones.length > most) return fail('type', node.span, `${name} takes ${most === 0 ? 'no argument' : 'a time zone at most'}`);
  if (conversion === 'TIMESTAMP') return instant;
  const zone = zones.map((z) => coerce(analyzeExpr(z, context), STRING, 'the time zone'));
  return callFunction(conversion, [instant, ...zone], node.span);
}

/** Analyzes IF(condition, then, else) as a CASE. */
function analyzeIf(node: ast.Call, context: Context): Expr {
  refuseModifiers(node, 'IF');
  const [condition, then, otherwise, ...more] = node.args.map((a) => a.value).filter((v): v is ast.Expr => v.kind !== 'lambda');
  if (condition === undefined || then === undefined || otherwise === undefined || more.length > 0) {
    return fail('type', node.span, `IF takes 3 arguments, not ${node.args.length}`, 'write IF(condition, then, else)');
  }
  const { type, exprs } = unify([analyzeExpr(then, context), analyzeExpr(otherwise, context)], 'the results of IF');
  const when = coerce(analyzeExpr(condition, context), BOOL, 'the condition of IF');
  return { kind: 'case', whens: [{ when, then: exprs[0] ?? when }], otherwise: exprs[1] ?? null, type, span: node.span };
}

/** Analyzes `EXTRACT(part FROM value)`, which is a conversion for DATE, TIME and DATETIME. */
export function analyzeExtract({ part, from, timeZone, span }: ast.Extract, context: Context): Expr {
  const value = analyzeExpr(from, context);
  const zone = timeZone === null ? [] : [coerce(analyzeExpr(timeZone, context), STRING, 'AT TIME ZONE')];
  if (part === 'DATE' || part === 'TIME' || part === 'DATETIME') return callFunction(part, [value, ...zone], span);
  return callFunction('EXTRACT', [{ kind: 'date_part', part, type: STRING, span }, value, ...zone], span);
}
