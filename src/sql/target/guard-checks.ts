// Checks inside of IF and CASE. ClickHouse computes what two branches of a choice share for all rows, and forgets that a check in it stood in a branch of a
// choice of its own: there the check says by itself for which rows it counts. And what is the same for all rows is computed before any choice is made.
import { isAggregate } from '../../clickhouse/functions.ts';
import type { Func, SqlExpression, Statement } from './ast.ts';
import { call, infix, lit, not } from './build.ts';
import { asCheck, asFunc, CHECK, CONSTANT_CHECK, choosesRows, type Facts, factsOf, GUARDED, isStatement } from './checks.ts';
import { hoistChecks } from './hoist-checks.ts';
import { type Change, rewriteParts, rewrite as rewriteTree } from './rewrite.ts';
import { createSameMap } from './same.ts';

/** Of a choice whose checks are told what leads to them: each asks all that was asked before. */
const MOST_ARGUMENTS = 17;

/** `statement`, in which checks fail for rows that reach them, and for no others. */
export function guardChecks(statement: Statement): Statement {
  if ((factsOf(statement)(statement) & GUARDED) === 0) return statement;
  const hoisted = hoistChecks(statement);
  return guardStatement(hoisted, factsOf(hoisted), false);
}

/** `named`: what it shows may be read in several branches of those around it. */
function guardStatement(statement: Statement, facts: Facts, named: boolean): Statement {
  const inner: Change = (node) => (isStatement(node) ? guardStatement(node, facts, true) : undefined);
  if (statement.kind === 'set')
    return {
      ...statement,
      with: rewrite(statement.with, facts, inner),
      inputs: statement.inputs.map((i) => guardStatement(i, facts, named)),
    };
  const { groupBy, groupingSets, constants, ...rest } = statement;
  // A key is found again in what is selected: it becomes the same wherever it stands.
  const keys = createSameMap<SqlExpression>();
  for (const key of [...(groupBy ?? []), ...(groupingSets?.flat() ?? [])]) keys.set(key, rewrite(key, facts, guards(facts, inner, named)));
  const kept: Change = (node) => inner(node) ?? keys.get(node);
  const guardedKey = (key: SqlExpression): SqlExpression => keys.get(key) ?? key;
  return {
    ...rewriteParts(rest, (part) => rewrite(part, facts, guards(facts, kept, named))),
    constants: rewrite(constants, facts, guards(facts, kept, true)),
    groupBy: groupBy?.map(guardedKey) ?? null,
    groupingSets: groupingSets?.map((set) => set.map(guardedKey)) ?? null,
  };
}

/** The tree with what `change` gives, which goes into what it changes by itself; what holds no such checks stays. */
const rewrite = <T extends object>(node: T, facts: Facts, change: Change, held = GUARDED): T =>
  rewriteTree(node, (part) => ((facts(part) & held) === 0 ? part : change(part)));

