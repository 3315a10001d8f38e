// Membership in a generated series as a range: `timestamp_trunc(t, hour)` is one of the hours from `first` to `last` exactly where
// `t >= first AND t < last + 1 hour`, if the series starts on the hour. A range is what a primary key can use; an array is searched row by row.

import { PART_MICROS } from '../base/civil.ts';
import { INTERVAL, TIMESTAMP } from '../base/types.ts';
import { branchesOf } from '../logical/build.ts';
import type { Case, Expr, FunctionCall } from '../logical/nodes.ts';
import { exprKey } from '../logical/walk.ts';
import { call } from './build.ts';

/** A range: `value` is in the series where `moment >= first AND moment < end`. */
interface SeriesRange {
  readonly moment: Expr;
  readonly first: Expr;
  readonly end: Expr;
}

/** Returns the range that stands for `value IN series`, which may both be CASEs of the same conditions; undefined where it takes more than a range. */
export function seriesRange(value: Expr, series: Expr): SeriesRange | undefined {
  const values = valuesBeside(value, series);
  const ranges = branches(series).map((branch, i) => rangeOf(values?.[i], branch));
  const [first] = ranges;
  if (first === undefined || ranges.some((r) => r === undefined || !same(r.moment, first.moment))) return undefined;
  const pick = (bound: 'first' | 'end'): Expr => withBranches(series, (_branch, i) => (ranges[i] ?? first)[bound]);
  return { moment: first.moment, first: pick('first'), end: pick('end') };
}

/** True if the expression is such an array, whichever branch of it is taken. */
export function isSeries(expr: Expr): boolean {
  if (expr.kind === 'call') return expr.fn.series === true;
  return expr.kind === 'case' && branches(expr).every(isSeries);
}

/** Returns the first element of a series that is never empty: one from an instant in the past to now. */
export function firstElement(series: Expr): Expr | undefined {
  const firsts = branches(series).map((branch) => {
    const [start, end] = isTimestamps(branch) ? branch.args : [];
    return start && end && notAfter(start, end) ? start : undefined;
  });
  if (firsts.length === 0 || firsts.includes(undefined) || (series.kind === 'case' && series.otherwise === null)) return undefined;
  return withBranches(series, (branch, i) => firsts[i] ?? branch);
}

const branches = (series: Expr): readonly Expr[] => (series.kind === 'case' ? branchesOf(series) : [series]);

/** Returns the series with other values in its branches. */
function withBranches(series: Expr, change: (branch: Expr, i: number) => Expr): Expr {
  if (series.kind !== 'case') return change(series, 0);
  const { whens, otherwise } = series;
  const changed: Case = {
    ...series,
    type: TIMESTAMP,
    whens: whens.map((w, i) => ({ ...w, then: change(w.then, i) })),
    otherwise: otherwise === null ? null : change(otherwise, whens.length),
  };
  return changed;
}

/** Returns `value` as it is in each branch of the series. */
function valuesBeside(value: Expr, series: Expr): readonly Expr[] | undefined {
  if (value.kind !== 'case') return branches(series).map(() => value);
  if (series.kind !== 'case' || value.whens.length !== series.whens.length) return undefined;
  return value.whens.every((w, k) => same(w.when, series.whens[k]?.when)) ? branches(value) : undefined;
}

function rangeOf(value: Expr | undefined, series: Expr): SeriesRange | undefined {
  const [start, last, step] = isTimestamps(series) ? series.args : [];
  const part = truncated(value)?.part;
  const moment = truncated(value)?.of;
  if (!start || !last || step?.kind !== 'literal' || part === undefined || moment?.kind !== 'column') return undefined;
  const width = PART_MICROS[part] ?? 0n;
  if (width > LONGEST || width !== micros(step.value) || !isCut(start, part) || !isCut(last, part)) return undefined;
  const one: Expr = { kind: 'literal', value: { months: 0n, days: 0n, micros: width }, type: INTERVAL, span: step.span };
  return { moment, first: start, end: call('TIMESTAMP_ADD', [last, one], series, TIMESTAMP) };
}

/** The parts that are equally long: weeks begin on one day or another, years and months differ. */
const LONGEST = PART_MICROS['DAY'] ?? 0n;

const isTimestamps = (expr: Expr): expr is FunctionCall =>
  expr.kind === 'call' && expr.fn.name === 'GENERATE_TIMESTAMP_ARRAY' && !expr.safe;

/** Reads TIMESTAMP_TRUNC(of, part) in UTC. */
function truncated(expr: Expr | undefined): { readonly of: Expr; readonly part: string } | undefined {
  if (expr?.kind !== 'call' || expr.fn.name !== 'TIMESTAMP_TRUNC' || expr.type.kind !== 'TIMESTAMP') return undefined;
  const [of, part, zone] = expr.args;
  return of && part?.kind === 'date_part' && !zone ? { of, part: part.part } : undefined;
}

/** True if the time is the start of such a part, of a day or less. */
function isCut(expr: Expr, part: string): boolean {
  if (expr.kind === 'literal') return typeof expr.value === 'bigint' && expr.value % (PART_MICROS[part] ?? 1n) === 0n;
  return truncated(expr)?.part === part;
}

/** Returns the length of an interval without months. */
function micros(value: unknown): bigint | undefined {
  if (typeof value !== 'object' || value === null || !('micros' in value) || !('days' in value) || !('months' in value)) return undefined;
  const { months, days } = value;
  return months === 0n && typeof days === 'bigint' && typeof value.micros === 'bigint' ? days * LONGEST + value.micros : undefined;
}

/** True if `a` is certainly not later than `b`: the same time, perhaps less an interval, in the same steps. */
function notAfter(a: Expr, b: Expr): boolean {
  const [from, to] = [truncated(a), truncated(b)];
  if (from === undefined || to === undefined || from.part !== to.part || to.of.kind !== 'instant') return false;
  if (same(from.of, to.of)) return true;
  if (from.of.kind !== 'call' || from.of.fn.name !== 'TIMESTAMP_SUB') return false;
  const [time, amount] = from.of.args;
  return time != null && same(time, to.of) && amount?.kind === 'literal' && (micros(amount.value) ?? -1n) >= 0n;
}

/** True if they are equal but for their places in the text. */
function same(a: Expr, b: Expr | undefined): boolean {
  if (a.kind === 'column') return b?.kind === 'column' && a.column.id === b.column.id;
  return a === b || (b !== undefined && a.kind === b.kind && exprKey(a) === exprKey(b));
}
