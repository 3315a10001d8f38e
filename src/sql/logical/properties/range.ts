// The bounds of numbers, or of the elements of an array of them, as far as literals, the widths of columns and the functions' own facts say them.
import { PART_MICROS } from '../../base/civil.ts';
import { COUNT, type Range, rangeOfType, unionRange } from '../../base/number-range.ts';
import type { Type } from '../../base/types.ts';
import { layoutOf } from '../../layouts/index.ts';
import type { Source } from '../../source.ts';
import type { ScanColumn } from '../nodes.ts';
import { isNearNow } from './near-now.ts';
import type { Property } from './property.ts';

export const RANGE: Property<Range> = {
  differs: isNumber,
  all: rangeOfType,
  // A value outside of the type's range fails, so there are none.
  both: (found, all) => (found[0] > all[0] || found[1] < all[1] ? [Math.max(found[0], all[0]), Math.min(found[1], all[1])] : all),
  any: unionRange,
  scan: (scanned, { source }) => stored(scanned, source),
  call(call, of) {
    const { range } = call.fn;
    if ('kind' in call && call.kind === 'call' && isNearNow(call)) return NEAR_NOW;
    return typeof range === 'function'
      ? range(...call.args.map((arg) => (arg?.kind === 'date_part' ? ofPart(arg.part) : arg && of(arg)) ?? undefined))
      : range;
  },
  values: {
    instant: () => NEAR_NOW,
    // No time is none before 1970 either.
    literal: ({ value, type }) => (value === null && type.kind === 'TIMESTAMP' ? NEAR_NOW : ofLiteral(value)),
    cast({ operand, timeZone }, of) {
      if (operand.type.kind === 'BOOL') return [0, 1];
      const range = timeZone === null ? of(operand) : undefined;
      // Rounded, at most to the next whole number.
      return range && [Math.floor(range[0]), Math.ceil(range[1])];
    },
    array: ({ elements }, of) => unionRange(elements.map(of)),
  },
  ofElements: true,
  offset: COUNT,
  grouping: [0, 1],
};

/** True of numbers, and of times, by their microseconds since 1970. */
function isNumber(type: Type): boolean {
  if (type.kind === 'ARRAY') return isNumber(type.element);
  return ['FLOAT64', 'TIMESTAMP', 'DATETIME'].includes(type.kind) || rangeOfType(type) !== undefined;
}

/** Events have been recorded since 1973. */
const RECORDED: Range = [1e14, 2.6e17];
/** After 1970, and before 2262. */
const NEAR_NOW: Range = [1, 9.2e15];
/** Seconds that 32 bits hold, in microseconds. */
const OF_SECONDS: Range = [0, 4.3e15];

function stored({ part, from, column }: ScanColumn, { columns }: Source): Range | undefined {
  const layout = layoutOf(from.read);
  if (column.type.kind === 'TIMESTAMP') {
    if (from.read.layout === 'column' && /\bDateTime\b(?!64)/.test(from.read.clickhouseType)) return OF_SECONDS;
    return from.name === 'timestamp' && columns.some(({ read }) => layoutOf(read).records) ? RECORDED : undefined;
  }
  return part.kind === 'whole' && !layout.records ? layout.range?.(from.read) : undefined;
}

/** Returns the microseconds that a part of a date has at least. */
const ofPart = (part: string): Range | undefined => ofLiteral(PART_MICROS[part] ?? PART_MICROS['DAY']);

function ofLiteral(value: unknown): Range | undefined {
  if (value === null) return [0, 0];
  const number = typeof value === 'bigint' || typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? [number, number] : undefined;
}
