// Conditions that only filter rows. NULL and FALSE mean the same there, so that IN can stay a set, which the key of a table can use.
import type { Expr } from '../logical/nodes.ts';
import { isOfNull } from '../logical/properties/constant.ts';
import { contains } from '../logical/walk.ts';
import type { Check, Func, SqlExpression } from '../target/ast.ts';
import { call, iff, infix, NULL, not } from '../target/build.ts';
import { asCheck, asFunc } from '../target/checks.ts';
import { isConstant } from '../target/constant.ts';
import { rewrite } from '../target/rewrite.ts';
import { SameMap } from '../target/same.ts';
import { lowerExpr } from './expression.ts';
import type { Environment, Lowering } from './lowering.ts';
import { keepsRows, lowerMembership } from './subquery.ts';

export function lowerCondition(condition: Expr, env: Environment, l: Lowering): SqlExpression {
  if (keepsRows(condition)) return lowerMembership(condition, env, l);
  if (condition.kind !== 'call') return lowerExpr(condition, env, l);
  const { fn, args } = condition;
  const [left, right] = args;
  if ((fn.name === '$or' || fn.name === '$and') && left != null && right != null)
    return infix(fn.name === '$or' ? 'OR' : 'AND', lowerCondition(left, env, l), lowerCondition(right, env, l));
  const written = lowerExpr(condition, env, l);
  return fn.name === '$in_array' ? (setOf(written) ?? written) : written;
}

/** Returns the set that IN UNNEST tests, without the part about NULLs. */
function setOf(written: SqlExpression): SqlExpression | undefined {
  const sets = written.kind === 'func' && written.name === 'multiIf' ? written.args.filter(({ kind }) => kind === 'in') : [];
  return sets[0];
}

/**
 * Writes a condition above an ARRAY JOIN. ClickHouse finds an expression with a NULL in it, such as an absent parameter, to be the same for
 * all rows only when it analyzes the condition again below the ARRAY JOIN, and then fails. `materialize` hides that where the expression
 * decides the condition.
 */
export function aboveArrayJoin(condition: Expr, written: SqlExpression, l: Lowering): SqlExpression {
  const isComputed = (e: Expr): boolean =>
    (e !== condition && (e.type.kind !== 'BOOL' || e.kind === 'case') && isOfNull(e)) || comparesNull(e);
  return contains(condition, isComputed) && l.mayBeConstant(condition) ? call('materialize', written) : besideArrayJoin(written);
}

/** True if the condition compares with NULL itself. An absent parameter does not count: the others would lose their key. */
const comparesNull = (e: Expr): boolean =>
  e.kind === 'call' && e.fn.compares === true && e.fn.strict !== undefined && e.args.some(isNullLiteral);

const isNullLiteral = (e: Expr | null): boolean =>
  (e?.kind === 'literal' && e.value === null) || (e?.kind === 'cast' && isNullLiteral(e.operand));

/** Writes a condition next to an ARRAY JOIN, whether it was written above or below it. */
export const besideArrayJoin = (condition: SqlExpression): SqlExpression => withEmptySets(withoutConstantChoices(condition));

/** IN of an empty set is FALSE for all rows, which ClickHouse must know before it analyzes the condition again. */
function withEmptySets(condition: SqlExpression): SqlExpression {
  return rewrite(condition, (node) => {
    const test = 'kind' in node && node.kind === 'in' ? (node as SqlExpression) : undefined; // the kind determines the type
    if (test?.kind !== 'in' || test.ofArray !== true || 'kind' in test.items) return undefined;
    const { ofArray: _, ...plain } = test;
    return infix('AND', not(call('empty', test.items[0] ?? NULL)), plain);
  });
}

/**
 * ClickHouse analyzes conditions above an ARRAY JOIN again, below it. It fails where it then finds that a condition of CASE, or the whole
 * condition, is constant, or is computed only for its checks.
 */
function withoutConstantChoices(condition: SqlExpression): SqlExpression {
  return rewrite(condition, (node) => {
    const choice = asFunc(node);
    const whole = choice ?? asCheck(node);
    if (whole !== undefined && (choice?.name === 'ignore' || givesOneConstant(whole))) return call('materialize', whole);
    if (choice?.name !== 'multiIf' || !choice.args.some((arg, i) => i % 2 === 0 && i < choice.args.length - 1 && isConstant(arg)))
      return undefined;
    const args = choice.args.map(withoutConstantChoices);
    let otherwise = args.at(-1);
    for (let i = args.length - 3; i >= 0; i -= 2) {
      const [when, then] = args.slice(i);
      if (when !== undefined && then !== undefined && otherwise !== undefined) otherwise = iff(when, then, otherwise);
    }
    return otherwise;
  });
}

/** True if all branches are the same constant. */
function givesOneConstant(choice: Func | Check): boolean {
  const [first, ...branches] = branchesOf(choice);
  if (first === undefined || !isConstant(first)) return false;
  const same = new SameMap<true>();
  same.set(first, true);
  return branches.every((branch) => same.get(branch) !== undefined);
}

function branchesOf(choice: Func | Check): readonly SqlExpression[] {
  if (choice.kind === 'check') return choice.value === null ? [] : [choice.value, choice.otherwise ?? NULL];
  const { name, args } = choice;
  return name === 'if' || name === 'multiIf' ? args.filter((_, i) => i % 2 === 1 || i === args.length - 1) : [];
}
