// A key such as toDateTime(Timestamp) or a partition by toDate(Timestamp) does not see through the cast with which a time is shown that the table
// does not hold in microseconds. So comparisons with values that are the same for all rows are made with the stored time.
// Measured on 1M rows ordered by toDateTime(t): 34 of 123 granules are read instead of all. Over a week of 2M requests in nanoseconds, a tenth of
// the time went into comparing both.
import { ref, splitConjunction } from '../../logical/build.ts';
import type { Expr, FunctionCall, Rel } from '../../logical/resolved.ts';
import { rewriteExpr } from '../../logical/rewrite.ts';
import { INTERVAL, STRING, TIMESTAMP } from '../../types.ts';
import { call, conjunction } from '../build.ts';
import { isConstantIn, shows } from '../column-origin.ts';
import type { Rule } from '../rule.ts';
import { type StoredTime, storedTimes } from '../stored-times.ts';

export const filterStoredTime: Rule = {
  name: 'filter-stored-time',
  changes(plan, context) {
    const times = storedTimes(plan, context);
    if (times.size === 0) return undefined;
    return {
      relations: {
        filter(rel) {
          const of = inFilter(rel.input, times);
          const condition = rewriteExpr(rel.condition, (expr) => (expr.kind === 'call' ? (ofStored(expr, of) ?? expr) : expr));
          const coarse = splitConjunction(rel.condition).flatMap((c) => ofSeconds(c, of) ?? []);
          return condition === rel.condition && coarse.length === 0 ? rel : { ...rel, condition: conjunction([condition, ...coarse]) };
        },
      },
    };
  },
};

interface InFilter {
  readonly time: (expr: Expr | null | undefined) => StoredTime | undefined;
  readonly constant: (expr: Expr) => boolean;
}

const inFilter = (input: Rel, times: ReadonlyMap<number, StoredTime>): InFilter => ({
  time(expr) {
    const time = expr?.kind === 'column' ? times.get(expr.column.id) : undefined;
    return time !== undefined && shows(input, time.shown.id) ? time : undefined;
  },
  constant: (expr) => isConstantIn(expr, input),
});

/** A comparison, and the same one with its sides changed. */
const TURNED: Readonly<Record<string, string>> = {
  $equal: '$equal',
  $not_equal: '$not_equal',
  $less: '$greater',
  $less_or_equal: '$greater_or_equal',
  $greater: '$less',
  $greater_or_equal: '$less_or_equal',
};

/** A time compared with one value, or with the two of BETWEEN. */
interface Comparison {
  readonly time: StoredTime;
  /** With the time on the left. */
  readonly name: string;
  readonly value: Expr;
  readonly to?: Expr;
}

function comparisonOf({ fn, args }: FunctionCall, of: InFilter): Comparison | undefined {
  const [left, right, third] = args;
  if (left == null || right == null) return undefined;
  const turned = of.time(left) === undefined;
  const time = of.time(turned ? right : left);
  const value = turned ? left : right;
  if (time === undefined || !of.constant(value)) return undefined;
  if (fn.name === '$between') return turned || third == null || !of.constant(third) ? undefined : { time, name: fn.name, value, to: third };
  const name = turned ? TURNED[fn.name] : fn.name;
  return name === undefined || TURNED[name] === undefined ? undefined : { time, name, value };
}

/** The comparison made with the stored time: NULL, true and false for the same rows. */
function ofStored(expr: FunctionCall, of: InFilter): Expr | undefined {
  const compared = comparisonOf(expr, of);
  if (compared === undefined) return undefined;
  const { time, name, value, to } = compared;
  const stored = (): Expr => ref(time.stored(), expr);
  if (time.digits <= 6) return { ...expr, args: expr.args.map((a) => (of.time(a) === time ? stored() : a)) };
  const [before, until] = [boundOf(value, false, time), boundOf(to ?? value, true, time)];
  const after = boundOf(value, true, time);
  if (before === undefined || after === undefined || until === undefined) return undefined;
  const below = (b: Bound): Expr => call('first' in b ? '$less' : '$less_or_equal', [stored(), 'first' in b ? b.first : b.last], expr);
  const above = (b: Bound): Expr =>
    call('first' in b ? '$greater_or_equal' : '$greater', [stored(), 'first' in b ? b.first : b.last], expr);
  switch (name) {
    case '$less':
      return below(before);
    case '$less_or_equal':
      return below(until);
    case '$greater':
      return above(after);
    case '$greater_or_equal':
      return above(before);
    case '$equal':
    case '$between':
      return call('$and', [above(before), below(until)], expr);
    default:
      return undefined;
  }
}

/** Where the stored times that are shown as earlier ones end: the first beyond them, or their last. */
type Bound = { readonly first: Expr } | { readonly last: Expr };

/** Microseconds of the last time that DateTime64(9) holds: comparing it with a later one fails. */
const LAST_NANOSECONDS = 9_223_372_036_854_775n;

/** Of the times that are shown as one before `value`, or with `inclusive` as `value` too; undefined where it can't be said. */
function boundOf(value: Expr, inclusive: boolean, { digits }: StoredTime): Bound | undefined {
  if (value.kind === 'literal' && typeof value.value === 'bigint') {
    const micros = value.value + (inclusive ? 1n : 0n);
    // After 1970, cutting rounds down.
    if (micros > 0n && micros <= LAST_NANOSECONDS) return { first: { ...value, value: micros } };
  }
  return digits === 9 ? { last: timeOf(inclusive ? '$last_cut_to' : '$last_cut_before', value) } : undefined;
}

/** A condition on the column of seconds that holds wherever `condition` does: cut times lie less than a microsecond beside the stored ones. */
function ofSeconds(condition: Expr, of: InFilter): Expr | undefined {
  if (condition.kind !== 'call') return undefined;
  if (condition.fn.name === '$or') {
    const [left, right] = condition.args;
    if (left == null || right == null) return undefined;
    const sides = [left, right].map((side) => (of.constant(side) ? side : ofSeconds(side, of)));
    const [one, other] = sides;
    if (one === undefined || other === undefined || (one === left && other === right)) return undefined;
    return call('$or', [one, other], condition);
  }
  const { time, name, value, to } = comparisonOf(condition, of) ?? {};
  if (time?.seconds === undefined || time.digits <= 6 || value === undefined || name === '$not_equal') return undefined;
  const seconds = ref(time.seconds(), condition);
  const until = call('$less_or_equal', [seconds, shifted(to ?? value, 'TIMESTAMP_ADD')], condition);
  const second: Expr = { kind: 'date_part', part: 'SECOND', type: STRING, span: value.span };
  const start = timeOf('TIMESTAMP_TRUNC', shifted(value, 'TIMESTAMP_SUB'), second, null);
  const since = call('$greater_or_equal', [seconds, start], condition);
  if (name === '$less' || name === '$less_or_equal') return until;
  if (name === '$greater' || name === '$greater_or_equal') return since;
  return call('$and', [since, until], condition);
}

function shifted(bound: Expr, by: 'TIMESTAMP_ADD' | 'TIMESTAMP_SUB'): Expr {
  const microsecond: Expr = { kind: 'literal', value: { months: 0n, days: 0n, micros: 1n }, type: INTERVAL, span: bound.span };
  return timeOf(by, bound, microsecond);
}

const timeOf = (name: string, value: Expr, ...more: readonly (Expr | null)[]): FunctionCall =>
  call(name, [value, ...more], value, TIMESTAMP);
