// A day written as text, FORMAT_DATE('%Y%m%d', DATE(t)), is what stands for the suffix of a wildcard table where one table holds all days. Compared as a
// day, it lets the table's key and partitions be used, which do not see through the text.
import { parseDate } from '../../civil.ts';
import type { Expr, FunctionCall, LogicalPlan, Rel } from '../../logical/nodes.ts';
import { rewriteExpr } from '../../logical/walk.ts';
import { DATE } from '../../types.ts';
import { call } from '../build.ts';
import { definitionOf, isConstantIn, shows } from '../column-origin.ts';
import { comparisonOf } from '../comparison.ts';
import type { Rule } from '../rule.ts';
import { scannedColumns } from '../scanned-columns.ts';

export const compareDays: Rule = {
  name: 'compare-days',
  changes(plan) {
    const times = heldTimes(plan);
    if (times.size === 0) return undefined;
    return {
      relations: {
        filter(rel) {
          const condition = rewriteExpr(rel.condition, (expr) => (expr.kind === 'call' ? (asDays(expr, rel.input, times) ?? expr) : expr));
          return condition === rel.condition ? rel : { ...rel, condition };
        },
      },
    };
  },
};

/** Columns of dates and times that ClickHouse holds as such: their years have four digits, so that texts are in the order of days. */
const heldTimes = (plan: LogicalPlan): ReadonlySet<number> =>
  new Set(
    scannedColumns(
      plan,
      ({ from: { read }, part }) =>
        part.kind === 'whole' &&
        read.layout === 'column' &&
        read.says === undefined &&
        /^(?:Nullable\(|LowCardinality\()*Date/.test(read.clickhouseType),
    ).keys(),
  );

function asDays(expr: FunctionCall, input: Rel, times: ReadonlySet<number>): Expr | undefined {
  const find = (side: Expr | null | undefined): Expr | undefined => {
    const made = side?.kind === 'column' ? definitionOf(side.column.id, input) : side;
    const day = made == null ? undefined : dayWritten(made);
    return day !== undefined && isHeld(day, input, times) ? day : undefined;
  };
  if (expr.fn.name === '$in_list') return inDays(expr, find(expr.args[0]));
  const compared = comparisonOf(expr, { find, constant: (value) => isConstantIn(value, input) });
  if (compared === undefined) return undefined;
  const { found: day, name, value, to } = compared;
  const days = [value, ...(to === undefined ? [] : [to])].map(dayOf);
  if (!days.every((one) => one !== undefined)) return undefined;
  const asDay = call(name, [day, ...days.map((one) => one.day)], expr);
  // A text of a day before the year 1000 is shorter, and comes where its letters say.
  const open = days.filter((one) => !one.late);
  if (open.length === 0) return asDay;
  const late = open.map(({ day: one }) =>
    call('$greater_or_equal', [one, { kind: 'literal', value: YEAR_1000, type: DATE, span: expr.span }], expr),
  );
  const all = late.reduce((left, right) => call('$and', [left, right], expr));
  return call('$or', [call('$and', [asDay, all], expr), call('$and', [expr, call('$not', [all], expr)], expr)], expr);
}

/** One of a list of which each is known to be a day. */
function inDays(expr: FunctionCall, day: Expr | undefined): Expr | undefined {
  if (day === undefined) return undefined;
  const days = expr.args.slice(1).map((item) => (item == null ? undefined : dayOf(item)));
  return days.every((one) => one?.late === true) ? call('$in_list', [day, ...days.flatMap((one) => one?.day ?? [])], expr) : undefined;
}

const YEAR_1000 = BigInt(parseDate('1000-01-01') ?? 0);

/** `d` of FORMAT_DATE('%Y%m%d', d). */
function dayWritten(expr: Expr): Expr | undefined {
  if (expr.kind !== 'call' || expr.fn.name !== 'FORMAT_DATE') return undefined;
  const [format, day] = expr.args;
  return format?.kind === 'literal' && format.value === '%Y%m%d' && day?.type.kind === 'DATE' ? day : undefined;
}

/** A column of days, or the day of a column of times. */
function isHeld(day: Expr, input: Rel, times: ReadonlySet<number>): boolean {
  const inside = day.kind === 'call' && day.fn.name === 'DATE' && day.args.slice(1).every((arg) => arg == null) ? day.args[0] : day;
  return inside?.kind === 'column' && times.has(inside.column.id) && shows(input, inside.column.id);
}

/** The day of a constant text, and whether it is known to be one of the year 1000 or later. */
function dayOf(value: Expr): { readonly day: Expr; readonly late: boolean } | undefined {
  const written = dayWritten(value);
  if (written !== undefined) return { day: written, late: false };
  if (value.kind !== 'literal' || typeof value.value !== 'string') return undefined;
  const [, year, month, day] = /^([1-9]\d{3})(\d\d)(\d\d)$/.exec(value.value) ?? [];
  const days = parseDate(`${year}-${month}-${day}`);
  return days === undefined ? undefined : { day: { kind: 'literal', value: BigInt(days), type: DATE, span: value.span }, late: true };
}
