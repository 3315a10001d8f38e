// Reading values out of JSON text by path. The parsing of a document costs most, so a path of keys is one function call.
import { fail } from '../../base/fail.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { array, call, ident, iff, inList, lambda, lit, NULL, not, rarely } from '../../target/build.ts';
import { isConstant } from '../../target/constant.ts';
import { defineHelper } from '../../target/helpers.ts';
import type { LowerCall } from '../define.ts';
import { type JsonStep, parseJsonPath, parseLaxPath } from './json-path.ts';
import type { ReadContext } from './json-wide.ts';

/** Each step may be a call around the one before. */
const MAX_STEPS = 100;

/** The constant path at `position`; `$` where it is left out. */
export function pathOf(c: LowerCall, position: number, name: string): readonly JsonStep[] {
  const arg = c.args[position] ?? null;
  if (arg === null) return [];
  const known = c.constant(position);
  if (known === null) return [];
  if (typeof known !== 'string')
    return fail('unsupported', arg.span, `${name} takes a constant path`, `write it as a string, e.g. ${name}(value, '$.key')`);
  if (parseLaxPath(known)?.steps !== undefined)
    fail(
      'unsupported',
      arg.span,
      'a lax JSONPath works only in JSON_QUERY of a JSON value',
      'e.g. JSON_QUERY(PARSE_JSON(text), "lax $.key")',
    );
  const legacy = name.startsWith('JSON_EXTRACT');
  const steps = parseJsonPath(known, legacy);
  if (steps !== undefined && steps.length > MAX_STEPS)
    fail('too-complex', arg.span, `this JSONPath has ${steps.length} steps`, `quern translates at most ${MAX_STEPS}`);
  return (
    steps ??
    fail(
      'type',
      arg.span,
      `'${known}' is not a JSONPath`,
      legacy ? "write '$.key', \"$['a key']\" or '$[0]'" : "write '$.key', '$.\"a key\"' or '$[0]'",
    )
  );
}

const isRead = (value: SqlExpression): value is Extract<SqlExpression, { kind: 'func' }> =>
  value.kind === 'func' && value.name === 'JSONExtractRaw';

/** Text of the value at `steps`: empty where there is none. ClickHouse's number in a path would also count the keys of an object. */
export function readRaw(json: SqlExpression, steps: readonly (JsonStep | SqlExpression)[]): SqlExpression {
  let at = json;
  let keys: SqlExpression[] = [];
  const read = (): SqlExpression => (keys.length === 0 ? at : call('JSONExtractRaw', ...(isRead(at) ? at.args : [at]), ...keys));
  for (const step of steps) {
    if (typeof step !== 'number') {
      keys.push(typeof step === 'string' ? lit(step) : step);
      continue;
    }
    at = call('arrayElement', elements(read()), lit(step + 1));
    keys = [];
  }
  return read();
}

/** Texts of the elements of an array: none where it is no array. */
export function elements(raw: SqlExpression): SqlExpression {
  const [json = raw, ...path] = isRead(raw) ? raw.args : [raw];
  // ClickHouse has no NULL array to give for a NULL document.
  return call('JSONExtractArrayRaw', json.kind === 'lit' ? json : call('ifNull', json, lit('')), ...path);
}

/** A value as text, strings without their quotes; NULL for null and nothing. */
export const anyText = (raw: SqlExpression): SqlExpression =>
  call('JSONExtract', ...(isRead(raw) ? raw.args : [raw]), lit('Nullable(String)'));

/** The same as `scalarText` of a document that hardly a row has. */
export const rareScalarText = (raw: SqlExpression): SqlExpression => iff(isNested(raw), NULL, anyText(raw));

/** A scalar as text, strings without their quotes; NULL for null, objects, arrays and nothing. */
export function scalarText(raw: SqlExpression): SqlExpression {
  const text = anyText(raw);
  // An element begins like what it is. ClickHouse writes a FLOAT64 up to 1e21 as an integer, and reads none beyond 64 bits.
  if (isElement(raw)) return iff(call('startsWith', raw, lit('"')), text, iff(call('match', raw, lit('^[-0-9tf]')), raw, NULL));
  // Objects and arrays come as their text too; only a string may really begin like one.
  const [json] = isRead(raw) ? raw.args : [];
  if (json === undefined) return rareScalarText(raw);
  const isText = call('startsWith', raw, lit('"'));
  return isConstant(json) ? scalarOf(text, isText) : jsonScalar(text, isText);
}

/** The same in the body of a helper: reads documents a second time only where a text begins like an object or an array. */
export function scalarTextOf(document: SqlExpression, path: readonly SqlExpression[]): SqlExpression {
  const text = call('JSONExtract', document, ...path, lit('Nullable(String)'));
  const isUsual = not(call('ifNull', isNested(text), lit(false)));
  return rarely(isUsual, text, [document], (odd) => rareScalarText(call('JSONExtractRaw', odd, ...path)));
}

const scalarOf = (text: SqlExpression, isText: SqlExpression): SqlExpression => iff(isNested(text), iff(isText, text, NULL), text);
const jsonScalar = defineHelper('json_scalar', ['_text', '_is_string'], scalarOf);

/** True of a text that begins like an object or an array. */
const isNested = (text: SqlExpression): SqlExpression => call('match', text, lit('^[{[]'));

/** Returns the elements of an array as ClickHouse writes them. */
const isElement = (raw: SqlExpression): boolean =>
  raw.kind === 'func' && (raw.name === 'arrayElement' || (raw.name === 'nullIf' && raw.args[0] !== undefined && isElement(raw.args[0])));

/** Scalars of an array as texts; [] where there is no array or an element is an object or an array. */
export function scalarTexts(raw: SqlExpression, c: ReadContext): SqlExpression {
  const item = c.fresh('item');
  return iff(holdsNested(raw, c), array(), call('arrayMap', lambda([item], scalarText(ident(item))), elements(raw)));
}

/** True if an element of an array is an object or an array. */
export function holdsNested(raw: SqlExpression, c: ReadContext): SqlExpression {
  const nested = c.fresh('item');
  return call('arrayExists', lambda([nested], isNested(ident(nested))), elements(raw));
}

/** JSON text of a value read from STRING: NULL where there is nothing or null. */
export const textOrNull = (raw: SqlExpression): SqlExpression => iff(inList(raw, ['', 'null'].map(lit)), NULL, raw);

/** A JSON value: SQL NULL where there is nothing; null stays JSON null. */
export const jsonOrNull = (raw: SqlExpression): SqlExpression => call('nullIf', raw, lit(''));
