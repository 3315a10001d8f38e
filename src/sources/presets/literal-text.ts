// Values as GoogleSQL writes them.
import { BOOL, FLOAT64, INT64, STRING, type Type, typeName } from '../../sql/base/types.ts';

/** A value of a parameter. Dates and times are texts, and so are decimals where they have no form of their own. */
export type GivenValue = string | number | bigint | boolean | null | readonly GivenValue[] | GivenForm;
type GivenForm = { readonly digits: string } | { readonly bytes: string } | { readonly tuple: readonly GivenValue[] };

/** Types whose literals are their name and a text. */
const NAMED: ReadonlySet<string> = new Set(['TIMESTAMP', 'DATE', 'DATETIME', 'TIME', 'NUMERIC', 'BIGNUMERIC', 'JSON']);

/** Returns the literal of a value; undefined for a value that is none of the type. */
export function literalText(value: GivenValue, type: Type = impliedType(value)): string | undefined {
  if (value === null) return `CAST(NULL AS ${typeName(type)})`;
  if (isList(value)) {
    if (type.kind !== 'ARRAY') return undefined;
    const items = value.map((item) => literalText(item, type.element));
    return items.includes(undefined) ? undefined : `CAST([${items.join(', ')}] AS ${typeName(type)})`;
  }
  if (typeof value === 'object' && !('digits' in value)) return formText(value, type);
  const text = typeof value === 'object' ? value.digits : String(value);
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

const isList = (value: GivenValue): value is readonly GivenValue[] => Array.isArray(value);

function formText(value: Exclude<GivenForm, { readonly digits: string }>, type: Type): string | undefined {
  if ('bytes' in value)
    return `b"${value.bytes.replace(/[^\x20-\x7e]|["\\]/g, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`)}"`;
  if (type.kind === 'INTERVAL') return intervalText(value.tuple.map((part) => BigInt(String(part))));
  if (type.kind !== 'STRUCT') return undefined;
  const fields = value.tuple.map((field, i) => literalText(field, type.fields[i]?.type));
  return fields.includes(undefined) ? undefined : `${typeName(type)}(${fields.join(', ')})`;
}

/** Months, days and microseconds as the text of an interval. */
function intervalText([months = 0n, days = 0n, micros = 0n]: readonly bigint[]): string {
  const sign = (value: bigint): string => (value < 0n ? '-' : '');
  const [m, t] = [months, micros].map((value) => (value < 0n ? -value : value)) as [bigint, bigint]; // as many as given
  const seconds = t / 1_000_000n;
  const clock = `${seconds / 3600n}:${(seconds / 60n) % 60n}:${seconds % 60n}.${String(t % 1_000_000n).padStart(6, '0')}`;
  return `CAST("${sign(months)}${m / 12n}-${m % 12n} ${days} ${sign(micros)}${clock}" AS INTERVAL)`;
}

/** The type of a parameter of which nothing is said. */
export function impliedType(value: GivenValue): Type {
  if (Array.isArray(value)) return { kind: 'ARRAY', element: impliedType(value.find((item) => item !== null) ?? null) };
  if (typeof value === 'boolean') return BOOL;
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return INT64;
  return typeof value === 'number' ? FLOAT64 : STRING;
}
