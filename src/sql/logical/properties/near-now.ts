// Times that are surely of our age: made of the current time and constants, or of events, which have one of when they were recorded.
import { PART_MICROS } from '../../base/civil.ts';
import type { Expr } from '../nodes.ts';

/** Some decades: from 1990 to 2241, which is what a current time may be (see NOW_YEARS of base/instant.ts), no step leads out of 1970 to 2262. */
const NEAR_DAYS = 20 * 365;
const DAYS_OF_YEAR = 366;
const TIMES: ReadonlySet<string> = new Set<Expr['type']['kind']>(['DATE', 'DATETIME', 'TIMESTAMP']);

/** Made of the current time and constants. */
export const isNearNow = (expr: Expr): boolean => daysFromNow(expr) <= NEAR_DAYS;

/** Returns the most days between the time and the current one. */
function daysFromNow(expr: Expr): number {
  if (expr.kind === 'instant') return 0;
  if (expr.kind === 'cast') return daysFromNow(expr.operand);
  if (expr.kind === 'case') {
    const branches = [...expr.whens.map(({ then }) => then), expr.otherwise];
    return Math.max(...branches.map((branch) => (branch === null ? 0 : daysFromNow(branch))));
  }
  if (expr.kind === 'literal' && expr.value === null) return 0;
  if (expr.kind !== 'call' || !TIMES.has(expr.type.kind)) return Infinity; // numbers may be multiplied
  const [value, ...others] = expr.args;
  if (value === null || value === undefined) return Infinity;
  return others.reduce((sum, arg) => sum + (arg === null ? 0 : daysOf(arg)), daysFromNow(value));
}

/** Returns the most days that a constant argument moves a time. */
function daysOf(arg: Expr): number {
  if (arg.kind === 'date_part') return DAYS_OF_YEAR; // to its beginning
  if (arg.kind !== 'literal') return Infinity;
  if (typeof arg.value === 'string') return 1; // to another zone
  if (typeof arg.value !== 'object' || arg.value === null) return Infinity;
  const { months, days, micros } = arg.value;
  return Math.abs(Number(months)) * 31 + Math.abs(Number(days)) + Math.abs(Number(micros)) / Number(PART_MICROS['DAY']);
}
