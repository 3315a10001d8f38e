// Checks inside of IF and CASE. ClickHouse computes an expression that two branches share for all rows, and then ignores that a check in it
// stood in a branch of its own choice. Such a check therefore gets the conditions of its branch, or, where these conditions have checks themselves,
// the whole choice stands apart. ClickHouse also computes constants before it makes any choice, so checks of constants in branches become checks of rows.
import type { Check, Func, SqlExpression, Statement } from './ast.ts';
import { and, call, iff, infix, lit, not } from './build.ts';
import { asCheck, asFunc, CHECK, CONSTANT_CHECK, choosesRows, type Facts, factsOf, GUARDED, isStatement, withOperands } from './checks.ts';
import { computedApart, isOfRows } from './compute-apart.ts';
import { hoistChecks } from './hoist-checks.ts';
import { type Change, rewriteParts, rewrite as rewriteTree } from './rewrite.ts';
import { SameMap } from './same.ts';

/** Choices with more arguments stand apart, or are left as they are: each branch would repeat the conditions of all branches before it. */
const MOST_ARGUMENTS = 17;

/** Returns `statement` with checks that fail for rows that reach them, and for no others. */
export function guardChecks(statement: Statement): Statement {
  if ((factsOf(statement)(statement) & GUARDED) === 0) return statement;
  const hoisted = hoistChecks(statement);
  return guardStatement(hoisted, factsOf(hoisted), { named: false });
}

/** `named`: other queries read the columns by name, maybe in several branches of a choice. */
function guardStatement(statement: Statement, facts: Facts, { named }: { readonly named: boolean }): Statement {
  const inner: Change = (node) => (isStatement(node) ? guardStatement(node, facts, { named: true }) : undefined);
  if (statement.kind === 'set')
    return {
      ...statement,
      with: rewrite(statement.with, facts, inner),
      inputs: statement.inputs.map((i) => guardStatement(i, facts, { named })),
    };
  const { groupBy, groupingSets, constants, ...rest } = statement;
  // GROUP BY keys are matched with the selected expressions, so a key must change in the same way everywhere.
  const keys = new SameMap<SqlExpression>();
  for (const key of [...(groupBy ?? []), ...(groupingSets?.flat() ?? [])])
    keys.set(key, rewrite(key, facts, guards(facts, inner, { always: named })));
  const preset: Change = (node) => inner(node) ?? keys.get(node);
  const guardedKey = (key: SqlExpression): SqlExpression => keys.get(key) ?? key;
  return {
    ...rewriteParts(rest, (part) => rewrite(part, facts, guards(facts, preset, { always: named }))),
    constants: rewrite(constants, facts, guards(facts, preset, { always: true })),
    groupBy: groupBy?.map(guardedKey) ?? null,
    groupingSets: groupingSets?.map((set) => set.map(guardedKey)) ?? null,
  };
}

/** Rewrites the parts of `node` about which one of the `wanted` facts holds; the others stay. */
const rewrite = <T extends object>(node: T, facts: Facts, change: Change, wanted = GUARDED): T =>
  rewriteTree(node, (part) => ((facts(part) & wanted) === 0 ? part : change(part)));

/** Guards choices of rows: those that several branches share, or `always`. The replacements of `preset` come first. */
function guards(facts: Facts, preset: Change, { always }: { readonly always: boolean }): Change {
  const choosing = (node: object): Func | undefined => {
    const func = asFunc(node);
    return func !== undefined && choosesRows(func) ? func : undefined;
  };

  const change: Change = (node) => {
    const func = asFunc(node);
    // ClickHouse turns an aggregate of `if(c, x, NULL)` into one of x over the rows where c is true, and then computes x for all rows.
    if (func !== undefined && isOfRows(func)) return preset(node) ?? { ...func, args: func.args.map((arg) => rewrite(arg, facts, own)) };
    return preset(node) ?? ifChoice(node, always ? withOwnGuards : sharing);
  };
  const own: Change = (node) => preset(node) ?? ifChoice(node, withOwnGuards);
  const ifChoice = (node: object, change: (choice: Func) => SqlExpression): SqlExpression | undefined => {
    const choice = choosing(node);
    return choice && change(choice);
  };

  const sharing = (choice: Func): Func => {
    const shared = sharedChoices(choice, facts, (node) => preset(node) === undefined && choosing(node) !== undefined);
    const inner: Change = (node) => preset(node) ?? (shared(node) ? ifChoice(node, withOwnGuards) : undefined);
    const args = choice.args.map((arg, i) => {
      const guarded = shared === NOTHING ? rewrite(arg, facts, change) : rewrite(arg, facts, inner);
      return i === 0 ? guarded : atRunTime(guarded, preset);
    });
    return { ...choice, args };
  };

  const done = new Map<Func, SqlExpression>();
  /** Returns the choice with checks that fail for rows of their branches only, whatever else reads the choice. */
  const withOwnGuards = (choice: Func): SqlExpression => {
    const before = done.get(choice);
    if (before !== undefined) return before;
    const isLong = choice.args.length > MOST_ARGUMENTS;
    const apart = isLong || hasCheckInCondition(choice, facts) ? computedApart(choice, guardedInside, preset) : undefined;
    const after = apart ?? (isLong ? choice : guardedByItself(choice));
    done.set(choice, after);
    return after;
  };

  const guardedByItself = (choice: Func): Func => {
    const passed: SqlExpression[] = [];
    // ClickHouse computes the choices in the first condition for every row, so they stay as they are in the branches.
    const unconditional = new SameMap<true>();
    const known: Change = (node) => preset(node) ?? (unconditional.get(node) === true ? node : undefined);
    const args = choice.args.map((arg, i) => {
      const inner = rewrite(arg, facts, own);
      if (i === 0) eachChoice(inner, factsOf(inner), (c) => unconditional.set(c, true));
      const isThen = i % 2 === 1 && i < choice.args.length - 1;
      const reached = isThen ? [...passed.slice(0, -1).map(not), ...passed.slice(-1)] : passed.map(not);
      if (i % 2 === 0) passed.push(call('ifNull', inner, lit(false)));
      return i === 0 ? inner : onlyWhere(reached, atRunTime(inner, known), known);
    });
    return { ...choice, args };
  };
  return change;
}

