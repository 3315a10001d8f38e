// Values and settings as ClickHouse reads them: a SET statement that precedes a query in its own, throw-away session.

import { QuernError } from '../base/errors.ts';
import { escapeBytes, escapeControl, quoteBytes, quoteString } from '../clickhouse/quote.ts';
import type { Binding, BoundValue } from './engine.ts';

/**
 * The SET statement for `bindings` and `settings`, or '' when there is nothing to set. Values travel as ClickHouse query parameters
 * (`SET param_name = '…'`): the engine parses them by the type in the placeholder, they are never part of the query's text.
 * https://clickhouse.com/docs/sql-reference/syntax#defining-and-using-query-parameters
 */
export function printSet(bindings: readonly Binding[], settings: Readonly<Record<string, string | number>>): string {
  const items = [
    ...Object.entries(settings).map(([name, value]) => `${identifier(name)} = ${typeof value === 'number' ? value : quoteString(value)}`),
    ...bindings.map((binding) => `param_${identifier(binding.name)} = ${quoteString(parameterText(binding.value))}`),
  ];
  return items.length === 0 ? '' : `SET ${items.join(', ')}`;
}

/** The text ClickHouse reads a query parameter from: TSV, where arrays hold quoted elements and `\N` is NULL. */
export function parameterText(value: BoundValue): string {
  if (value === null) return '\\N';
  if (typeof value === 'string') return escapeControl(value);
  return typeof value === 'object' ? formText(value, escapeBytes) : scalarText(value);
}

function elementText(value: BoundValue): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return `'${escapeControl(value).replaceAll("'", "\\'")}'`;
  return typeof value === 'object' ? formText(value, quoteBytes) : scalarText(value);
}

function formText(value: Exclude<BoundValue, null | boolean | number | bigint | string>, bytesText: (bytes: string) => string): string {
  if ('digits' in value) return value.digits;
  if ('bytes' in value) return bytesText(value.bytes);
  return 'tuple' in value ? `(${value.tuple.map(elementText).join(',')})` : `[${value.map(elementText).join(',')}]`;
}

function scalarText(value: boolean | number | bigint): string {
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value).replace('Infinity', 'inf').toLowerCase();
  return Object.is(value, -0) ? '-0' : String(value);
}

export function identifier(name: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return name;
  throw new QuernError('internal', `${JSON.stringify(name)} is not a valid name for a query parameter or setting`);
}
