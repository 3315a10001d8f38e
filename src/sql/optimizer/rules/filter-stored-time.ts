// A key such as toDateTime(Timestamp) or a partition by toDate(Timestamp) does not see through the cast with which a time is shown that the table
// does not hold in microseconds. So comparisons with values that are the same for all rows are made with the stored time.
// Measured on 1M rows ordered by toDateTime(t): 34 of 123 granules are read instead of all. Over a week of 2M requests in nanoseconds, a tenth of
// the time went into comparing both.
import { FIRST_MICROSECOND, LAST_MICROSECOND } from '../../civil.ts';
import { ref, splitConjunction } from '../../logical/build.ts';
import type { Expr, FunctionCall, Rel } from '../../logical/nodes.ts';
import { rewriteExpr } from '../../logical/walk.ts';
import { INTERVAL, STRING, TIMESTAMP } from '../../types.ts';
import { call, conjunction } from '../build.ts';
import { isConstantIn, shows } from '../column-origin.ts';
import { comparisonOf, type Wanted } from '../comparison.ts';
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

type InFilter = Wanted<StoredTime>;

const inFilter = (input: Rel, times: ReadonlyMap<number, StoredTime>): InFilter => ({
  find(expr) {
    const time = expr?.kind === 'column' ? times.get(expr.column.id) : undefined;
    return time !== undefined && shows(input, time.shown.id) ? time : undefined;
  },
  constant: (expr) => isConstantIn(expr, input),
});

/** The comparison made with the stored time: NULL, true and false for the same rows. */
function ofStored(expr: FunctionCall, of: InFilter): Expr | undefined {
  const compared = comparisonOf(expr, of);
  if (compared === undefined) return undefined;
  const { found: time, name, value, to } = compared;
  const stored = (): Expr => ref(time.stored(), expr);
  if (time.digits <= 6) return { ...expr, args: expr.args.map((a) => (of.find(a) === time ? stored() : a)) };
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
  const { found: time, name, value, to } = comparisonOf(condition, of) ?? {};
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
  // Nothing lies beyond the ends.
  const end = by === 'TIMESTAMP_ADD' ? LAST_MICROSECOND : FIRST_MICROSECOND;
  if (bound.kind === 'literal' && bound.value === end) return bound;
  const microsecond: Expr = { kind: 'literal', value: { months: 0n, days: 0n, micros: 1n }, type: INTERVAL, span: bound.span };
  return timeOf(by, bound, microsecond);
}

const timeOf = (name: string, value: Expr, ...more: readonly (Expr | null)[]): FunctionCall =>
  call(name, [value, ...more], value, TIMESTAMP);
