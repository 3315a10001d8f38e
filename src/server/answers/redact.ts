// Hides the addresses of people in a result: every IPv4 and IPv6 address in its texts.
import type { QueryResult, Value } from '../../base/result.ts';
import type { Type } from '../../sql/base/types.ts';
import { redactText } from './redact-text.ts';

/** The result with REDACTED in place of each address: in texts at any depth, in JSON, and in the names of a record's fields. */
export function redact(result: QueryResult): QueryResult {
  const text = remembered(redactText);
  const redactors = result.columns.map(({ type }) => redactorFor(type));
  return { ...result, rows: result.rows.map((row) => row.map((value, i) => redactors[i]?.(value, text) ?? value)) };
}

/** Returns the function that hides addresses in values of a type, as the engine or a result has them; undefined for types whose values are nobody's text. */
export function redactorOf(type: Type): ((value: Value) => Value) | undefined {
  const redactor = redactorFor(type);
  const text = remembered(redactText);
  return redactor === undefined ? undefined : (value) => redactor(value, text);
}

type RedactText = (text: string) => string;
type Redactor = (value: Value, text: RedactText) => Value;

/** Undefined for types whose values are nobody's text: numbers, times, BYTES. */
function redactorFor({ kind }: Type): Redactor | undefined {
  switch (kind) {
    case 'JSON':
      return (value, text) => (typeof value === 'string' ? redactJson(value, text) : redactValue(value, text));
    case 'STRING':
    case 'ARRAY':
    case 'STRUCT':
    case 'RECORD':
    case 'DYNAMIC':
      return redactValue;
    default:
      return undefined;
  }
}

/** The value itself where nothing in it is an address: most of it is not copied. */
function redactValue(value: Value, text: RedactText): Value {
  if (typeof value === 'string') return text(value);
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return redactList(value, text);
  let copy: Record<string, Value> | undefined;
  for (const [name, field] of Object.entries(value)) {
    if (text(name) !== name) return redactNames(value, text);
    const shown = redactValue(field, text);
    if (shown === field) continue;
    copy ??= { ...value };
    copy[name] = shown; // an own field already, also `__proto__`
  }
  return copy ?? value;
}

function redactList(values: readonly Value[], text: RedactText): Value {
  const shown = values.map((value) => redactValue(value, text));
  return shown.some((value, i) => value !== values[i]) ? shown : values;
}

/** Two addresses as names of fields must not become one field. */
function redactNames(record: { readonly [field: string]: Value }, text: RedactText): Value {
  const fields = new Map<string, Value>();
  for (const [name, field] of Object.entries(record)) {
    const shown = text(name);
    let own = shown;
    for (let n = 2; fields.has(own); n++) own = `${shown} ${n}`;
    fields.set(own, redactValue(field, text));
  }
  return Object.fromEntries(fields);
}

const isList = (value: readonly Value[] | { readonly [field: string]: Value }): value is readonly Value[] => Array.isArray(value);

/** JSON text keeps its form, numbers of any size included: only its strings change. */
function redactJson(json: string, text: RedactText): string {
  return json.replace(/"(?:[^"\\]|\\.)*"/g, (literal) => {
    const plain = literal.includes('\\') ? String(JSON.parse(literal)) : literal.slice(1, -1);
    const shown = text(plain);
    return shown === plain ? literal : JSON.stringify(shown);
  });
}

/** Short texts such as paths, hosts and names of fields come again in many rows. */
function remembered(action: RedactText): RedactText {
  const known = new Map<string, string>();
  return (text) => {
    if (text.length > 64) return action(text);
    let shown = known.get(text);
    if (shown === undefined) {
      shown = action(text);
      known.set(text, shown);
    }
    return shown;
  };
}
