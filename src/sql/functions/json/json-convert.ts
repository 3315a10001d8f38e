// JSON values as SQL values: strict (BOOL, INT64, FLOAT64, STRING) and lax. A JSON value is compact JSON text here.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/json_functions#lax_converters
import { fail } from '../../base/fail.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { call, ident, iff, infix, inList, isNull, lambda, lit, NULL, not } from '../../target/build.ts';
import type { Family, LowerCall } from '../define.ts';
import { strict } from '../strict.ts';
import { floatOfBareText } from '../text-number.ts';
import { isWideNumberMode, WIDE_NUMBER_MODES } from './wide-number.ts';

const NUMBER = '^-?[0-9]';
const isNumber = (json: SqlExpression): SqlExpression => call('match', json, lit(NUMBER));
const isText = (json: SqlExpression): SqlExpression => call('startsWith', json, lit('"'));
const isBool = (json: SqlExpression): SqlExpression => inList(json, [lit('true'), lit('false')]);
const textOf = (json: SqlExpression): SqlExpression => call('JSONExtractString', json);
const number = (json: SqlExpression): SqlExpression => call('toFloat64OrNull', json);
const nullsPass = (json: SqlExpression, value: SqlExpression): SqlExpression => iff(isNull(json), NULL, value);

/** Integers by their digits; numbers with a fraction or an exponent by way of FLOAT64, exactly or not at all. */
const exactInteger = (json: SqlExpression): SqlExpression =>
  iff(
    call('match', json, lit('^-?[0-9]+$')),
    call('accurateCastOrNull', json, lit('Int64')),
    call('accurateCastOrNull', number(json), lit('Int64')),
  );

/** The same, rounded half away from zero. */
function roundedInteger(text: SqlExpression): SqlExpression {
  const value = number(text);
  const rounded = infix('*', call('sign', value), call('ceil', infix('/', call('floor', infix('*', call('abs', value), lit(2))), lit(2))));
  return iff(
    call('match', text, lit('^[+-]?[0-9]+$')),
    call('accurateCastOrNull', text, lit('Int64')),
    call('accurateCastOrNull', rounded, lit('Int64')),
  );
}

function exactly(c: LowerCall, position: number): boolean {
  if ((c.args[position] ?? null) === null) return false;
  if (isWideNumberMode(c, position)) return c.constant(position) === 'exact';
  return fail('type', c.args[position]?.span ?? { start: 0, end: 0 }, WIDE_NUMBER_MODES);
}

type Convert = (json: SqlExpression, c: LowerCall) => SqlExpression;

const boolOf: Convert = (json, c) => c.failIf(not(isBool(json)), 'BOOL: the JSON value is not a boolean', infix('=', json, lit('true')));

const integerOf: Convert = (json, c) => {
  const value = exactInteger(json);
  return c.failIf(infix('OR', not(isNumber(json)), isNull(value)), 'INT64: the JSON value is not an integer in range', value);
};

/** `mode`: the position of the argument that says what becomes of integers with too many digits. */
const floatOf =
  (mode: number): Convert =>
  (json, c) => {
    const value = number(json);
    const lost = infix('AND', call('match', json, lit('^-?[0-9]+$')), infix('!=', call('printf', lit('%.0f'), value), json));
    const bad = exactly(c, mode) ? infix('OR', not(isNumber(json)), lost) : not(isNumber(json));
    return c.failIf(bad, 'FLOAT64: the JSON value is not a number that FLOAT64 holds', value);
  };

const laxBool: Convert = (json) => {
  const text = call('lower', textOf(json));
  const fromText = call('multiIf', infix('=', text, lit('true')), lit(true), infix('=', text, lit('false')), lit(false), NULL);
  return nullsPass(
    json,
    call(
      'multiIf',
      isBool(json),
      infix('=', json, lit('true')),
      isNumber(json),
      infix('!=', number(json), lit(0)),
      isText(json),
      fromText,
      NULL,
    ),
  );
};

