// Checks inside of aggregates in branches of IF and CASE. ClickHouse computes every aggregate of a group, whichever branch is taken. So a
// second aggregate counts the rows that fail the check, and a check of that count stands outside of the aggregates, in the branch.
import { isAggregate, neverNull } from '../../clickhouse/functions.ts';
import type { Check, Func, SqlExpression, Statement } from './ast.ts';
import { and, array, call, element, failIf, iff, infix, isNotNull, isNull, lit, NULL, not, tuple } from './build.ts';
import { asCheck, asFunc, choosesRows, isStatement, nameOf } from './checks.ts';
import { type Change, rewrite, rewriteParts } from './rewrite.ts';

/** A condition that fails the query, and its message. */
type Failure = Pick<Check, 'condition' | 'message'>;

/** Returns `statement` with the checks of aggregates moved out of them where they stand in a branch. */
export function hoistChecks(statement: Statement): Statement {
  const named = new Map(statement.kind === 'set' ? [] : statement.constants.map(({ name, value }) => [name, value]));
  const nested = (node: object): Statement | undefined => (isStatement(node) && node !== statement ? hoistChecks(node) : undefined);
  const inBranch: Change = (node) => {
    const func = asFunc(node);
    if (func !== undefined && isAggregate(func.name)) return hoisted(func);
    if ('kind' in node && node.kind === 'subquery' && 'statement' in node) return ofAllRows(node.statement as Statement);
    // A name of WITH stands for the same expression wherever it is read, so an aggregate with checks is written out here.
    const value = named.get(nameOf(node) ?? '');
    const changed = value === undefined ? value : rewrite(value, inBranch);
    return nested(node) ?? (changed === value ? undefined : changed);
  };
  const outside: Change = (node) => {
    const func = asFunc(node);
    if (func === undefined || !choosesRows(func)) return nested(node);
    return { ...func, args: func.args.map((arg, i) => rewrite(arg, i === 0 ? outside : inBranch)) };
  };
  return rewriteParts(statement, outside);
}

/** Returns the aggregate without its checks, which now stand around it. */
function hoisted(aggregate: Func): SqlExpression {
  const { value, checks } = separated(aggregate);
  const kind = neverNull(value.name);
  return withChecks(checks, value, kind === undefined ? NULL : EMPTY[kind]);
}

/** Values of the branch that fails, which keep the type of a value that is never NULL. */
const EMPTY = { array: array(), count: lit(0) };

const withChecks = (checks: readonly Failure[], value: SqlExpression, otherwise: SqlExpression = NULL): SqlExpression =>
  checks.reduceRight((inner, { condition, message }) => failIf(condition, message, inner, otherwise), value);

/** Separates the checks from the aggregate, as aggregates that count the rows which fail. */
function separated(aggregate: Func): { readonly value: Func; readonly checks: readonly Failure[] } {
  const found: Failure[] = [];
  const args = aggregate.args.map((arg) => rewrite(arg, withoutChecks([], found)));
  if (found.length === 0) return { value: aggregate, checks: [] };
  const only = aggregate.name.endsWith('If') ? args.slice(-1) : [];
  const checks = found.map(({ condition, message }): Failure => {
    const failing: Func = { ...aggregate, name: 'countIf', params: [], distinct: false, args: [and(...only, condition)] };
    return { condition: infix('>', failing, lit(0)), message };
  });
  return { value: { ...aggregate, args }, checks };
}

/** A subquery that aggregates all of its rows is computed before the query around it, so it returns the results of its checks along with the value. */
function ofAllRows(statement: Statement): SqlExpression {
  const inside = hoistChecks(statement);
  const plain: SqlExpression = { kind: 'subquery', statement: inside };
  const [item, ...more] = inside.kind === 'set' ? [] : inside.items;
  if (inside.kind === 'set' || item === undefined || more.length > 0 || inside.groupBy?.length !== 0 || inside.having !== null)
    return plain;
  const checks: Failure[] = [];
  const value = rewrite(item.value, (node) => {
    const func = asFunc(node);
    if (func === undefined || !isAggregate(func.name)) return isStatement(node) ? node : undefined;
    const parts = separated(func);
    checks.push(...parts.checks);
    return parts.value;
  });
  if (checks.length === 0) return plain;
  const row: SqlExpression = {
    kind: 'subquery',
    statement: { ...inside, items: [{ ...item, value: tuple(value, ...checks.map(({ condition }) => condition)) }] },
  };
  return withChecks(
    checks.map(({ message }, i) => ({ condition: element(row, i + 2), message })),
    element(row, 1),
  );
}

/** Replaces values that a check rejects by NULL, and adds the check to `checks`, together with the conditions on the `path` that leads to it. */
function withoutChecks(path: readonly SqlExpression[], checks: Failure[]): Change {
  const change: Change = (node) => {
    // An aggregate cannot count elements of arrays or rows of other queries.
    if (isStatement(node) || ('kind' in node && node.kind === 'lambda')) return node;
    const check = asCheck(node);
    if (check !== undefined && check.value !== null) {
      const condition = orFalse(rewrite(check.condition, change));
      checks.push({ condition: and(...path, condition), message: check.message });
      return iff(condition, NULL, rewrite(check.value, change));
    }
    const func = asFunc(node);
    if (func === undefined) return undefined;
    if (choosesRows(func)) return choice(func, path, checks);
    const bare: Func = { ...func, args: func.args.map((arg) => rewrite(arg, change)) };
    const failure = failing(bare);
    if (failure === undefined) return bare;
    checks.push({ condition: and(...path, ...failure.conditions), message: failure.message });
    return failure.value;
  };
  return change;
}

interface FailingCall {
  /** The variant of the function that returns NULL instead. */
  readonly value: Func;
  readonly conditions: readonly SqlExpression[];
  readonly message: string;
}

/** Returns the check of a ClickHouse function that fails by itself. */
function failing(func: Func): FailingCall | undefined {
  const value: Func = { ...func, name: `${func.name}OrNull` };
  const [left = NULL, right = NULL] = func.args;
  if (func.name === 'intDiv' || func.name === 'modulo')
    return { value, conditions: [orFalse(and(infix('=', right, lit(0)), isNotNull(left)))], message: 'division by zero' };
  if (func.name !== 'accurateCast') return undefined;
  return { value, conditions: [isNull(value), isNotNull(left)], message: 'CAST: the value is out of range' };
}

function choice(func: Func, path: readonly SqlExpression[], checks: Failure[]): Func {
  const passed: SqlExpression[] = [];
  const args = func.args.map((arg, i) => {
    const isThen = i % 2 === 1 && i < func.args.length - 1;
    const reached = isThen ? [...passed.slice(0, -1).map(not), ...passed.slice(-1)] : passed.map(not);
    const inner = rewrite(arg, withoutChecks([...path, ...reached], checks));
    if (i % 2 === 0) passed.push(orFalse(inner));
    return inner;
  });
  return { ...func, args };
}

const orFalse = (condition: SqlExpression): SqlExpression => call('ifNull', condition, lit(false));
