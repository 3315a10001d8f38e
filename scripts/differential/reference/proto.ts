// Types and values as the reference's protocol has them, from and to those of results (src/base/result.ts).
import type { Value } from '../../../src/base/result.ts';
import type { ScalarName, Type } from '../../../src/sql/base/types.ts';
import { clockText, dateText, instantText, microsOf } from '../civil-text.ts';

/** A message of the protocol, by field. */
export type Message = { readonly [field: string]: unknown };

const KINDS: Readonly<Record<ScalarName, string>> = {
  INT64: 'TYPE_INT64',
  FLOAT64: 'TYPE_DOUBLE',
  BOOL: 'TYPE_BOOL',
  STRING: 'TYPE_STRING',
  BYTES: 'TYPE_BYTES',
  DATE: 'TYPE_DATE',
  DATETIME: 'TYPE_DATETIME',
  TIMESTAMP: 'TYPE_TIMESTAMP',
  TIME: 'TYPE_TIME',
  NUMERIC: 'TYPE_NUMERIC',
  BIGNUMERIC: 'TYPE_BIGNUMERIC',
  JSON: 'TYPE_JSON',
  INTERVAL: 'TYPE_INTERVAL',
  GEOGRAPHY: 'TYPE_GEOGRAPHY',
};
const SCALARS = new Map(Object.entries(KINDS).map(([name, kind]) => [kind, name as ScalarName]));

export function typeMessage(type: Type): Message {
  if (type.kind === 'ARRAY') return { type_kind: 'TYPE_ARRAY', array_type: { element_type: typeMessage(type.element) } };
  if (type.kind === 'STRUCT' || type.kind === 'RECORD') {
    const field = type.fields.map((f) => ({ field_name: f.name ?? '', field_type: typeMessage(f.type) }));
    return { type_kind: 'TYPE_STRUCT', struct_type: { field } };
  }
  return { type_kind: type.kind === 'DYNAMIC' ? KINDS.STRING : KINDS[type.kind] };
}

export function readType(message: Message): Type {
  const kind = String(message['type_kind']);
  if (kind === 'TYPE_ARRAY') return { kind: 'ARRAY', element: readType(inner(inner(message, 'array_type'), 'element_type')) };
  if (kind === 'TYPE_STRUCT') {
    const fields = (inner(message, 'struct_type')['field'] ?? []) as readonly Message[];
    return {
      kind: 'STRUCT',
      fields: fields.map((f) => ({ name: String(f['field_name'] ?? '') || null, type: readType(inner(f, 'field_type')) })),
    };
  }
  const scalar = SCALARS.get(kind);
  if (scalar === undefined) throw new RangeError(`a value of ${kind}`);
  return { kind: scalar };
}

const inner = (message: Message, field: string): Message => (message[field] ?? {}) as Message;

const DAY = 86_400_000_000n;

export function valueMessage(type: Type, value: Value): Message {
  if (value === null) return {};
  switch (type.kind) {
    case 'INT64':
      return { int64_value: String(value) };
    case 'FLOAT64':
      return { double_value: value };
    case 'BOOL':
      return { bool_value: value };
    case 'BYTES':
      return { bytes_value: Buffer.from(String(value), 'base64') };
    case 'DATE':
      return { date_value: Number(microsOf(String(value)) / DAY) };
    case 'TIMESTAMP': {
      const micros = microsOf(String(value));
      const rest = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n;
      return { timestamp_value: { seconds: String((micros - rest) / 1_000_000n), nanos: Number(rest) * 1000 } };
    }
    case 'NUMERIC':
      return { numeric_value: littleEndian(scaled(String(value), 9)) };
    case 'BIGNUMERIC':
      return { bignumeric_value: littleEndian(scaled(String(value), 38)) };
    case 'JSON':
      return { json_value: value };
    case 'ARRAY':
      return { array_value: { element: (value as readonly Value[]).map((item) => valueMessage(type.element, item)) } };
    case 'STRUCT':
    case 'RECORD':
      return { struct_value: { field: type.fields.map((f, at) => valueMessage(f.type, (value as readonly Value[])[at] ?? null)) } };
    case 'STRING':
    case 'DYNAMIC':
      return { string_value: value };
    default:
      throw new RangeError(`a table has no column of ${type.kind}`);
  }
}

