// Cuts values that are longer than the server takes in one piece, and puts them together again in SQL.

import { QuernError } from '../../base/errors.ts';
import { withPlaceholders } from '../../clickhouse/placeholders.ts';
import { parameterText } from '../bind.ts';
import type { Binding, BoundText, BoundValue } from '../engine.ts';

/** ClickHouse takes 128 KiB in a field of a form (its setting http_max_field_value_size); escapes and UTF-8 make text longer. */
export const MAX_FIELD_BYTES = 120_000;

/** Returns the same query with no value longer than `maxBytes`: `{name:Type}` of a long text or list becomes the concatenation of its parts. */
export function cutLongValues(query: BoundText, maxBytes = MAX_FIELD_BYTES): BoundText {
  const long = query.bindings.filter(({ value }) => isLong(value, maxBytes));
  if (long.length === 0) return query;
  const parts = new Map(long.map((binding) => [binding.name, cut(binding, query.bindings, maxBytes)]));
  return {
    sql: withPlaceholders(query.sql, (name) => parts.get(name)?.sql),
    bindings: query.bindings.flatMap((binding) => parts.get(binding.name)?.bindings ?? [binding]),
  };
}

function cut(binding: Binding, all: readonly Binding[], maxBytes: number): BoundText {
  const { name, type, value } = binding;
  const names = new Set(all.map((one) => one.name));
  let stem = `${name}_part`;
  while ([...names].some((taken) => taken.startsWith(stem))) stem = `${stem}_`;
  const piece = Array.isArray(value) ? type : 'String';
  const values = Array.isArray(value) ? cutList(value, maxBytes, name) : piecesOf(value, maxBytes);
  const bindings = values.map((one, at) => ({ name: `${stem}${at}`, type: piece, value: one }));
  const placeholders = bindings.map((one) => `{${one.name}:${piece}}`).join(', ');
  return { bindings, sql: Array.isArray(value) ? `arrayConcat(${placeholders})` : `CAST(concat(${placeholders}) AS ${type})` };
}

function isLong(value: BoundValue, maxBytes: number): boolean {
  return (typeof value === 'string' || typeof value === 'object') && value !== null && byteLength(value) > maxBytes;
}

/** A tuple in the form of a text, which a cast reads as it reads a parameter. */
function piecesOf(value: BoundValue, maxBytes: number): readonly BoundValue[] {
  const isBytes = typeof value === 'object' && value !== null && 'bytes' in value;
  if (isBytes) return cutText(value.bytes, (maxBytes * 3) / 4).map((bytes) => ({ bytes })); // a byte may take four characters
  return cutText(typeof value === 'string' ? value : parameterText(value), maxBytes);
}

function byteLength(value: BoundValue): number {
  return Buffer.byteLength(parameterText(value));
}

/** Cuts between whole characters: half a surrogate pair would be lost. */
function cutText(text: string, maxBytes: number): readonly string[] {
  // An escaped character is two bytes, one beyond ASCII up to three for each UTF-16 unit.
  const units = Math.floor(maxBytes / 3);
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    const splitsPair = /[\ud800-\udbff]/.test(text.charAt(start + units - 1));
    const end = start + (splitsPair ? units - 1 : units);
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}

function cutList(items: readonly BoundValue[], maxBytes: number, name: string): readonly (readonly BoundValue[])[] {
  const pieces: BoundValue[][] = [[]];
  let bytes = 2;
  for (const item of items) {
    const more = byteLength([item]);
    if (more > maxBytes) {
      throw new QuernError('unsupported', `the list ${name} contains an element that is too long for a ClickHouse server`, {
        hint: `an element may have up to ${maxBytes} bytes`,
      });
    }
    if (bytes + more > maxBytes) {
      pieces.push([]);
      bytes = 2;
    }
    pieces.at(-1)?.push(item);
    bytes += more;
  }
  return pieces;
}
