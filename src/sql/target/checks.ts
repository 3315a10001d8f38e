// What is asked of checks by all that moves them: where they stand, and what chooses between rows.
import { spend } from '../budget.ts';
import type { Func, SqlExpression, Statement } from './ast.ts';
import { constantTest } from './build.ts';
import { isConstant } from './constant.ts';
import { isShape } from './rewrite.ts';

export const CHECK = 1;
/** A choice of rows with a check in one of its branches. */
export const GUARDED = 2;
export const CONSTANT_CHECK = 4;

export type Facts = (node: object) => number;

export const isStatement = (node: object): node is Statement =>
  'kind' in node && (node.kind === 'select' || node.kind === 'set') && !('alias' in node);

export const asFunc = (node: object): Func | undefined => ('kind' in node && node.kind === 'func' ? (node as Func) : undefined); // kinds are told by their name

/** What each part holds. Without recursion, as trees may be deep. */
export function factsOf(root: object): Facts {
  const known = new Map<object, number>();
  const waiting = [root];
  for (let node = waiting.at(-1); node !== undefined; node = waiting.at(-1)) {
    const before = waiting.length;
    let all = 0;
    for (const key in node) {
      const value: unknown = node[key as keyof typeof node]; // the key is the object's own
      if (!isShape(value)) continue;
      const part = known.get(value);
      if (part === undefined) waiting.push(value);
      else all |= part;
    }
    if (waiting.length > before) continue;
    spend(1);
    waiting.pop();
    const func = asFunc(node);
    if (func?.name === 'throwIf' && func.asksAll === undefined) all |= CHECK;
    if (func !== undefined && constantTest(func) !== undefined) all |= CONSTANT_CHECK;
    const held = (arg: object): boolean => ((known.get(arg) ?? 0) & (CHECK | CONSTANT_CHECK)) !== 0;
    if (func !== undefined && choosesRows(func) && func.args.slice(1).some(held)) all |= GUARDED;
    known.set(node, all);
  }
  return (node) => known.get(node) ?? 0;
}

/** Whether it is IF or CASE on something of the rows, and not a check with its value. */
export function choosesRows({ name, args: [condition, then] }: Func): boolean {
  if ((name !== 'if' && name !== 'multiIf') || condition === undefined || then === undefined) return false;
  return !isCheck(condition) && !isConstant(condition);
}

/**
 * Whether a check of constants stands in a branch that may not be taken. ClickHouse computes it when it looks at the branch, and where that fails it
 * forgets the name that WITH gives to the whole.
 */
export function checksInBranch(node: SqlExpression): boolean {
  const facts = factsOf(node);
  if ((facts(node) & CONSTANT_CHECK) === 0) return false;
  const inside = (part: SqlExpression): boolean => {
    if (part.kind !== 'func' || (facts(part) & CONSTANT_CHECK) === 0) return false;
    const [condition] = part.args;
    const isChoice = (part.name === 'if' || part.name === 'multiIf') && condition !== undefined && !isCheck(condition);
    return (isChoice && part.args.slice(1).some((arg) => (facts(arg) & CONSTANT_CHECK) !== 0)) || part.args.some(inside);
  };
  return inside(node);
}

const isCheck = (node: SqlExpression): boolean =>
  node.kind === 'infix' && node.left.kind === 'func' && (node.left.name === 'throwIf' || constantTest(node.left) !== undefined);
