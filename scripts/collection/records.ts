// Records of log events as the reference can have them: arrays of structs, of the fields that are declared and of all that one of the events has.
import type { Value } from '../../src/base/result.ts';
import { arrayOf, STRING, structOf, type Type } from '../../src/sql/base/types.ts';

/** Fields of a record by their names in lower case. */
type Fields = Map<string, { readonly name: string; readonly type: Type | Fields }>;
type Event = { readonly [field: string]: Value };

/** Undefined for a type without records. */
export function asStructs(type: Type, values: readonly Value[]): { readonly type: Type; readonly values: readonly Value[] } | undefined {
  const declared = recordOf(type);
  if (declared === undefined) return undefined;
  const fields: Fields = new Map();
  declare(fields, declared);
  for (const event of values.flatMap(eventsOf)) learn(fields, event);
  return { type: typeOf(fields), values: values.map((value) => eventsOf(value).map((event) => structFor(fields, event))) };
}

type RecordType = Extract<Type, { readonly kind: 'RECORD' }>;

function recordOf(type: Type): RecordType | undefined {
  if (type.kind === 'ARRAY') return recordOf(type.element);
  return type.kind === 'RECORD' ? type : undefined;
}

function declare(fields: Fields, { fields: declared }: RecordType): void {
  for (const { name, type } of declared) {
    const below = recordOf(type);
    const inner: Fields = new Map();
    if (below !== undefined) declare(inner, below);
    // What nobody declares is a text.
    fields.set((name ?? '').toLowerCase(), {
      name: name ?? '',
      type: below !== undefined ? inner : type.kind === 'DYNAMIC' ? STRING : type,
    });
  }
}

function learn(fields: Fields, event: Event): void {
  for (const [name, value] of Object.entries(event)) {
    const below = eventsOf(value);
    const known = fields.get(name.toLowerCase())?.type ?? (below.length === 0 ? STRING : new Map());
    if (!fields.has(name.toLowerCase())) fields.set(name.toLowerCase(), { name, type: known });
    if (known instanceof Map) for (const inner of below) learn(known, inner);
  }
}

const isEvent = (value: Value): value is Event => typeof value === 'object' && value !== null && !Array.isArray(value);
const eventsOf = (value: Value): readonly Event[] => (Array.isArray(value) ? value.filter(isEvent) : isEvent(value) ? [value] : []);

const typeOf = (fields: Fields): Type =>
  arrayOf(structOf([...fields.values()].map(({ name, type }) => ({ name, type: type instanceof Map ? typeOf(type) : type }))));

function structFor(fields: Fields, event: Event): readonly Value[] {
  const given = new Map(Object.entries(event).map(([name, value]) => [name.toLowerCase(), value]));
  return [...fields].map(([key, { type }]): Value => {
    const value = given.get(key) ?? null;
    return type instanceof Map ? eventsOf(value).map((inner) => structFor(type, inner)) : scalar(type, value);
  });
}

function scalar({ kind }: Type, value: Value): Value {
  if (value === null) return null;
  if (kind === 'STRING') return typeof value === 'object' ? JSON.stringify(value) : String(value);
  if (kind === 'INT64' || kind === 'FLOAT64') return Number(value);
  return value;
}

export function holdsRecord(type: Type): boolean {
  if (type.kind === 'ARRAY') return holdsRecord(type.element);
  return type.kind === 'RECORD' || (type.kind === 'STRUCT' && type.fields.some((field) => holdsRecord(field.type)));
}

/** A value with records, as one of the type that the reference gives it. */
export function fitted(value: Value, type: Type): Value {
  if (type.kind === 'ARRAY') {
    const list = Array.isArray(value) ? value : isEvent(value) ? [value] : [];
    return list.map((each: Value) => fitted(each, type.element));
  }
  if (type.kind !== 'STRUCT' || value === null) return scalar(type, value);
  if (Array.isArray(value)) return type.fields.map((field, i) => fitted(value[i] ?? null, field.type));
  const given = new Map(Object.entries(value).map(([name, inner]) => [name.toLowerCase(), inner]));
  return type.fields.map((field) => fitted(given.get((field.name ?? '').toLowerCase()) ?? null, field.type));
}
