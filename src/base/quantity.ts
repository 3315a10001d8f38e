// Durations, sizes and counts as people write them: `900s`, `15m`, `256MB`, `1,000 rows`.

const SECONDS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400 };
const BYTES: Readonly<Record<string, number>> = {
  B: 1,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  KIB: 2 ** 10,
  MIB: 2 ** 20,
  GIB: 2 ** 30,
  TIB: 2 ** 40,
};

/** Seconds of `900s`, `15m`, `1h`, `2d`, `500ms`; undefined for any other text, a number without a unit included. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text.trim());
  const unit = SECONDS[match?.[2] ?? ''];
  return match === null || unit === undefined ? undefined : Number(match[1]) * unit;
}

/** The shortest exact form that parseDuration reads: 900 is `15m`. */
export function formatDuration(seconds: number): string {
  if (!Number.isInteger(seconds)) return `${Math.round(seconds * 1000)}ms`;
  const unit = (['d', 'h', 'm'] as const).find((name) => seconds > 0 && seconds % (SECONDS[name] ?? 1) === 0) ?? 's';
  return `${seconds / (SECONDS[unit] ?? 1)}${unit}`;
}

/** The shortest exact form that parseSize reads: 256000000 is `256MB`. */
export function formatSize(bytes: number): string {
  const [unit, size] = Object.entries(BYTES)
    .sort(([, a], [, b]) => b - a)
    .find(([, each]) => bytes >= each && bytes % each === 0) ?? ['B', 1];
  return `${bytes / size}${unit.replace('I', 'i')}`;
}

/** In a unit that people take in at a glance: 34400123 is `34.4 MB`. */
export function roundSize(bytes: number): string {
  const [unit, size] = ROUND_UNITS.find(([, each]) => bytes >= each) ?? ['B', 1];
  return `${Number((bytes / size).toFixed(size === 1 ? 0 : 1))} ${unit}`;
}

const ROUND_UNITS = [
  ['GB', 1e9],
  ['MB', 1e6],
  ['kB', 1e3],
] as const;

/** Whole bytes of `256MB`, `1.5 GiB`, `4096`; undefined for any other text. Decimal units are powers of 1000. */
export function parseSize(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*([KMGT]?i?B)?$/i.exec(text.trim());
  const unit = BYTES[(match?.[2] ?? 'B').toUpperCase()];
  return match === null || unit === undefined ? undefined : Math.round(Number(match[1]) * unit);
}

/** A whole number with its digits in groups: 1000000 is `1,000,000`. Written out, as loading what Intl knows of languages takes 9 ms. */
export const formatNumber = (whole: number): string => String(whole).replace(/\B(?=(?:\d{3})+$)/g, ',');

/** A number of things, such as `1 row` and `1,000 rows`; `noun` has its plural with an s. */
export const formatCount = (whole: number, noun: string): string => `${formatNumber(whole)} ${noun}${whole === 1 ? '' : 's'}`;
