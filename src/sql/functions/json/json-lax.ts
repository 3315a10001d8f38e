// JSON_QUERY in its lax modes, and JSON_FLATTEN: arrays that nobody asked for are taken apart.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/json_functions#JSONPath_mode
import type { SqlExpression } from '../../target/ast.ts';
import { array, call, ident, iff, infix, isNull, lambda, lit, NULL } from '../../target/build.ts';
import type { Family, LowerCall } from '../define.ts';
import { strict } from '../strict.ts';
import type { JsonStep } from './json-path.ts';

const isArray = (value: SqlExpression): SqlExpression => call('startsWith', value, lit('['));

/** The values, arrays among them replaced by their elements. */
function unwrapped(values: SqlExpression, c: LowerCall): SqlExpression {
  const value = c.fresh('value');
  const at = ident(value);
  return call('arrayFlatten', call('arrayMap', lambda([value], iff(isArray(at), call('JSONExtractArrayRaw', at), array(at))), values));
}

/** How many arrays stand in each other at most in a document. */
function nesting(json: SqlExpression, c: LowerCall): SqlExpression {
  const token = c.fresh('token');
  const at = ident(token);
  const level = infix('-', infix('=', at, lit('[')), infix('=', at, lit(']')));
  const levels = call('arrayMap', lambda([token], level), call('extractAll', json, lit('"(?:[^"\\\\]|\\\\.)*"|[\\[\\]]')));
  return call('arrayMax', call('arrayCumSum', call('arrayPushFront', levels, lit(0))));
}

/** The same until no array is left; none of `json`, which holds them, is deeper. */
function flattened(values: SqlExpression, json: SqlExpression, c: LowerCall): SqlExpression {
  const [found, level] = [c.fresh('found'), c.fresh('level')];
  return call('arrayFold', lambda([found, level], unwrapped(ident(found), c)), call('range', call('toUInt64', nesting(json, c))), values);
}

const present = (values: SqlExpression, c: LowerCall): SqlExpression => {
  const value = c.fresh('value');
  return call('arrayFilter', lambda([value], infix('!=', ident(value), lit(''))), values);
};

/** Returns the values that the step finds in each of the values. */
function stepped(values: SqlExpression, step: JsonStep, c: LowerCall): SqlExpression {
  const value = c.fresh('value');
  const at = ident(value);
  const element = call('arrayElement', call('JSONExtractArrayRaw', at), lit(Number(step) + 1));
  const found = typeof step === 'string' ? call('JSONExtractRaw', at, lit(step)) : iff(isArray(at), element, step === 0 ? at : lit(''));
  return present(call('arrayMap', lambda([value], found), values), c);
}

/** All that the path finds, as a JSON array. */
export function laxQuery(given: SqlExpression, steps: readonly JsonStep[], recursive: boolean, c: LowerCall): SqlExpression {
  const json = c.neverNull(0) ? given : call('ifNull', given, lit(''));
  const found = steps.reduce((values, step) => {
    // A key is looked for in the elements of an array; a position is one of the array itself.
    if (typeof step === 'number') return stepped(values, step, c);
    return stepped(recursive ? flattened(values, json, c) : unwrapped(values, c), step, c);
  }, array(json));
  const list = call('concat', lit('['), call('arrayStringConcat', found, lit(',')), lit(']'));
  return c.neverNull(0) ? list : iff(isNull(given), NULL, list);
}

export const jsonLax = (): Family => ({
  JSON_FLATTEN: strict('json JSON -> ARRAY<JSON>', ({ json }, c) => {
    const text = c.neverNull(0) ? json : call('ifNull', json, lit('[]'));
    return flattened(array(text), text, c);
  }),
});
