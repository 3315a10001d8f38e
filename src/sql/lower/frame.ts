// Window frames as ClickHouse writes them.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/window-function-calls#def_window_frame
import { fail } from '../base/fail.ts';
import type { Expr, Frame, FrameBound, WindowCall } from '../logical/nodes.ts';

/** ClickHouse takes frame offsets of 31 bits. */
export const MAX_OFFSET = 2n ** 31n - 1n;

/** Returns the offset of a bound as decimal digits: `3`, `0.25`. */
export function offsetText({ offset }: FrameBound, window: WindowCall): string {
  const { span } = offset ?? window;
  const constant: Expr | null = offset?.kind === 'cast' ? offset.operand : offset;
  const value = constant?.kind === 'literal' ? constant.value : undefined;
  const text = typeof value === 'number' ? decimalDigits(value) : String(value ?? '').trim();
  if (!/^-?\d*\.?\d+$/.test(text))
    return fail('unsupported', span, 'the offset of a window frame must be a constant number', 'write the number itself');
  if (text.startsWith('-') && Number(text) !== 0) return fail('type', span, 'the offset of a window frame can’t be negative');
  return text.replace(/^-/, '');
}

/** Returns all digits of the number, without an exponent. */
function decimalDigits(value: number): string {
  const [, whole = '', fraction = '', exponent = '0'] = /^(-?\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? [];
  const shift = Number(exponent);
  if (shift === 0) return String(value);
  const digits = `${whole}${fraction}`;
  return shift < 0 ? `0.${'0'.repeat(-shift - whole.length)}${digits}` : digits.padEnd(whole.length + shift, '0');
}

/** Returns the offset as a whole number, or undefined. */
export function wholeOffset(bound: FrameBound, window: WindowCall): bigint | undefined {
  const text = offsetText(bound, window);
  return /^\d+(\.0*)?$/.test(text) ? BigInt(text.split('.')[0] ?? '') : undefined;
}

export const hasOffset = (frame: Frame): boolean => frame.start.offset !== null || frame.end.offset !== null;

/** True if every row is in its own frame. */
export function holdsOwnRow({ start, end }: Frame, window: WindowCall): boolean {
  const ownSide = (bound: FrameBound, otherSide: FrameBound['kind']): boolean =>
    bound.kind !== otherSide || Number(offsetText(bound, window)) === 0;
  return ownSide(start, 'following') && ownSide(end, 'preceding');
}

/** True if the frame has no rows: `2 FOLLOWING AND 1 FOLLOWING` is legal in BigQuery. */
export function isEmpty({ unit, start, end }: Frame, window: WindowCall): boolean {
  // No partition has more rows than MAX_OFFSET.
  const beyond = (bound: FrameBound): boolean => unit === 'ROWS' && (wholeOffset(bound, window) ?? 0n) > MAX_OFFSET;
  if (start.kind === 'following' && beyond(start)) return true;
  if (end.kind === 'preceding' && beyond(end)) return true;
  if (start.kind === 'following' && end.kind === 'following') return less(end, start, window);
  if (start.kind === 'preceding' && end.kind === 'preceding') return less(start, end, window);
  return false;
}

function less(a: FrameBound, b: FrameBound, window: WindowCall): boolean {
  const [x, y] = [wholeOffset(a, window), wholeOffset(b, window)];
  return x !== undefined && y !== undefined ? x < y : Number(offsetText(a, window)) < Number(offsetText(b, window));
}

/** Returns the text of the frame, with its offsets divided by `scale`. */
export function frameText({ unit, start, end }: Frame, window: WindowCall, scale = 1n): string {
  const text = (bound: FrameBound): string => {
    switch (bound.kind) {
      case 'unbounded_preceding':
        return 'UNBOUNDED PRECEDING';
      case 'unbounded_following':
        return 'UNBOUNDED FOLLOWING';
      case 'current_row':
        return 'CURRENT ROW';
      default: {
        const direction = bound.kind === 'preceding' ? 'PRECEDING' : 'FOLLOWING';
        const offset = (wholeOffset(bound, window) ?? 0n) / scale;
        return offset > MAX_OFFSET ? `UNBOUNDED ${direction}` : `${offset} ${direction}`;
      }
    }
  };
  return `${unit} BETWEEN ${text(start)} AND ${text(end)}`;
}

/**
 * Returns the frame of a row whose key is NULL, NaN or infinite if the bounds are offsets: the peers of the row, whatever the offsets, and
 * all rows on a side without a bound.
 */
export function peersText({ start, end }: Frame): string {
  const from = start.kind === 'unbounded_preceding' ? 'UNBOUNDED PRECEDING' : 'CURRENT ROW';
  const to = end.kind === 'unbounded_following' ? 'UNBOUNDED FOLLOWING' : 'CURRENT ROW';
  return `RANGE BETWEEN ${from} AND ${to}`;
}
