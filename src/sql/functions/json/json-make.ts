// JSON functions that make JSON. https://cloud.google.com/bigquery/docs/reference/standard-sql/json_functions
import { fail } from '../../fail.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { call, lit, NULL } from '../../target/build.ts';
import { STRING, type Type } from '../../types.ts';
import { define, type Family, type LowerCall } from '../define.ts';
import { jsonString, jsonText } from './json-text.ts';

/** A constant BOOL argument. */
function flag(c: LowerCall, position: number, what: string): boolean | null {
  if ((c.args[position] ?? null) === null) return false;
  const known = c.constant(position);
  if (typeof known === 'boolean' || known === null) return known;
  return fail('unsupported', c.args[position]?.span ?? { start: 0, end: 0 }, `${what} must be constant`, 'write TRUE or FALSE');
}

const text = (value: SqlExpression, type: Type, c: LowerCall): SqlExpression =>
  jsonText(value, type, { wideAsText: false, pretty: false }, c);

/** `{"key":value,…}`; keys must be there. */
function object(keys: readonly SqlExpression[], values: readonly SqlExpression[], types: readonly Type[], c: LowerCall): SqlExpression {
  if (keys.length === 0) return lit('{}');
  const parts = keys.flatMap((key, i) => [
    lit(i === 0 ? '{' : ','),
    jsonString(key),
    lit(':'),
    text(values[i] ?? NULL, types[i] ?? STRING, c),
  ]);
  return call('concat', ...parts, lit('}'));
}

/** An object of keys and values in turns. */
function objectOf(given: readonly SqlExpression[], c: LowerCall): SqlExpression {
  const first = c.typeOf(0);
  if (given.length === 2 && first.kind === 'ARRAY')
    return fail(
      'unsupported',
      c.args[0]?.span ?? { start: 0, end: 0 },
      'JSON_OBJECT of two arrays is not supported',
      'write the keys and values one after the other',
    );
  if (given.length % 2 === 1)
    return fail('type', c.args.at(-1)?.span ?? { start: 0, end: 0 }, 'JSON_OBJECT takes pairs: a key, a value, …');
  const at = (rest: number): readonly number[] => given.flatMap((_, i) => (i % 2 === rest ? [i] : []));
  const pick = (positions: readonly number[]): readonly SqlExpression[] => positions.flatMap((i) => given[i] ?? []);
  const constants = new Set<unknown>();
  for (const i of at(0)) {
    if (c.typeOf(i).kind !== 'STRING') return fail('type', c.args[i]?.span ?? { start: 0, end: 0 }, 'a key of JSON_OBJECT is a STRING');
    const known = c.constant(i);
    if (known === null) return fail('type', c.args[i]?.span ?? { start: 0, end: 0 }, 'a key of JSON_OBJECT can’t be NULL');
    // BigQuery keeps the first of two equal keys.
    if (known === undefined || constants.has(known))
      return fail(
        'unsupported',
        c.args[i]?.span ?? { start: 0, end: 0 },
        'JSON_OBJECT takes constant keys that differ',
        'name each key once, as text',
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

export const jsonMake: Family = {
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
      const items = values.flatMap((v, i) => [lit(i === 0 ? '[' : ','), text(v, c.typeOf(i), c)]);
      return values.length === 0 ? lit('[]') : call('concat', ...items, lit(']'));
    },
    { writesAny: true },
  ),
  JSON_OBJECT: define('...keys_and_values ANY -> JSON', ({ keys_and_values: given }, c) => objectOf(given, c), { writesAny: true }),
};
