// A day written as text, FORMAT_DATE('%Y%m%d', DATE(t)), stands for the suffix of a wildcard table where one table holds all days. Compared as a day, it lets
// the table's key and partitions be used, which do not see through the text.
import { parseDate } from '../../base/civil.ts';
import { DATE } from '../../base/types.ts';
import type { Expr, FunctionCall } from '../../logical/nodes.ts';
import { call } from '../build.ts';
import type { ScannedColumn } from '../scanned-columns.ts';
import type { Comparison, StoredForm } from './form.ts';

/** True of columns of dates and times that ClickHouse stores as such: their years have four digits, so that texts are in the order of days. */
export const isDay = ({ from: { read }, part }: ScannedColumn): boolean =>
  part.kind === 'whole' &&
  read.layout === 'column' &&
  read.says === undefined &&
  /^(?:Nullable\(|LowCardinality\()*Date/.test(read.clickhouseType);

/** Returns the form of a text that is the day of one of the columns that `isHeld` takes. */
export function dayForm(text: Expr, isHeld: (id: number) => boolean): StoredForm | undefined {
  const day = dayWritten(text);
  const inside = day?.kind === 'call' && day.fn.name === 'DATE' && day.args.slice(1).every((arg) => arg == null) ? day.args[0] : day;
  if (day === undefined || inside?.kind !== 'column' || !isHeld(inside.column.id)) return undefined;
  return { compared: (comparison, at) => compared(day, comparison, at), listed: (items, at) => listed(day, items, at) };
}

const DAY_MICROS = 86_400_000_000n;

/** Returns the form of a day that is compared as the midnight it begins with, as `day < DATE '2026-01-01' + INTERVAL 1 MONTH` does: with a midnight it is compared as a day. */
export function midnightForm(value: Expr): StoredForm | undefined {
  if (value.kind !== 'cast' || value.type.kind !== 'DATETIME' || value.operand.type.kind !== 'DATE' || value.safe) return undefined;
  const { operand } = value;
  return {
    compared({ name, value: from, to }, at) {
      const ends = to === undefined ? [from] : [from, to];
      return ends.every(isMidnight) ? call(name, [operand, ...ends.map((end) => call('DATE', [end, null], at, DATE))], at) : undefined;
    },
  };
}

function isMidnight(value: Expr): boolean {
  if (value.kind === 'literal') return typeof value.value === 'bigint' && value.value % DAY_MICROS === 0n;
  if (value.kind === 'cast') return value.operand.type.kind === 'DATE';
  if (value.kind !== 'call' || (value.fn.name !== '$add' && value.fn.name !== '$subtract')) return false;
  const [left, right] = value.args;
  const interval = right?.kind === 'literal' && typeof right.value === 'object' ? right.value : null;
  return left != null && interval?.micros === 0n && (left.type.kind === 'DATE' || isMidnight(left));
}

function compared(day: Expr, { name, value, to }: Comparison, at: FunctionCall): Expr | undefined {
  const days = [value, ...(to === undefined ? [] : [to])].map(dayOf);
  if (!days.every((one) => one !== undefined)) return undefined;
  const asDay = call(name, [day, ...days.map((one) => one.day)], at);
  // A text of a day before the year 1000 is shorter, and comes where its letters say.
  const open = days.filter((one) => !one.late);
  if (open.length === 0) return asDay;
  const late = open.map(({ day: one }) =>
    call('$greater_or_equal', [one, { kind: 'literal', value: YEAR_1000, type: DATE, span: at.span }], at),
  );
  const all = late.reduce((left, right) => call('$and', [left, right], at));
  return call('$or', [call('$and', [asDay, all], at), call('$and', [at, call('$not', [all], at)], at)], at);
}

/** Tests for a list of which each item is known to be a day. */
function listed(day: Expr, items: readonly (Expr | null)[], at: FunctionCall): Expr | undefined {
  const days = items.map((item) => (item === null ? undefined : dayOf(item)));
  return days.every((one) => one?.late === true) ? call('$in_list', [day, ...days.flatMap((one) => one?.day ?? [])], at) : undefined;
}

const YEAR_1000 = BigInt(parseDate('1000-01-01') ?? 0);

/** Returns `d` of FORMAT_DATE('%Y%m%d', d). */
function dayWritten(expr: Expr): Expr | undefined {
  if (expr.kind !== 'call' || expr.fn.name !== 'FORMAT_DATE') return undefined;
  const [format, day] = expr.args;
  return format?.kind === 'literal' && format.value === '%Y%m%d' && day?.type.kind === 'DATE' ? day : undefined;
}

/** Returns the day of a constant text, and whether it is known to be one of the year 1000 or later. */
function dayOf(value: Expr): { readonly day: Expr; readonly late: boolean } | undefined {
  const written = dayWritten(value);
  if (written !== undefined) return { day: written, late: false };
  if (value.kind !== 'literal' || typeof value.value !== 'string') return undefined;
  const [, year, month, day] = /^([1-9]\d{3})(\d\d)(\d\d)$/.exec(value.value) ?? [];
  const days = parseDate(`${year}-${month}-${day}`);
  return days === undefined ? undefined : { day: { kind: 'literal', value: BigInt(days), type: DATE, span: value.span }, late: true };
}
