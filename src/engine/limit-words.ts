// Says that a query reached a limit, in the words of who set it. ClickHouse's own text is the cause, which --verbose shows.

import { formatDuration } from '../base/quantity.ts';
import type { ErrorTopic } from '../clickhouse/errors.ts';

/** Reads texts of ClickHouse 26.7; returns undefined where another version says it otherwise, or the topic is no limit. */
export function limitWords(topic: ErrorTopic | undefined, text: string): string | undefined {
  switch (topic) {
    case 'time':
      return `the query took longer than ${timeOf(text) ?? 'allowed'}`;
    case 'memory':
      return `the query needs more memory than ${maximumOf(text) ?? 'allowed'}`;
    case 'scan': {
      const most = /max rows: ([\d.]+)( \w+)?, /.exec(text);
      return text.includes("'max_rows_to_read'") && most !== null
        ? `the query reads more rows than ${countOf(most[1], most[2])}`
        : undefined;
    }
    case 'result': {
      const most = /max (rows|bytes): ([\d.]+)( \w+)?,/.exec(text);
      if (most === null) return undefined;
      return most[1] === 'rows'
        ? `the result has more rows than ${countOf(most[2], most[3])}`
        : `the result is larger than ${most[2]}${most[3] ?? ''}`;
    }
    case 'size':
      return 'the query is too large for ClickHouse';
    case 'stopped':
      return 'the query was stopped in ClickHouse';
    default:
      return undefined;
  }
}

function timeOf(text: string): string | undefined {
  const ms = Number(/maximum: ([\d.]+) ms/.exec(text)?.[1]);
  const seconds = Number(/maximum: ([\d.]+) s/.exec(text)?.[1]);
  if (ms > 0) return ms % 1000 === 0 ? formatDuration(ms / 1000) : `${ms} ms`;
  return seconds > 0 ? formatDuration(seconds) : undefined;
}

/** Returns `20 MB` for `19.07 MiB`: the limit in the unit in which it was most likely set, as ClickHouse reports two decimals. */
function maximumOf(text: string): string | undefined {
  const [, digits, unit = ''] = /maximum: ([\d.]+) ([KMGT]?i?B)/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const value = Number(digits);
  const one = 1024 ** 'BKMGT'.indexOf(unit[0] ?? 'B');
  if (Number.isInteger(value)) return `${value} ${unit}`;
  const round = DECIMAL.find(([, size]) => Math.abs(Math.round((value * one) / size) * size - value * one) <= one / 200);
  return round === undefined ? `${digits} ${unit}` : `${Math.round((value * one) / round[1])} ${round[0]}`;
}

const DECIMAL = [
  ['TB', 1e12],
  ['GB', 1e9],
  ['MB', 1e6],
  ['KB', 1e3],
] as const;

/** Reads `10.00` and `1.00 thousand`, as ClickHouse writes numbers for people. */
const countOf = (digits = '', unit = ''): string => `${digits.replace(/\.?0+$/, '')}${unit}`;
