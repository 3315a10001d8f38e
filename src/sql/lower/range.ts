// RANGE frames with offsets. ClickHouse has them for integers and floats with offsets of 31 bits. NULL, NaN and infinities take part in its
// arithmetic, where BigQuery makes each a group of its own. https://clickhouse.com/docs/sql-reference/window-functions
import { fail } from '../base/fail.ts';
import type { LowerAggregateCall } from '../logical/function.ts';
import type { FrameBound, OrderItem, WindowCall } from '../logical/nodes.ts';
import type { OrderBy, SqlExpression } from '../target/ast.ts';
import { call, cast, failIf, ident, iff, infix, isNull, lambda, lit, raw, tuple } from '../target/build.ts';
import { MAX_OFFSET, offsetText, wholeOffset } from './frame.ts';
import type { Lowering } from './lowering.ts';
import { reduceArray } from './reduce-array.ts';

/** An order key for which ClickHouse's own RANGE frames equal BigQuery's, if the frames include the row itself. */
interface NativeKey {
  readonly order: OrderBy;
  /** The number that offsets must be divided by. */
  readonly scale: bigint;
  /** True where the key is NULL, NaN or infinite. */
  readonly special: SqlExpression;
}

/** Floats are exact up to this number. */
const EXACT = 2n ** 53n;

/** Returns undefined if ClickHouse can't do the frame by itself. */
export function nativeKey(item: OrderItem, value: SqlExpression, call_: WindowCall, l: Lowering): NativeKey | undefined {
  const { frame } = call_;
  const bounds = frame === null ? [] : [frame.start, frame.end].filter((b) => b.offset !== null);
  const offsets = bounds.map((b) => wholeOffset(b, call_));
  const far = item.nullsFirst === item.descending ? '' : '-';
  const order = (key: SqlExpression): OrderBy => ({ value: key, descending: item.descending, nullsFirst: null });
  const whole = offsets.filter((o) => o !== undefined);
  if (whole.length < offsets.length) return undefined;
  const fits = whole.every((o) => o <= MAX_OFFSET);
  if (item.value.type.kind === 'INT64') {
    // NULL becomes a number that no offset reaches from any other. An expression of a LowCardinality column is LowCardinality too, until it
    // is CAST.
    if (fits)
      return {
        order: order(call('ifNull', cast(value, 'Nullable(Int128)'), call('toInt128', lit(`${far}${10n ** 30n}`)))),
        scale: 1n,
        special: isNull(value),
      };
    const scale = powerOfTwo(whole);
    if (scale === undefined) return undefined;
    const tooLarge = infix('>', call('abs', value), lit(EXACT));
    const checked = failIf(tooLarge, 'a RANGE frame over such large numbers is not supported', value);
    const scaled = infix('/', call('toFloat64', checked), lit(scale));
    return { order: order(call('ifNull', scaled, raw(`${far}1e300`))), scale, special: isNull(value) };
  }
  if (item.value.type.kind !== 'FLOAT64' || !fits) return undefined;
  if (l.isFinite(item.value))
    return {
      order: order(call('ifNull', cast(value, 'Nullable(Float64)'), raw(`${far}1.7976931348623157e308`))),
      scale: 1n,
      special: isNull(value),
    };
  return undefined;
}

/** Returns the least power of two that brings the offsets within bounds and keeps them whole. Dividing floats by it is exact. */
function powerOfTwo(offsets: readonly bigint[]): bigint | undefined {
  let scale = 1n;
  while (offsets.some((o) => o / scale > MAX_OFFSET)) {
    scale *= 2n;
    if (offsets.some((o) => o % scale !== 0n)) return undefined;
  }
  return scale;
}

/**
 * Writes the frame as an array, for keys and offsets that ClickHouse has no frames for: each row collects its partition and keeps the rows
 * within its bounds. It costs the square of the size of a partition.
 */
