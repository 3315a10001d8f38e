// Times relative to now: `now`, `-15m`, `-7d`. The server knows instants only, so they are read when the query is run.
import type { ParameterDeclaration } from '../../queries/saved-query.ts';

/** Whether a parameter takes a time. Those of text, as Logflare's clients use them, are known by their format, or by their names. */
export function takesTime({ type, array, name, format }: Pick<ParameterDeclaration, 'type' | 'array' | 'name' | 'format'>): boolean {
  return !array && (type === 'timestamp' || format === 'timestamp' || (type === 'string' && name.startsWith('iso_timestamp_')));
}

const MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
const RELATIVE = /^-(\d{1,6})([smhdw])$/;

export const RELATIVE_TIMES: readonly (readonly [text: string, label: string])[] = [
  ['now', 'now'],
  ['-5m', '5 minutes ago'],
  ['-15m', '15 minutes ago'],
  ['-1h', '1 hour ago'],
  ['-6h', '6 hours ago'],
  ['-1d', '1 day ago'],
  ['-7d', '7 days ago'],
  ['-30d', '30 days ago'],
];

/** The instant in ISO 8601, or undefined for text that is not relative. */
export function relativeInstant(text: string, nowMs: number): string | undefined {
  const trimmed = text.trim();
  if (trimmed === 'now') return iso(nowMs);
  const [, count, unit = ''] = RELATIVE.exec(trimmed) ?? [];
  const ms = MS[unit];
  return count === undefined || ms === undefined ? undefined : iso(nowMs - Number(count) * ms);
}

const iso = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
