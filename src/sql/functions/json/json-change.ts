// JSON_SET, JSON_ARRAY_APPEND and JSON_ARRAY_INSERT: the document is written anew along the path.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/json_functions#json_set
import { fail } from '../../base/fail.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { array, call, element, ident, iff, infix, isNull, lambda, lit, NULL } from '../../target/build.ts';
import { define, type Family, type LowerCall } from '../define.ts';
import { flag, textOf } from './json-make.ts';
import type { JsonStep } from './json-path.ts';
import { pathOf } from './json-read.ts';
import { jsonString } from './json-text.ts';

/** Each step is a call inside of the one before. */
const MAX_STEPS = 20;
/** An array is filled up to the place that is set. */
const MAX_PLACE = 10_000;

const SHORTEST = { approximate: 'numbers are written in their shortest form, such as 1 for 1.0' } as const;

/** The change at the end of a path. */
interface Change {
  /** The new text of the value there. */
  readonly change: (value: SqlExpression) => SqlExpression;
  /** The text of a value where there is none; null: then nothing is changed. */
  readonly missing: SqlExpression | null;
}

export const startsWith = (json: SqlExpression, bracket: '{' | '['): SqlExpression => call('startsWith', json, lit(bracket));
const isJsonNull = (json: SqlExpression): SqlExpression => infix('=', json, lit('null'));
const arrayText = (items: SqlExpression): SqlExpression => call('concat', lit('['), call('arrayStringConcat', items, lit(',')), lit(']'));
const objectText = (fields: SqlExpression): SqlExpression =>
  call('concat', lit('{'), call('arrayStringConcat', fields, lit(',')), lit('}'));

/** `body` with a name for `value`, which it reads more than once. */
export function bind(value: SqlExpression, c: LowerCall, body: (name: SqlExpression) => SqlExpression): SqlExpression {
  const name = c.fresh('document');
  return call('arrayElement', call('arrayMap', lambda([name], body(ident(name))), array(value)), lit(1));
}

/** Objects and arrays around a new value. */
function created(steps: readonly JsonStep[], value: SqlExpression): SqlExpression {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  const inner = created(rest, value);
  return typeof step === 'string'
    ? call('concat', lit(`{${JSON.stringify(step)}:`), inner, lit('}'))
    : call('concat', lit(`[${'null,'.repeat(step)}`), inner, lit(']'));
}

/** `json` with its value at the steps changed. */
export function changed(json: SqlExpression, steps: readonly JsonStep[], how: Change, c: LowerCall): SqlExpression {
  const [step, ...rest] = steps;
  if (step === undefined) return how.change(json);
  const made = how.missing === null ? null : created(rest, how.missing);
  const inside = typeof step === 'string' ? inObject(json, step, rest, made, how, c) : inArray(json, step, rest, made, how, c);
  return how.missing === null ? inside : iff(isJsonNull(json), created(steps, how.missing), inside);
}

function inObject(
  json: SqlExpression,
  key: string,
  rest: readonly JsonStep[],
  made: SqlExpression | null,
  how: Change,
  c: LowerCall,
): SqlExpression {
  const [field, name] = [c.fresh('field'), c.fresh('field')];
  const [own, value] = [element(ident(field), 1), element(ident(field), 2)];
  const fields = call('JSONExtractKeysAndValuesRaw', json);
  const isHere = infix('=', own, lit(key));
  const text = call('concat', jsonString(own), lit(':'), iff(isHere, changed(value, rest, how, c), value));
  const written = call('arrayMap', lambda([field], text), fields);
  if (made === null) return iff(startsWith(json, '{'), objectText(written), json);
  const isThere = call('arrayExists', lambda([name], infix('=', element(ident(name), 1), lit(key))), fields);
  const added = call('arrayPushBack', written, call('concat', lit(`${JSON.stringify(key)}:`), made));
  return iff(startsWith(json, '{'), objectText(iff(isThere, written, added)), json);
}

function inArray(
  json: SqlExpression,
  place: number,
  rest: readonly JsonStep[],
  made: SqlExpression | null,
  how: Change,
  c: LowerCall,
): SqlExpression {
  const [item, at] = [c.fresh('item'), c.fresh('place')];
  const items = call('JSONExtractArrayRaw', json);
  const text = iff(infix('=', ident(at), lit(place + 1)), changed(ident(item), rest, how, c), ident(item));
  const written = call('arrayMap', lambda([item, at], text), items, call('arrayEnumerate', items));
  if (made === null) return iff(startsWith(json, '['), arrayText(written), json);
  const filled = call('arrayPushBack', call('arrayResize', written, lit(place), lit('null')), made);
  return iff(startsWith(json, '['), arrayText(iff(infix('>', call('length', items), lit(place)), written, filled)), json);
}

/** `item` put into an array at a place, behind nulls where there are fewer elements. */
function inserted(json: SqlExpression, place: number, items: SqlExpression): SqlExpression {
  const all = iff(startsWith(json, '['), call('JSONExtractArrayRaw', json), call('emptyArrayString'));
  const before = call('arrayResize', all, lit(place), lit('null'));
  const after = call('arraySlice', all, lit(place + 1));
  return iff(infix('OR', startsWith(json, '['), isJsonNull(json)), arrayText(call('arrayConcat', before, items, after)), json);
}

