// Whether computing an expression may fail the query.
import { isAggregate } from '../../clickhouse/functions.ts';
import { spend } from '../base/budget.ts';
import type { Func, SqlExpression } from './ast.ts';
import { failsByItself } from './checks.ts';
import { isConstant } from './constant.ts';

/** True if `node` contains a check, a cast that fails, or a division by what may be 0, outside of subqueries. Nodes that are shared are visited once. */
export function mayFail(node: SqlExpression, seen: Set<SqlExpression> = new Set()): boolean {
  if (seen.has(node)) return false;
  seen.add(node);
  spend(1);
  const inside = (inner: SqlExpression): boolean => mayFail(inner, seen);
  switch (node.kind) {
    case 'func':
      return node.name === 'accurateCast' || failsByItself(node) || node.args.some(inside);
    case 'check':
      return true;
    case 'infix':
      return failsByItself(node) || inside(node.left) || inside(node.right);
    case 'prefix':
    case 'is_null':
    case 'cast':
    case 'in':
      return inside(node.operand);
    case 'array':
      return node.elements.some(inside);
    case 'lambda':
      return inside(node.body);
    default:
      return false;
  }
}

/** Functions that no values fail. */
const NEVER_FAIL: ReadonlySet<string> = new Set([
  ...['if', 'multiIf', 'ifNull', 'coalesce', 'nullIf', 'assumeNotNull', 'toNullable', 'tuple', 'tupleElement', 'toString'],
  ...['concat', 'length', 'lengthUTF8', 'lower', 'upper', 'lowerUTF8', 'upperUTF8', 'substring', 'substringUTF8', 'startsWith', 'endsWith'],
  ...[
    'position',
    'positionUTF8',
    'replaceAll',
    'trimBoth',
    'trimLeft',
    'trimRight',
    'empty',
    'notEmpty',
    'has',
    'hasAny',
    'hasAll',
    'arrayJoin',
  ],
  ...[
    'isFinite',
    'isInfinite',
    'isNaN',
    'isValidASCII',
    'toYear',
    'toMonth',
    'toDayOfMonth',
    'toDayOfWeek',
    'toHour',
    'toMinute',
    'toSecond',
  ],
]);

/** Patterns that are constants have been looked at. */
const OF_PATTERNS: ReadonlySet<string> = new Set(['match', 'like', 'ilike', 'extract', 'replaceRegexpAll', 'replaceRegexpOne']);

/** Operators of any values; arithmetic fails for decimals. */
const OF_ANY: ReadonlySet<string> = new Set(['AND', 'OR', '=', '!=', '<', '<=', '>', '>=', 'LIKE', 'NOT LIKE', 'ILIKE', '||']);

/** Other expressions that may fail. */
const DOUBTED: ReadonlySet<string> = new Set<SqlExpression['kind']>(['raw', 'check', 'cast', 'lambda']);

function isSure({ name, args }: Func): boolean {
  if (NEVER_FAIL.has(name) || isAggregate(name) || name.startsWith('toStartOf')) return true;
  if (OF_PATTERNS.has(name)) return args.slice(1).every((arg) => isConstant(arg));
  const [first] = args;
  // Of a text it would fail.
  return name === 'toInt64' && first?.kind === 'func' && (first.name === 'count' || first.name === 'length' || first.name === 'countIf');
}

function isSureNode(node: SqlExpression): boolean {
  if (node.kind === 'func') return node.over === null && isSure(node);
  if (node.kind !== 'infix') return !DOUBTED.has(node.kind);
  // A pattern may end with the escape of nothing.
  return OF_ANY.has(node.operator) && (!node.operator.endsWith('LIKE') || node.right.kind === 'lit' || isConstant(node.right));
}

/** True if a row may fail at this node of a statement, whatever is below it: a branch around it that is not taken must not be computed. */
export function mayFailHere(node: object): boolean {
  if (!('kind' in node)) return false;
  const expression = node as SqlExpression; // or a clause, whose kind is none of an expression's
  return !isSureNode(expression) && (expression.kind === 'check' || !isConstant(expression));
}
