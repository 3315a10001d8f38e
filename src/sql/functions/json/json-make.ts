// JSON functions that make JSON. https://cloud.google.com/bigquery/docs/reference/standard-sql/json_functions
import { fail } from '../../base/fail.ts';
import { STRING, type Type } from '../../base/types.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { call, ident, iff, infix, isNull, lambda, lit, NULL } from '../../target/build.ts';
import { define, type Family, type LowerCall } from '../define.ts';
import { jsonString, jsonText } from './json-text.ts';

/** A constant BOOL argument. */
export function flag(c: LowerCall, position: number, what: string, otherwise = false): boolean | null {
  if ((c.args[position] ?? null) === null) return otherwise;
  const known = c.constant(position);
  if (typeof known === 'boolean' || known === null) return known;
  return fail('unsupported', c.args[position]?.span ?? { start: 0, end: 0 }, `${what} must be constant`, 'write TRUE or FALSE');
}

export const textOf = (value: SqlExpression, type: Type, c: LowerCall): SqlExpression =>
  jsonText(value, type, { wideAsText: false, pretty: false }, c);

/** Makes an object of two arrays, keys and values; of equal keys the first one counts. */
function objectOfArrays(keys: SqlExpression, values: SqlExpression, c: LowerCall): SqlExpression {
  const [keyType, valueType] = [c.typeOf(0), c.typeOf(1)];
  if (valueType.kind !== 'ARRAY' || keyType.kind !== 'ARRAY' || keyType.element.kind !== 'STRING')
    return fail('type', c.args[0]?.span ?? { start: 0, end: 0 }, 'JSON_OBJECT takes two arrays: keys, which are STRINGs, and values');
  const [key, value, at, unknown, field] = ['key', 'value', 'place', 'key', 'field'].map((base) => c.fresh(base)) as [
    string,
    string,
    string,
    string,
    string,
  ];
  const text = call('concat', jsonString(call('assumeNotNull', ident(key))), lit(':'), textOf(ident(value), valueType.element, c));
  const isFirst = infix('=', call('indexOf', keys, ident(key)), ident(at));
  const length = call('length', keys);
  // Of lengths that differ nothing is made: an array function would fail in its own words.
  const paired = call('arrayResize', values, length);
  const fields = call('arrayMap', lambda([key, value, at], iff(isFirst, text, lit(''))), keys, paired, call('arrayEnumerate', keys));
  const written = call('arrayFilter', lambda([field], call('notEmpty', ident(field))), fields);
  const whole = call('concat', lit('{'), call('arrayStringConcat', written, lit(',')), lit('}'));
  const known = c.failIf(call('arrayExists', lambda([unknown], isNull(ident(unknown))), keys), 'JSON_OBJECT: a key is NULL', whole);
  return c.failIf(infix('!=', length, call('length', values)), 'JSON_OBJECT: the keys and values differ in number', known);
}

/** `{"key":value,…}`; keys must be there. */
function object(keys: readonly SqlExpression[], values: readonly SqlExpression[], types: readonly Type[], c: LowerCall): SqlExpression {
  if (keys.length === 0) return lit('{}');
  const parts = keys.flatMap((key, i) => [
    lit(i === 0 ? '{' : ','),
    jsonString(key),
    lit(':'),
    textOf(values[i] ?? NULL, types[i] ?? STRING, c),
  ]);
  return call('concat', ...parts, lit('}'));
}

/** An object of keys and values in turns. */
function objectOf(given: readonly SqlExpression[], c: LowerCall): SqlExpression {
  const first = c.typeOf(0);
  const [keys, listed] = given;
  if (given.length === 2 && first.kind === 'ARRAY' && keys !== undefined && listed !== undefined) return objectOfArrays(keys, listed, c);
  if (given.length % 2 === 1) return fail('type', c.args.at(-1)?.span ?? { start: 0, end: 0 }, 'JSON_OBJECT takes pairs: key, value, …');
  const at = (rest: number): readonly number[] => given.flatMap((_, i) => (i % 2 === rest ? [i] : []));
  const pick = (positions: readonly number[]): readonly SqlExpression[] => positions.flatMap((i) => given[i] ?? []);
  const constants = new Set<unknown>();
  for (const i of at(0)) {
    if (c.typeOf(i).kind !== 'STRING')
      return fail('type', c.args[i]?.span ?? { start: 0, end: 0 }, 'a key of JSON_OBJECT must be a STRING');
    const known = c.constant(i);
    if (known === null) return fail('type', c.args[i]?.span ?? { start: 0, end: 0 }, 'a key of JSON_OBJECT can’t be NULL');
    // BigQuery keeps the first of two equal keys.
    if (known === undefined || constants.has(known))
      return fail(
        'unsupported',
        c.args[i]?.span ?? { start: 0, end: 0 },
        'the keys of JSON_OBJECT must be different constants',
        'write each key once, as a string',
      );
    constants.add(known);
  }
  const values = at(1);
  return object(
    pick(at(0)),
    pick(values),
    values.map((i) => c.typeOf(i)),
    c,
  );
}

export const jsonMake = (): Family => ({
  TO_JSON_STRING: define(
    'value ANY, [pretty BOOL] -> STRING',
    ({ value }, c) => {
      const pretty = flag(c, 1, 'the second argument of TO_JSON_STRING');
      return pretty === null ? NULL : jsonText(value, c.typeOf(0), { wideAsText: true, exact: true, pretty }, c);
    },
    { writesAny: true },
  ),
  TO_JSON: define(
    'value ANY, [stringify_wide_numbers BOOL] -> JSON',
    ({ value }, c) => {
      const wide = flag(c, 1, 'stringify_wide_numbers');
      return wide === null ? NULL : jsonText(value, c.typeOf(0), { wideAsText: wide, pretty: false }, c);
    },
    { writesAny: true },
  ),
  JSON_ARRAY: define(
    '...values ANY -> JSON',
    ({ values }, c) => {
      const items = values.flatMap((v, i) => [lit(i === 0 ? '[' : ','), textOf(v, c.typeOf(i), c)]);
      return values.length === 0 ? lit('[]') : call('concat', ...items, lit(']'));
    },
    { writesAny: true },
  ),
  JSON_OBJECT: define('...keys_and_values ANY -> JSON', ({ keys_and_values: given }, c) => objectOf(given, c), { writesAny: true }),
});
