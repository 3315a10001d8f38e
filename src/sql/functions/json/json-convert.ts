// JSON values as SQL values: strict (BOOL, INT64, FLOAT64, STRING) and lax. A JSON value is compact JSON text here.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/json_functions#lax_converters
import { fail } from '../../fail.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { call, iff, infix, inList, isNull, lit, NULL, not } from '../../target/build.ts';
import type { Family, LowerCall } from '../define.ts';
import { strict } from '../strict.ts';
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

export const jsonConvert: Family = {
  BOOL: strict('json JSON -> BOOL', ({ json }, c) =>
    c.failIf(not(isBool(json)), 'BOOL: the JSON value is not a boolean', infix('=', json, lit('true'))),
  ),
  INT64: strict('json JSON -> INT64', ({ json }, c) => {
    const value = exactInteger(json);
    return c.failIf(infix('OR', not(isNumber(json)), isNull(value)), 'INT64: the JSON value is not an integer in range', value);
  }),
  FLOAT64: strict('json JSON, [wide_number_mode STRING] -> FLOAT64', ({ json }, c) => {
    const value = number(json);
    const lost = infix('AND', call('match', json, lit('^-?[0-9]+$')), infix('!=', call('printf', lit('%.0f'), value), json));
    const bad = exactly(c, 1) ? infix('OR', not(isNumber(json)), lost) : not(isNumber(json));
    return c.failIf(bad, 'FLOAT64: the JSON value is not a number that FLOAT64 holds', value);
  }),
  LAX_BOOL: strict('json JSON -> BOOL', ({ json }) => {
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
  }),
  LAX_INT64: strict('json JSON -> INT64', ({ json }) =>
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
    ),
  ),
  LAX_FLOAT64: strict('json JSON -> FLOAT64', ({ json }) =>
    nullsPass(json, call('multiIf', isNumber(json), number(json), isText(json), number(textOf(json)), NULL)),
  ),
  LAX_STRING: strict('json JSON -> STRING', ({ json }) =>
    nullsPass(json, call('multiIf', infix('OR', isBool(json), isNumber(json)), json, isText(json), textOf(json), NULL)),
  ),
};

/** STRING(json): only of a JSON string. */
export const jsonString = (json: SqlExpression, c: LowerCall): SqlExpression =>
  c.failIf(not(isText(json)), 'STRING: the JSON value is not a string', textOf(json));
