// JSON functions that change documents. ClickHouse has none, so objects and arrays on the path are written anew from their parts.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/json_functions#json_remove
import { fail } from '../../base/fail.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { call, element, ident, iff, infix, isNull, lambda, lit, NULL } from '../../target/build.ts';
import { define, type Family, type LowerCall } from '../define.ts';
import { bind, changed as changedAt, startsWith } from './json-change.ts';
import { flag } from './json-make.ts';
import type { JsonStep } from './json-path.ts';
import { pathOf } from './json-read.ts';
import { withoutNulls } from './json-strip.ts';
import { jsonString } from './json-text.ts';

const SHORTEST = { approximate: 'numbers are written in their shortest form, such as 1 for 1.0' } as const;

/** Each step is a call inside of the one before. */
const MAX_STEPS = 20;

/** `json` without what stands at the steps; where nothing does, as it is. */
function removed(json: SqlExpression, [step, ...rest]: readonly JsonStep[], c: LowerCall): SqlExpression {
  if (step === undefined) return json;
  const name = c.fresh(typeof step === 'string' ? 'field' : 'item');
  const part = ident(name);
  if (typeof step === 'number') {
    const place = c.fresh('place');
    const items = call('JSONExtractArrayRaw', json);
    const isHere = infix('=', ident(place), lit(step + 1));
    const places = call('arrayEnumerate', items);
    const kept =
      rest.length === 0
        ? call('arrayFilter', lambda([name, place], infix('!=', ident(place), lit(step + 1))), items, places)
        : call('arrayMap', lambda([name, place], iff(isHere, removed(part, rest, c), part)), items, places);
    return iff(startsWith(json, '['), call('concat', lit('['), call('arrayStringConcat', kept, lit(',')), lit(']')), json);
  }
  const [key, value] = [element(part, 1), element(part, 2)];
  const fields = call('JSONExtractKeysAndValuesRaw', json);
  const others = rest.length > 0 ? fields : call('arrayFilter', lambda([name], infix('!=', key, lit(step))), fields);
  const changed = rest.length === 0 ? value : iff(infix('=', key, lit(step)), removed(value, rest, c), value);
  const texts = call('arrayMap', lambda([name], call('concat', jsonString(key), lit(':'), changed)), others);
  return iff(startsWith(json, '{'), call('concat', lit('{'), call('arrayStringConcat', texts, lit(',')), lit('}')), json);
}

export const jsonEdit = (): Family => ({
  JSON_REMOVE: define(
    'json JSON, path STRING, ...paths STRING -> JSON',
    ({ json }, c) => {
      const changed = c.args.reduce<SqlExpression>(
        (document, arg, i) => {
          // A path that is NULL removes nothing.
          if (i === 0 || arg === null || c.constant(i) === null) return document;
          const steps = pathOf(c, i, 'JSON_REMOVE');
          if (steps.length === 0)
            fail('type', arg.span, 'JSON_REMOVE can’t remove the whole document', "write what to remove, e.g. '$.key'");
          if (steps.length > MAX_STEPS) fail('too-complex', arg.span, `JSON_REMOVE takes paths of at most ${MAX_STEPS} steps`);
          // The document is read more than once, and may be long: it gets a name.
          return bind(document, c, (name) => removed(name, steps, c));
        },
        call('ifNull', json, lit('')),
      );
      return iff(isNull(json), NULL, changed);
    },
    SHORTEST,
  ),
  JSON_STRIP_NULLS: define(
    'json JSON, [path STRING], [include_arrays => BOOL], [remove_empty => BOOL] -> JSON',
    ({ json }, c) => {
      const arrays = flag(c, 2, 'include_arrays', true);
      const empty = flag(c, 3, 'remove_empty');
      if (arrays === null || empty === null || c.constant(1) === null) return NULL;
      const steps = pathOf(c, 1, 'JSON_STRIP_NULLS');
      const change = (at: SqlExpression): SqlExpression => withoutNulls(at, { arrays, empty }, c);
      const whole = call('ifNull', json, lit('null'));
      return iff(
        isNull(json),
        NULL,
        bind(whole, c, (document) => changedAt(document, steps, { change, missing: null }, c)),
      );
    },
    SHORTEST,
  ),
});
