// Values as GoogleSQL writes them.
import { BOOL, FLOAT64, INT64, STRING, type Type, typeName } from '../../sql/base/types.ts';

/** A value of a parameter. Dates, times and decimals are texts. */
export type GivenValue = string | number | bigint | boolean | null | readonly GivenValue[];

/** Types whose literals are their name and a text. */
const NAMED: ReadonlySet<string> = new Set(['TIMESTAMP', 'DATE', 'DATETIME', 'TIME', 'NUMERIC', 'BIGNUMERIC', 'JSON']);

/** Returns the literal of a value; undefined for a value that is none of the type. */
export function literalText(value: GivenValue, type: Type = impliedType(value)): string | undefined {
  if (value === null) return `CAST(NULL AS ${typeName(type)})`;
  if (Array.isArray(value)) {
    if (type.kind !== 'ARRAY') return undefined;
    const items = value.map((item: GivenValue) => literalText(item, type.element));
    return items.includes(undefined) ? undefined : `CAST([${items.join(', ')}] AS ${typeName(type)})`;
  }
  const text = String(value);
  switch (type.kind) {
    case 'STRING':
      return JSON.stringify(text);
    case 'INT64':
      return /^-?\d+$/.test(text) ? text : undefined;
    case 'FLOAT64':
      return `CAST(${JSON.stringify(text)} AS FLOAT64)`;
    case 'BOOL':
      return /^(?:true|false)$/i.test(text) ? text : undefined;
    default:
      return NAMED.has(type.kind) ? `${type.kind} ${JSON.stringify(text)}` : undefined;
  }
}

/** The type of a parameter of which nothing is said. */
export function impliedType(value: GivenValue): Type {
  if (Array.isArray(value)) return { kind: 'ARRAY', element: impliedType(value.find((item) => item !== null) ?? null) };
  if (typeof value === 'boolean') return BOOL;
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return INT64;
  return typeof value === 'number' ? FLOAT64 : STRING;
}
