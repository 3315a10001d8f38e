// Facts about checks that the passes which move them share: which nodes contain checks, and which calls choose between rows.
import { spend } from '../base/budget.ts';
import type { Check, Func, Ident, Infix, SqlExpression, Statement } from './ast.ts';
import { lit, NULL } from './build.ts';
import { isConstant } from './constant.ts';
import { isShape } from './rewrite.ts';

/** A check, or a call that fails by itself. */
export const CHECK = 1;
/** A choice between rows with a check in one of its branches. */
export const GUARDED = 2;
export const CONSTANT_CHECK = 4;
/** A test for an entry of a map, see present.ts. */
export const ENTRY_TEST = 8;

const FACT_OF = { reached: CHECK, constant: CONSTANT_CHECK, all: 0 };

export type Facts = (node: object) => number;

export const isStatement = (node: object): node is Statement =>
  'kind' in node && (node.kind === 'select' || node.kind === 'set') && !('alias' in node);

// A node's kind determines its type.
export const asFunc = (node: object): Func | undefined => ('kind' in node && node.kind === 'func' ? (node as Func) : undefined);
export const asCheck = (node: object): Check | undefined => ('kind' in node && node.kind === 'check' ? (node as Check) : undefined);

/** What accurateCast does not fail for, by its type: others are read of texts. */
const HARMLESS: ReadonlyMap<unknown, SqlExpression> = new Map([
  ['Int64', lit(0)],
  ['Decimal(38, 9)', lit(0)],
  ['Nullable(Int64)', NULL],
]);

/**
 * Returns a call that fails by itself, as a division by 0 does, with `change` of its operands; undefined for other nodes. The operand that it fails for
 * comes with a value that it does not fail for.
 */
export function withOperands(
  node: object,
  change: (operand: SqlExpression, harmless?: SqlExpression) => SqlExpression,
): SqlExpression | undefined {
  const func = asFunc(node);
  if (func !== undefined) {
    if (func.name !== 'accurateCast' && func.name !== 'intDiv') return undefined;
    const [first = NULL, second = NULL] = func.args;
    if (func.name === 'intDiv') return isConstant(second) ? undefined : { ...func, args: [change(first), change(second, lit(1))] };
    const harmless = second.kind === 'lit' ? HARMLESS.get(second.value) : undefined;
    return harmless === undefined || isConstant(first) ? undefined : { ...func, args: [change(first, harmless), second] };
  }
  const { left, right, ...rest } = node as Infix; // where it has that kind
  if (rest.kind !== 'infix' || rest.operator !== '%' || isConstant(right)) return undefined;
  return { ...rest, left: change(left), right: change(right, lit(1)) };
}

/** True if the node fails by itself for some rows, as a division by 0 does; checks are nodes of their own. */
export const failsByItself = (node: object): boolean => withOperands(node, (operand) => operand) !== undefined;

/** Returns the name if the node is one without a table in front. */
export function nameOf(node: object): string | undefined {
  const { kind, parts } = node as Partial<Ident>; // of another kind it has another `kind`
  return kind === 'ident' && parts?.length === 1 ? parts[0] : undefined;
}

const factsBefore = new WeakMap<object, Facts>();

/** Returns the facts of each node below `root`, which several passes ask for. It does not recurse, because trees may be deep. */
export function factsOf(root: object): Facts {
  const before = factsBefore.get(root) ?? findFacts(root);
  factsBefore.set(root, before);
  return before;
}

function findFacts(root: object): Facts {
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
    all |= failsByItself(node) ? CHECK : FACT_OF[asCheck(node)?.rows ?? 'all'];
    if (func?.name === 'mapContains') all |= ENTRY_TEST;
    const hasCheck = (arg: object): boolean => ((known.get(arg) ?? 0) & (CHECK | CONSTANT_CHECK)) !== 0;
    if (func !== undefined && choosesRows(func) && func.args.slice(1).some(hasCheck)) all |= GUARDED;
    known.set(node, all);
  }
  return (node) => known.get(node) ?? 0;
}

/** True if the call is an IF or CASE whose condition depends on rows. */
export function choosesRows({ name, args: [condition, then] }: Func): boolean {
  if ((name !== 'if' && name !== 'multiIf') || condition === undefined || then === undefined) return false;
  return !asserts(condition) && !isConstant(condition);
}

/** True if rows that do not meet the condition fail the query, so that the choice leaves out none. */
const asserts = (condition: SqlExpression): boolean =>
  condition.kind === 'infix' && condition.left.kind === 'check' && condition.left.value === null;

/**
 * True if a check of constants stands in a branch that may not be taken. ClickHouse computes such a check when it analyzes the branch, and
 * where that fails it forgets the name that WITH gives to the whole expression.
 */
export function checksInBranch(node: SqlExpression): boolean {
  const facts = factsOf(node);
  const checks = (part: SqlExpression | null): part is SqlExpression => part !== null && (facts(part) & CONSTANT_CHECK) !== 0;
  const inside = (part: SqlExpression | null): boolean => {
    if (!checks(part)) return false;
    if (part.kind === 'check') return inside(part.value);
    if (part.kind !== 'func') return false;
    const isChoice = part.name === 'if' || part.name === 'multiIf';
    return (isChoice && part.args.slice(1).some(checks)) || part.args.some(inside);
  };
  return inside(node);
}