/** How choices of rows are changed; what `kept` has something for is that. `always`: whether or not several branches of one share them. */
function guards(facts: Facts, kept: Change, always: boolean): Change {
  const choosing = (node: object): Func | undefined => {
    const func = asFunc(node);
    return func !== undefined && choosesRows(func) ? func : undefined;
  };

  const change: Change = (node) => {
    const func = asFunc(node);
    // ClickHouse takes an aggregate of `if(c, x, NULL)` for one of x over the rows where c is true, and computes x for all.
    if (func !== undefined && isOfRows(func)) return kept(node) ?? { ...func, args: func.args.map((arg) => rewrite(arg, facts, own)) };
    return kept(node) ?? ifChoice(node, always ? withOwnGuards : sharing);
  };
  const own: Change = (node) => kept(node) ?? ifChoice(node, withOwnGuards);
  const ifChoice = (node: object, change: (choice: Func) => Func): Func | undefined => {
    const choice = choosing(node);
    return choice && change(choice);
  };

  const sharing = (choice: Func): Func => {
    const shared = sharedChoices(choice, facts, (node) => kept(node) === undefined && choosing(node) !== undefined);
    const inner: Change = (node) => kept(node) ?? (shared(node) ? ifChoice(node, withOwnGuards) : undefined);
    const args = choice.args.map((arg, i) => {
      const guarded = shared === NOTHING ? rewrite(arg, facts, change) : rewrite(arg, facts, inner);
      return i === 0 ? guarded : atRunTime(guarded, kept);
    });
    return { ...choice, args };
  };

  const done = new Map<Func, Func>();
  /** The choice, whose checks ask for what leads to them. */
  const withOwnGuards = (choice: Func): Func => {
    const before = done.get(choice);
    if (before !== undefined) return before;
    const after = choice.args.length > MOST_ARGUMENTS ? choice : guardedByItself(choice);
    done.set(choice, after);
    return after;
  };

  const guardedByItself = (choice: Func): Func => {
    const passed: SqlExpression[] = [];
    // What the first condition reads is computed for every row.
    const always = createSameMap<true>();
    const known: Change = (node) => kept(node) ?? (always.get(node) === true ? node : undefined);
    const args = choice.args.map((arg, i) => {
      const inner = rewrite(arg, facts, own);
      if (i === 0) eachChoice(inner, (c) => always.set(c, true));
      const isThen = i % 2 === 1 && i < choice.args.length - 1;
      const reached = isThen ? [...passed.slice(0, -1).map(not), ...passed.slice(-1)] : passed.map(not);
      if (i % 2 === 0) passed.push(call('ifNull', inner, lit(false)));
      return i === 0 ? inner : onlyWhere(reached, atRunTime(inner, known), known);
    });
    return { ...choice, args };
  };
  return change;
}

function eachChoice(value: SqlExpression, see: (choice: object) => void): void {
  const facts = factsOf(value);
  rewrite(value, facts, (node) => {
    const func = asFunc(node);
    if (func !== undefined && choosesRows(func) && (facts(func) & GUARDED) !== 0) see(func);
    return undefined;
  });
}

const isOfRows = (func: Func): boolean => func.over !== null || isAggregate(func.name);

const NOTHING = (): boolean => false;

/** Which of the choices with checks stand in several branches of this one. */
function sharedChoices({ args }: Func, facts: Facts, isChoice: (node: object) => boolean): (node: object) => boolean {
  const seen = createSameMap<{ readonly branch: number; several: boolean }>();
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

/** The value, whose checks fail only where the conditions hold; what `kept` has something for is that. */
export function onlyWhere(conditions: readonly SqlExpression[], value: SqlExpression, kept: Change = () => undefined): SqlExpression {
  const guard: Change = (node) => {
    const func = asFunc(node);
    // What leads to an aggregate, or a call over a window, is no condition on its rows.
    if (func !== undefined && isOfRows(func)) return func;
    const check = asCheck(node);
    if (check?.rows !== 'reached') return kept(node);
    const condition = conditions.reduceRight((all, c) => infix('AND', c, all), check.condition);
    return kept(node) ?? { ...check, condition, value: check.value && rewrite(check.value, facts, guard, CHECK) };
  };
  const facts = factsOf(value);
  return rewrite(value, facts, guard, CHECK);
}

/** Constants are computed before any choice is made: their checks are not, once they are those of rows. */
function atRunTime(value: SqlExpression, kept: Change): SqlExpression {
  const facts = factsOf(value);
  const test: Change = (node) => {
    const check = asCheck(node);
    if (check?.rows !== 'constant') return kept(node);
    const condition = call('ifNull', check.condition, lit(false));
    return kept(node) ?? { ...check, condition, value: check.value && rewrite(check.value, facts, test, CONSTANT_CHECK), rows: 'reached' };
  };
  return rewrite(value, facts, test, CONSTANT_CHECK);
}