export function readValue(type: Type, message: Message): Value {
  if (message['value'] === undefined) return null;
  const of = (field: string) => message[field];
  switch (type.kind) {
    case 'INT64':
      return BigInt(String(of('int64_value')));
    case 'FLOAT64':
      return Number(of('double_value'));
    case 'BOOL':
      return of('bool_value') === true;
    case 'STRING':
      return String(of('string_value'));
    case 'BYTES':
      return (of('bytes_value') as Buffer).toString('base64');
    case 'DATE':
      return dateText(BigInt(Number(of('date_value'))) * DAY);
    case 'TIMESTAMP': {
      const { seconds = 0, nanos = 0 } = of('timestamp_value') as { seconds?: string; nanos?: number };
      return `${instantText(BigInt(seconds) * 1_000_000n + BigInt(Math.floor(nanos / 1000)))}Z`;
    }
    case 'DATETIME': {
      const { bit_field_datetime_seconds: fields = 0, nanos = 0 } = of('datetime_value') as {
        bit_field_datetime_seconds?: string;
        nanos?: number;
      };
      const bits = BigInt(fields);
      const part = (shift: number, mask: bigint, width = 2): string => String((bits >> BigInt(shift)) & mask).padStart(width, '0');
      return `${part(26, 0x3fffn, 4)}-${part(22, 15n)}-${part(17, 31n)}T${clockText((bits >> 12n) & 31n, (bits >> 6n) & 63n, bits & 63n, BigInt(Math.floor(nanos / 1000)))}`;
    }
    case 'TIME': {
      const bits = BigInt(String(of('time_value')));
      const fields = bits >> 30n;
      return clockText((fields >> 12n) & 31n, (fields >> 6n) & 63n, fields & 63n, (bits & 0x3fffffffn) / 1000n);
    }
    case 'NUMERIC':
      return decimalText(signedLittleEndian(of('numeric_value') as Buffer), 9);
    case 'BIGNUMERIC':
      return decimalText(signedLittleEndian(of('bignumeric_value') as Buffer), 38);
    case 'JSON':
      return String(of('json_value'));
    case 'INTERVAL':
      return intervalText(of('interval_value') as Buffer);
    case 'ARRAY':
      return ((inner(message, 'array_value')['element'] ?? []) as readonly Message[]).map((item) => readValue(type.element, item));
    case 'STRUCT':
      return ((inner(message, 'struct_value')['field'] ?? []) as readonly Message[]).map((item, at) => {
        const field = type.fields[at];
        return field === undefined ? null : readValue(field.type, item);
      });
    default:
      throw new RangeError(`a value of ${type.kind}`);
  }
}

/** The number that decimal text stands for, times ten to the scale. */
function scaled(text: string, scale: number): bigint {
  const [, sign, whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  const digits = BigInt(`${whole}${fraction.padEnd(scale, '0')}`);
  return sign === '-' ? -digits : digits;
}

function decimalText(value: bigint, scale: number): string {
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`.replace(/\.?0+$/, '');
}

/** Two's complement, the lowest byte first. */
function signedLittleEndian(bytes: Buffer): bigint {
  const value = [...bytes].reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n);
  return BigInt.asIntN(Math.max(8, 8 * bytes.length), value);
}

/** Two's complement in as few bytes as hold the sign. */
function littleEndian(value: bigint): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>= 8n) {
    bytes.push(Number(rest & 255n));
    const next = rest >> 8n;
    if (next === (((bytes.at(-1) ?? 0) & 128) === 0 ? 0n : -1n)) return Buffer.from(bytes);
  }
}

/** `Y-M D H:M:S[.F]`, as BigQuery prints it. */
function intervalText(bytes: Buffer): string {
  const micros = bytes.readBigInt64LE(0);
  const days = bytes.readInt32LE(8);
  const packed = bytes.readUInt32LE(12);
  const months = (packed >>> 13) & 0x3ffff;
  const size = micros < 0n ? -micros : micros;
  const seconds = size / 1_000_000n;
  const rest = size % 1_000_000n;
  const fraction =
    rest === 0n ? '' : rest % 1000n === 0n ? `.${String(rest / 1000n).padStart(3, '0')}` : `.${String(rest).padStart(6, '0')}`;
  const clock = `${seconds / 3600n}:${(seconds / 60n) % 60n}:${seconds % 60n}${fraction}`;
  return `${(packed & 0x80000000) !== 0 && months !== 0 ? '-' : ''}${Math.floor(months / 12)}-${months % 12} ${days} ${micros < 0n ? '-' : ''}${clock}`;
}
