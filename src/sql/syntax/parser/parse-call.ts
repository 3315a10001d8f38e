// Reads calls: arguments, the modifiers of aggregate functions, and OVER.
import type { Argument, Call, Expr, Identifier, Lambda } from '../ast.ts';
import { closeList, isName, parseAlias, parseList, parseName, takeName } from './parse-name.ts';
import { parseOrderBy } from './parse-order.ts';
import { parseOver } from './parse-window.ts';
import { type Parser, parseExpression } from './parser.ts';

/** Returns a call without arguments and modifiers. */
export function emptyCall(name: readonly Identifier[]): Omit<Call, 'span'> {
  return {
    kind: 'call',
    name,
    safe: false,
    args: [],
    star: false,
    distinct: false,
    nulls: null,
    having: null,
    orderBy: [],
    limit: null,
    over: null,
  };
}

/** Reads the call of `path`, begun at `start`; the current token is its `(`. */
export function parseCall(s: Parser, start: number, path: readonly Identifier[]): Call {
  const safe = path.length > 1 && path[0]?.name.toUpperCase() === 'SAFE';
  const call = emptyCall(safe ? path.slice(1) : path);
  s.expect('(');
  const distinct = s.take('DISTINCT');
  const star = s.take('*');
  // f() and f(ORDER BY …) have no arguments.
  const args = star || s.is(')') || s.is('ORDER') ? [] : parseList(s, parseArgument);
  const modifiers = {
    nulls: parseNulls(s),
    having: parseHaving(s),
    orderBy: parseOrderBy(s),
    limit: s.take('LIMIT') ? parseExpression(s) : null,
  };
  closeList(s);
  const over = s.take('OVER') ? parseOver(s) : null;
  return { ...call, safe, args, star, distinct, ...modifiers, over, span: s.span(start) };
}

function parseNulls(s: Parser): Call['nulls'] {
  const nulls = s.takeFirst('IGNORE', 'RESPECT');
  if (nulls !== null) s.expect('NULLS');
  return nulls;
}

function parseHaving(s: Parser): Call['having'] {
  if (!s.take('HAVING')) return null;
  const which = s.takeFirst('MAX', 'MIN') ?? s.fail('MAX or MIN');
  return { which, value: parseExpression(s) };
}

function parseArgument(s: Parser): Argument {
  if (s.is('SELECT')) s.fail('an argument', 'a subquery as an argument needs its own parentheses: f((SELECT …))');
  const name = isName(s.token) && s.peek().text === '=>' ? takeName(s) : null;
  if (name !== null) s.expect('=>');
  const value = startsLambda(s) ? parseLambda(s) : parseExpression(s);
  const alias = s.is('AS') ? parseAlias(s) : null;
  return { value, name, alias };
}

/** True before `x ->` and `(x, y) ->`. */
function startsLambda(s: Parser): boolean {
  if (isName(s.token)) return s.peek().text === '->';
  if (!s.is('(')) return false;
  let ahead = 1;
  while (isName(s.peek(ahead)) && s.peek(ahead + 1).text === ',') ahead += 2;
  if (isName(s.peek(ahead))) ahead++;
  return s.peek(ahead).text === ')' && s.peek(ahead + 1).text === '->';
}

function parseLambda(s: Parser): Lambda {
  const { start } = s.token;
  const parameters = s.take('(') ? parseLambdaParameters(s) : [takeName(s)];
  s.expect('->');
  s.enter();
  const body: Expr = parseExpression(s);
  s.leave();
  return { kind: 'lambda', parameters, body, span: s.span(start) };
}

function parseLambdaParameters(s: Parser): Identifier[] {
  const parameters = s.is(')') ? [] : parseList(s, parseName);
  s.expect(')');
  return parameters;
}
