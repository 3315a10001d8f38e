// Checks inside of aggregates in branches of IF and CASE. ClickHouse computes every aggregate of a group, whichever branch is taken: there a check counts
// the rows that it is about, and fails outside of the aggregate, where the branch is.
import { isAggregate, neverNull } from '../../clickhouse/functions.ts';
import type { Check, Func, SqlExpression, Statement } from './ast.ts';
import { and, array, call, element, failIf, iff, infix, isNotNull, isNull, lit, NULL, not, tuple } from './build.ts';
import { asCheck, asFunc, choosesRows, isStatement } from './checks.ts';
import { type Change, rewrite, rewriteParts } from './rewrite.ts';

/** What a check asks, and what it says. */
type Asked = Pick<Check, 'condition' | 'message'>;

/** `statement`, in which checks of aggregates in branches fail where the branch is taken. */
export function hoistChecks(statement: Statement): Statement {
  const named = new Map(statement.kind === 'set' ? [] : statement.constants.map(({ name, value }) => [name, value]));
  const nested = (node: object): Statement | undefined => (isStatement(node) && node !== statement ? hoistChecks(node) : undefined);
  const inBranch: Change = (node) => {
    const func = asFunc(node);
    if (func !== undefined && isAggregate(func.name)) return hoisted(func);
    if ('kind' in node && node.kind === 'subquery' && 'statement' in node) return ofAllRows(node.statement as Statement);
    // What a name stands for is the same wherever it is read: an aggregate with checks is written out here.
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

const nameOf = (node: object): string | undefined =>
  'kind' in node && node.kind === 'ident' && 'parts' in node && Array.isArray(node.parts) && node.parts.length === 1
    ? String(node.parts[0])
    : undefined;

/** The aggregate without its checks, behind them; the same where it has none. */
function hoisted(aggregate: Func): SqlExpression {
  const { value, checks } = apart(aggregate);
  const kind = neverNull(value.name);
  return behind(checks, value, kind === undefined ? NULL : BESIDE[kind]);
}

/** What may stand beside a value that is never NULL, so that it stays what it is. */
const BESIDE = { array: array(), count: lit(0) };

/** `beside` is of the type of the value, or NULL. */
const behind = (checks: readonly Asked[], value: SqlExpression, beside: SqlExpression = NULL): SqlExpression =>
  checks.reduceRight((held, { condition, message }) => failIf(condition, message, held, beside), value);

/** The aggregate without its checks, and these as aggregates. */
function apart(aggregate: Func): { readonly value: Func; readonly checks: readonly Asked[] } {
  const found: Asked[] = [];
  const args = aggregate.args.map((arg) => rewrite(arg, withoutChecks([], found)));
  if (found.length === 0) return { value: aggregate, checks: [] };
  const only = aggregate.name.endsWith('If') ? args.slice(-1) : [];
  const checks = found.map(({ condition, message }): Asked => {
    const failing: Func = { ...aggregate, name: 'countIf', params: [], distinct: false, args: [and(...only, condition)] };
    return { condition: infix('>', failing, lit(0)), message };
  });
  return { value: { ...aggregate, args }, checks };
}

/** A subquery whose row is an aggregate of all rows is computed before the query around it: what its checks found comes with the value. */
function ofAllRows(statement: Statement): SqlExpression {
  const inside = hoistChecks(statement);
  const plain: SqlExpression = { kind: 'subquery', statement: inside };
  const [item, ...more] = inside.kind === 'set' ? [] : inside.items;
  if (inside.kind === 'set' || item === undefined || more.length > 0 || inside.groupBy?.length !== 0 || inside.having !== null)
    return plain;
  const checks: Asked[] = [];
  const value = rewrite(item.value, (node) => {
    const func = asFunc(node);
    if (func === undefined || !isAggregate(func.name)) return isStatement(node) ? node : undefined;
    const parts = apart(func);
    checks.push(...parts.checks);
    return parts.value;
  });
  if (checks.length === 0) return plain;
  const row: SqlExpression = {
    kind: 'subquery',
    statement: { ...inside, items: [{ ...item, value: tuple(value, ...checks.map(({ condition }) => condition)) }] },
  };
  return behind(
    checks.map(({ message }, i) => ({ condition: element(row, i + 2), message })),
    element(row, 1),
  );
}

/** Makes NULL of what a check fails for, and tells `checks` of it, with what leads to it. */
function withoutChecks(path: readonly SqlExpression[], checks: Asked[]): Change {
  const change: Change = (node) => {
    // Of elements and of other queries no row can be asked.
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
    return failing(
      func,
      func.args.map((arg) => rewrite(arg, change)),
      path,
      checks,
    );
  };
  return change;
}

/** ClickHouse's own functions that fail. */
function failing(func: Func, args: readonly SqlExpression[], path: readonly SqlExpression[], checks: Asked[]): Func | undefined {
  const [left = NULL, right = NULL] = args;
  if (func.name === 'intDiv' || func.name === 'modulo') {
    checks.push({ condition: and(...path, orFalse(and(infix('=', right, lit(0)), isNotNull(left)))), message: 'division by zero' });
    return { ...func, name: `${func.name}OrNull`, args };
  }
  if (func.name !== 'accurateCast') return { ...func, args };
  const held: Func = { ...func, name: 'accurateCastOrNull', args };
  checks.push({ condition: and(...path, isNull(held), isNotNull(left)), message: 'CAST: the value is out of range' });
  return held;
}

function choice(func: Func, path: readonly SqlExpression[], checks: Asked[]): Func {
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