const laxInteger: Convert = (json) =>
  nullsPass(
    json,
    call(
      'multiIf',
      isBool(json),
      call('toInt64', infix('=', json, lit('true'))),
      isNumber(json),
      roundedInteger(json),
      isText(json),
      roundedInteger(textOf(json)),
      NULL,
    ),
  );

const laxFloat: Convert = (json) =>
  nullsPass(json, call('multiIf', isNumber(json), number(json), isText(json), floatOfBareText(textOf(json)), NULL));

const laxText: Convert = (json) =>
  nullsPass(json, call('multiIf', infix('OR', isBool(json), isNumber(json)), json, isText(json), textOf(json), NULL));

/** Each element of an array; what is no array fails. */
function elementsOf(json: SqlExpression, one: Convert, c: LowerCall): SqlExpression {
  const item = c.fresh('item');
  const checked = c.failIf(not(call('startsWith', json, lit('['))), 'the JSON value is not an array', json);
  return call('arrayMap', lambda([item], one(ident(item), c)), call('JSONExtractArrayRaw', call('ifNull', checked, lit(''))));
}

/** Each element of an array, NULL where it cannot be converted; of what is no array NULL. */
const laxArray = (signature: `json JSON -> ARRAY<${'BOOL' | 'INT64' | 'FLOAT64' | 'STRING'}>`, one: Convert) =>
  strict(
    signature,
    ({ json }, c) => {
      const item = c.fresh('item');
      return call('arrayMap', lambda([item], one(ident(item), c)), call('JSONExtractArrayRaw', call('ifNull', json, lit(''))));
    },
    { readsJsonArray: true, nullElements: 'made' },
  );

export const jsonConvert = (): Family => ({
  BOOL: strict('json JSON -> BOOL', ({ json }, c) => boolOf(json, c)),
  INT64: strict('json JSON -> INT64', ({ json }, c) => integerOf(json, c)),
  FLOAT64: strict('json JSON, [wide_number_mode STRING] -> FLOAT64', ({ json }, c) => floatOf(1)(json, c)),
  BOOL_ARRAY: strict('json JSON -> ARRAY<BOOL>', ({ json }, c) => elementsOf(json, boolOf, c)),
  INT64_ARRAY: strict('json JSON -> ARRAY<INT64>', ({ json }, c) => elementsOf(json, integerOf, c)),
  FLOAT64_ARRAY: strict('json JSON, [wide_number_mode STRING] -> ARRAY<FLOAT64>', ({ json }, c) => elementsOf(json, floatOf(1), c)),
  STRING_ARRAY: strict('json JSON -> ARRAY<STRING>', ({ json }, c) => elementsOf(json, jsonString, c)),
  LAX_BOOL: strict('json JSON -> BOOL', ({ json }, c) => laxBool(json, c)),
  LAX_INT64: strict('json JSON -> INT64', ({ json }, c) => laxInteger(json, c)),
  LAX_FLOAT64: strict('json JSON -> FLOAT64', ({ json }, c) => laxFloat(json, c)),
  LAX_STRING: strict('json JSON -> STRING', ({ json }, c) => laxText(json, c)),
  LAX_BOOL_ARRAY: laxArray('json JSON -> ARRAY<BOOL>', laxBool),
  LAX_INT64_ARRAY: laxArray('json JSON -> ARRAY<INT64>', laxInteger),
  LAX_FLOAT64_ARRAY: laxArray('json JSON -> ARRAY<FLOAT64>', laxFloat),
  LAX_STRING_ARRAY: laxArray('json JSON -> ARRAY<STRING>', laxText),
});

/** STRING(json): only of a JSON string. */
export const jsonString = (json: SqlExpression, c: LowerCall): SqlExpression =>
  c.failIf(not(isText(json)), 'STRING: the JSON value is not a string', textOf(json));