/** Returns `value`, which stands apart, with guards for choices that several branches in it share. */
function guardedInside(value: SqlExpression): SqlExpression {
  const facts = factsOf(value);
  return rewrite(
    value,
    facts,
    guards(facts, () => undefined, { always: false }),
  );
}

/** True if a condition behind the first, or one of a choice in a branch, has a check: as a guard, it would need guards itself. */
function hasCheckInCondition({ args }: Func, facts: Facts): boolean {
  const hasCheck = (arg: SqlExpression): boolean => (facts(arg) & (CHECK | CONSTANT_CHECK)) !== 0;
  const conditionsOf = (choice: Func): readonly SqlExpression[] => choice.args.filter((_, i) => i % 2 === 0 && i < choice.args.length - 1);
  let found = args.slice(2, -1).some((arg, i) => i % 2 === 0 && hasCheck(arg));
  for (const arg of args.slice(1)) eachChoice(arg, facts, (choice) => (found ||= conditionsOf(choice).some(hasCheck)));
  return found;
}

function eachChoice(value: SqlExpression, facts: Facts, visit: (choice: Func) => void): void {
  rewrite(value, facts, (node) => {
    const func = asFunc(node);
    if (func !== undefined && choosesRows(func) && (facts(func) & GUARDED) !== 0) visit(func);
    return undefined;
  });
}

const NOTHING = (): boolean => false;

/** Returns a test for the choices with checks that stand in several branches of this one. */
function sharedChoices({ args }: Func, facts: Facts, isChoice: (node: object) => boolean): (node: object) => boolean {
  const seen = new SameMap<{ readonly branch: number; several: boolean }>();
  let any = false;
  for (const [branch, arg] of args.entries()) {
    if (branch === 0) continue;
    rewrite(arg, facts, (node) => {
      if (!isChoice(node) || (facts(node) & GUARDED) === 0) return undefined;
      const before = seen.get(node);
      if (before === undefined) seen.set(node, { branch, several: false });
      else if (before.branch !== branch) any = before.several = true;
      return undefined;
    });
  }
  return any ? (node) => asFunc(node) !== undefined && seen.get(node)?.several === true : NOTHING;
}

/** Returns `value` with checks that fail only where all conditions hold. The replacements of `preset` come first. */
export function onlyWhere(conditions: readonly SqlExpression[], value: SqlExpression, preset: Change = () => undefined): SqlExpression {
  const done = new Map<object, SqlExpression>();
  const where = (operand: SqlExpression, harmless?: SqlExpression): SqlExpression => {
    const inner = rewrite(operand, facts, guard, CHECK);
    return harmless === undefined ? inner : iff(and(...conditions), inner, harmless);
  };
  const guard: Change = (node) => {
    const func = asFunc(node);
    // The conditions around an aggregate or a window call do not restrict its rows.
    if (func !== undefined && isOfRows(func)) return func;
    const replaced = preset(node) ?? done.get(node);
    if (replaced !== undefined) return replaced;
    const check = asCheck(node);
    const guarded = check?.rows === 'reached' ? checkedWhere(check) : withOperands(node, where);
    if (guarded !== undefined) done.set(node, guarded);
    return guarded;
  };
  const checkedWhere = (check: Check): Check => {
    const condition = conditions.reduceRight((all, c) => infix('AND', c, all), check.condition);
    return { ...check, condition, value: check.value && rewrite(check.value, facts, guard, CHECK), as: undefined };
  };
  const facts = factsOf(value);
  return rewrite(value, facts, guard, CHECK);
}

/** Turns checks of constants into checks of rows, because ClickHouse computes constants before it makes any choice. */
function atRunTime(value: SqlExpression, preset: Change): SqlExpression {
  const facts = factsOf(value);
  const test: Change = (node) => {
    const check = asCheck(node);
    if (check?.rows !== 'constant') return preset(node);
    const condition = call('ifNull', check.condition, lit(false));
    return (
      preset(node) ?? {
        ...check,
        condition,
        value: check.value && rewrite(check.value, facts, test, CONSTANT_CHECK),
        rows: 'reached',
        as: undefined,
      }
    );
  };
  return rewrite(value, facts, test, CONSTANT_CHECK);
}