/** Path and value by the positions of their arguments. */
interface Pair {
  readonly path: number;
  readonly value: SqlExpression;
  readonly at: number;
}

/** The pairs of a call `(json, path, value, [named], path, value, …)`. */
function pairsOf(value: SqlExpression, more: readonly SqlExpression[], c: LowerCall, name: string): readonly Pair[] {
  if (more.length % 2 === 1)
    fail('type', c.args.at(-1)?.span ?? { start: 0, end: 0 }, `${name} takes pairs after the document: path, value, …`);
  const pairs: Pair[] = [{ path: 1, value, at: 2 }];
  for (let i = 0; i < more.length; i += 2) pairs.push({ path: i + 4, value: more[i + 1] ?? NULL, at: i + 5 });
  return pairs;
}

/** Steps of a path, or null where the path is NULL. */
function stepsAt(c: LowerCall, position: number, name: string): readonly JsonStep[] | null {
  const arg = c.args[position] ?? null;
  if (c.constant(position) === null) return null;
  const steps = pathOf(c, position, name);
  const span = arg?.span ?? { start: 0, end: 0 };
  if (steps.length > MAX_STEPS) fail('too-complex', span, `${name} takes paths of at most ${MAX_STEPS} steps`);
  if (steps.some((step) => typeof step === 'number' && step > MAX_PLACE))
    fail('too-complex', span, `${name} takes array positions up to ${MAX_PLACE}`);
  return steps;
}

/** The document after one change for each pair; NULL where the document or a path is. */
function changedBy(
  name: string,
  json: SqlExpression,
  pairs: readonly Pair[],
  c: LowerCall,
  one: (document: SqlExpression, steps: readonly JsonStep[], pair: Pair) => SqlExpression,
): SqlExpression {
  let result = call('ifNull', json, lit('null'));
  for (const pair of pairs) {
    const steps = stepsAt(c, pair.path, name);
    if (steps === null) return NULL;
    result = bind(result, c, (document) => one(document, steps, pair));
  }
  return iff(isNull(json), NULL, result);
}

/** The values that APPEND and INSERT put in: the elements of an array each, unless the call says otherwise. */
function itemsOf(pair: Pair, each: boolean, c: LowerCall): SqlExpression {
  const type = c.typeOf(pair.at);
  if (!each || type.kind !== 'ARRAY') return array(call('assumeNotNull', textOf(pair.value, type, c)));
  const item = c.fresh('item');
  return call('arrayMap', lambda([item], call('assumeNotNull', textOf(ident(item), type.element, c))), pair.value);
}

const SIGNATURE_OF = (option: string) => `json JSON, path STRING, value ANY, [${option} => BOOL], ...more ANY -> JSON` as const;

export const jsonChange = (): Family => ({
  JSON_SET: define(
    SIGNATURE_OF('create_if_missing'),
    ({ json, value, more }, c) => {
      const creates = flag(c, 3, 'create_if_missing', true);
      if (creates === null) return NULL;
      return changedBy('JSON_SET', json, pairsOf(value, more, c, 'JSON_SET'), c, (document, steps, pair) => {
        // Written, NULL is null.
        const text = call('assumeNotNull', textOf(pair.value, c.typeOf(pair.at), c));
        return changed(document, steps, { change: () => text, missing: creates ? text : null }, c);
      });
    },
    { writesAny: true, ...SHORTEST },
  ),
  JSON_ARRAY_APPEND: define(
    SIGNATURE_OF('append_each_element'),
    ({ json, value, more }, c) => {
      const each = flag(c, 3, 'append_each_element', true);
      if (each === null) return NULL;
      return changedBy('JSON_ARRAY_APPEND', json, pairsOf(value, more, c, 'JSON_ARRAY_APPEND'), c, (document, steps, pair) => {
        const items = itemsOf(pair, each, c);
        const appended = (at: SqlExpression): SqlExpression =>
          call(
            'multiIf',
            startsWith(at, '['),
            arrayText(call('arrayConcat', call('JSONExtractArrayRaw', at), items)),
            isJsonNull(at),
            arrayText(items),
            at,
          );
        return changed(document, steps, { change: appended, missing: null }, c);
      });
    },
    SHORTEST,
  ),
  JSON_ARRAY_INSERT: define(
    SIGNATURE_OF('insert_each_element'),
    ({ json, value, more }, c) => {
      const each = flag(c, 3, 'insert_each_element', true);
      if (each === null) return NULL;
      return changedBy('JSON_ARRAY_INSERT', json, pairsOf(value, more, c, 'JSON_ARRAY_INSERT'), c, (document, steps, pair) => {
        const place = steps.at(-1);
        if (typeof place !== 'number') return document;
        const items = itemsOf(pair, each, c);
        return changed(document, steps.slice(0, -1), { change: (at) => inserted(at, place, items), missing: null }, c);
      });
    },
    SHORTEST,
  ),
});
