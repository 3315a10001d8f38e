// Window frames in ClickHouse's words, and the order key a RANGE frame with offsets needs.
import { fail } from '../analyze/fail.ts';
import type { Ch, OrderBy } from '../clickhouse/ast.ts';
import { call, infix, isNull, lit, raw } from '../clickhouse/build.ts';
import type { Frame, FrameBound, OrderItem, WindowCall } from '../resolved.ts';

/** ClickHouse takes frame offsets of 31 bits. */
const MAX_OFFSET = 2n ** 31n - 1n;

/** The frame's text; null: the frame holds no row whatever the data. */
export function frameText({ unit, start, end }: Frame, window: WindowCall): string | null {
  if (isEmpty(start, end, window)) return null;
  return `${unit} BETWEEN ${boundText(unit, start, window)} AND ${boundText(unit, end, window)}`;
}

function offsetOf({ offset }: FrameBound, window: WindowCall): bigint {
  const value = offset?.kind === 'literal' ? offset.value : undefined;
  const count =
    typeof value === 'number' && Number.isInteger(value)
      ? BigInt(value)
      : typeof value === 'string' && /^\d+$/.test(value)
        ? BigInt(value)
        : value;
  if (typeof count !== 'bigint')
    return fail('unsupported', offset?.span ?? window.span, 'a window frame takes a constant whole number', 'write the number itself');
  if (count < 0n) return fail('type', offset?.span ?? window.span, 'a window frame’s offset can’t be negative');
  return count;
}

/** `2 FOLLOWING AND 1 FOLLOWING` is legal in BigQuery and holds nothing. */
function isEmpty(start: FrameBound, end: FrameBound, window: WindowCall): boolean {
  if (start.kind === 'following' && end.kind === 'following') return offsetOf(start, window) > offsetOf(end, window);
  if (start.kind === 'preceding' && end.kind === 'preceding') return offsetOf(start, window) < offsetOf(end, window);
  return false;
}

function boundText(unit: Frame['unit'], bound: FrameBound, window: WindowCall): string {
  switch (bound.kind) {
    case 'unbounded_preceding':
      return 'UNBOUNDED PRECEDING';
    case 'unbounded_following':
      return 'UNBOUNDED FOLLOWING';
    case 'current_row':
      return 'CURRENT ROW';
    default: {
      const offset = offsetOf(bound, window);
      const direction = bound.kind === 'preceding' ? 'PRECEDING' : 'FOLLOWING';
      if (offset <= MAX_OFFSET) return `${offset} ${direction}`;
      // No partition has that many rows, so counting rows that far is counting all of them.
      const farEdge = bound === window.frame?.start ? bound.kind === 'preceding' : bound.kind === 'following';
      if (unit === 'ROWS' && farEdge) return `UNBOUNDED ${direction}`;
      return fail(
        'unsupported',
        bound.offset?.span ?? window.span,
        `a window frame of ${offset} is beyond ClickHouse’s limit of ${MAX_OFFSET}`,
      );
    }
  }
}

export function hasOffset(frame: Frame): boolean {
  return frame.start.offset !== null || frame.end.offset !== null;
}

/**
 * The key of `RANGE BETWEEN n PRECEDING …`. ClickHouse adds the offset to NULL, NaN and infinities too; in BigQuery each of them is in range
 * of its like only. They become numbers too far from all others, and from each other, for any offset to reach.
 */
export function rangeKey(item: OrderItem, value: Ch): OrderBy {
  const { type, span } = item.value;
  const lowest = item.nullsFirst !== item.descending;
  if (type.kind === 'INT64') {
    const key = call(
      'multiIf',
      isNull(value),
      raw(lowest ? '-9000000000000000000' : '9000000000000000000'),
      outside(value, '8900000000000000000'),
      lit(0),
      value,
    );
    return { value: call('assumeNotNull', key), descending: item.descending, nullsFirst: null };
  }
  if (type.kind === 'FLOAT64') {
    const infinite = (sign: string): Ch => infix('=', value, raw(`${sign}inf`));
    const key = call(
      'multiIf',
      isNull(value),
      raw(lowest ? '-1.7e308' : '1.7e308'),
      call('isNaN', value),
      raw('-1.6e308'),
      infinite('-'),
      raw('-1.5e308'),
      infinite(''),
      raw('1.5e308'),
      outside(value, '1.4e308'),
      raw('0.0'),
      value,
    );
    return { value: call('assumeNotNull', key), descending: item.descending, nullsFirst: null };
  }
  return fail(
    'unsupported',
    span,
    `RANGE with an offset over ${type.kind} is not supported`,
    'order by an INT64, e.g. UNIX_SECONDS(timestamp)',
  );
}

/** Never true: fails the query where |value| is beyond `limit`. */
const outside = (value: Ch, limit: string): Ch =>
  infix(
    '=',
    call('throwIf', infix('>', call('abs', value), raw(limit)), lit('a RANGE frame over numbers this large is not supported')),
    lit(1),
  );
