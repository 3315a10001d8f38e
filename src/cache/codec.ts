// Values as JSON text and back, exactly: JSON itself loses bigints, NaN, infinities and -0.
import type { Value } from '../base/result.ts';

// Values that JSON cannot express become an object with one of these keys. Real field names that begin with `$` get one more `$`, so the two cannot meet.
const BIGINT = '$bigint';
const FLOAT = '$float';

export type Encoded = null | boolean | number | string | readonly Encoded[] | { readonly [field: string]: Encoded };

/** `value` as something JSON.stringify prints without loss; the very same object when nothing in it needed a change. */
export function encodeValue(value: Value): Encoded {
  switch (typeof value) {
    case 'bigint':
      return { [BIGINT]: String(value) };
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0) ? value : { [FLOAT]: Object.is(value, -0) ? '-0' : String(value) };
    case 'object':
      if (value === null) return null;
      return isArray(value) ? encodeArray(value) : encodeRecord(value);
    default:
      return value;
  }
}

/** The value that encodeValue turned into `encoded`. */
export function decodeValue(encoded: Encoded): Value {
  if (typeof encoded !== 'object' || encoded === null) return encoded;
  if (isArray(encoded)) return encoded.map(decodeValue);
  const entries = Object.entries(encoded);
  const [key, text] = entries[0] ?? [];
  if (entries.length === 1 && typeof text === 'string') {
    if (key === BIGINT) return BigInt(text);
    if (key === FLOAT) return Number(text);
  }
  // Object.fromEntries defines fields, so one called `__proto__` stays a field.
  return Object.fromEntries(entries.map(([name, field]) => [name.startsWith('$$') ? name.slice(1) : name, decodeValue(field)]));
}

function encodeArray(items: readonly Value[]): Encoded {
  let encoded: Encoded[] | undefined;
  items.forEach((item, at) => {
    const next = encodeValue(item);
    if (encoded === undefined && next !== item) encoded = items.slice(0, at) as Encoded[]; // these encoded to themselves
    encoded?.push(next);
  });
  return encoded ?? (items as readonly Encoded[]); // every item encoded to itself
}

function encodeRecord(record: { readonly [field: string]: Value }): Encoded {
  const entries = Object.entries(record);
  const encoded = entries.map(([name, field]) => [name.startsWith('$') ? `$${name}` : name, encodeValue(field)] as const);
  const same = encoded.every(([name, field], at) => name === entries[at]?.[0] && field === entries[at]?.[1]);
  return same ? (record as { readonly [field: string]: Encoded }) : Object.fromEntries(encoded); // every field encoded to itself
}

function isArray<T>(value: readonly T[] | object): value is readonly T[] {
  return Array.isArray(value);
}