export function collectedFrame(
  call_: WindowCall,
  { item, value }: { readonly item: OrderItem; readonly value: SqlExpression },
  over: { readonly partitionBy: readonly SqlExpression[]; readonly orderBy: readonly OrderBy[] },
  l: Lowering,
): LowerAggregateCall['aggregate'] {
  const { frame } = call_;
  if (frame === null) throw new RangeError('a RANGE frame');
  const key = comparable(item, value, l);
  const partition: SqlExpression & { kind: 'func' } = {
    kind: 'func',
    name: 'groupArray',
    params: [],
    args: [],
    distinct: false,
    over: { ...over, frame: 'ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING' },
  };
  const bound = ({ kind, ...b }: FrameBound): SqlExpression => {
    if (b.offset === null) return tuple(key.kind, key.number);
    const up = (kind === 'following') !== item.descending;
    const offset = iff(infix('=', key.kind, lit(NUMBER)), key.offset(offsetText({ kind, ...b }, call_)), key.offset('0'));
    return tuple(key.kind, infix(up ? '+' : '-', key.number, offset));
  };
  const row = l.fresh('row');
  const place = tuple(call('tupleElement', ident(row), lit(1)), call('tupleElement', ident(row), lit(2)));
  const sides: SqlExpression[] = [];
  if (frame.start.kind !== 'unbounded_preceding') sides.push(infix(item.descending ? '<=' : '>=', place, bound(frame.start)));
  if (frame.end.kind !== 'unbounded_following') sides.push(infix(item.descending ? '>=' : '<=', place, bound(frame.end)));
  const within = sides.reduce((a, b) => infix('AND', a, b));
  return (name, args, options = {}) => {
    const { where } = options;
    const carried = where === undefined ? args : [...args, where];
    const rows = call('arrayFilter', lambda([row], within), { ...partition, args: [tuple(key.kind, key.number, ...carried)] });
    const at = (i: number): SqlExpression => call('tupleElement', ident(row), lit(i + 3));
    const own = args.map((_, i) => at(i));
    if (name === 'nth_value') return call('arrayElementOrNull', call('arrayMap', lambda([row], at(0)), rows), args[1] ?? lit(1));
    return reduceArray(
      rows,
      row,
      call_.distinct,
      l.fresh,
    )(name, own, where === undefined ? options : { ...options, where: at(args.length) });
  };
}

/** The place of a key among all keys: its kind, then the number (0 for keys without one). */
interface ComparableKey {
  readonly kind: SqlExpression;
  readonly number: SqlExpression;
  offset(text: string): SqlExpression;
}

/** Kinds in ascending order: NULL (0, or 5 where it is last), NaN, -inf, numbers, inf. */
const NUMBER = 3;

function comparable(item: OrderItem, value: SqlExpression, l: Lowering): ComparableKey {
  const { type, span } = item.value;
  const nullKind = lit(item.nullsFirst === item.descending ? 5 : 0);
  const plain = iff(isNull(value), nullKind, lit(NUMBER));
  switch (type.kind) {
    case 'INT64':
      return { kind: plain, number: call('toInt128', call('ifNull', value, lit(0))), offset: (text) => call('toInt128', lit(text)) };
    case 'NUMERIC':
    case 'BIGNUMERIC': {
      const scale = lit(type.kind === 'NUMERIC' ? 9 : 38);
      const zero = call('toDecimal256', lit('0'), scale);
      return {
        kind: plain,
        number: call('ifNull', call('toDecimal256', value, scale), zero),
        offset: (text) => call('toDecimal256', lit(text), scale),
      };
    }
    case 'FLOAT64': {
      const float = (text: string): SqlExpression => raw(/[.e]/.test(text) ? text : `${text}.0`);
      if (l.isFinite(item.value)) return { kind: plain, number: call('ifNull', value, raw('0.0')), offset: float };
      const infinite = (sign: '' | '-'): SqlExpression => infix('=', value, raw(`${sign}inf`));
      const kind = call(
        'multiIf',
        isNull(value),
        nullKind,
        call('isNaN', value),
        lit(1),
        infinite('-'),
        lit(2),
        infinite(''),
        lit(4),
        lit(NUMBER),
      );
      return { kind, number: iff(call('isFinite', value), call('assumeNotNull', value), raw('0.0')), offset: float };
    }
    default:
      return fail(
        'unsupported',
        span,
        `RANGE with an offset over ${type.kind} is not supported`,
        'order by an INT64, e.g. UNIX_SECONDS(timestamp)',
      );
  }
}
