// JSON functions that read. https://cloud.google.com/bigquery/docs/reference/standard-sql/json_functions
import { fail } from '../../base/fail.ts';
import { canonicalJson, hasWideInteger } from '../../base/json-canonical.ts';
import { STRING } from '../../base/types.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { call, cast, failIf, iff, infix, inList, isNull, lit, NULL, not } from '../../target/build.ts';
import { isConstant } from '../../target/constant.ts';
import { defineHelper } from '../../target/helpers.ts';
import { define, type Family, type LowerCall } from '../define.ts';
import { nullsPass, strict } from '../strict.ts';
import { laxQuery } from './json-lax.ts';
import { type JsonStep, parseLaxPath } from './json-path.ts';
import {
  anyText,
  elements,
  holdsNested,
  jsonOrNull,
  pathOf,
  rareScalarText,
  readRaw,
  scalarText,
  scalarTextOf,
  scalarTexts,
  textOrNull,
} from './json-read.ts';
import { isWide, type ReadContext, readExactly, restoreEach, restoreJson, restoreScalar, rounded } from './json-wide.ts';
import { isWideNumberMode, WIDE_NUMBER_MODES } from './wide-number.ts';

/** ClickHouse's JSON functions take no text that is both LowCardinality and Nullable, which a column may be. */
function document(json: SqlExpression, c: LowerCall): SqlExpression {
  if (json.kind === 'lit' && json.value === null) return cast(json, 'Nullable(String)'); // of a document that is NULL in each row
  return c.typeOf(0).kind !== 'STRING' || c.neverNull(0) || isConstant(json) ? json : cast(json, 'Nullable(String)');
}

type Path = readonly (JsonStep | SqlExpression)[];
/** Whether the keys are parameters of a helper, in whose body this is. */
const isOfParameters = (path: Path): path is readonly SqlExpression[] => path.length > 0 && path.every((step) => typeof step === 'object');
type Read = (json: SqlExpression, path: Path, context: ReadContext) => SqlExpression;

/** By name and number of keys. */
const readers = new Map<string, (...args: SqlExpression[]) => SqlExpression>();

/** Reads a text that differs between rows, at a path of keys, with a helper for all paths of so many keys. */
function readPath(name: string, json: SqlExpression, steps: readonly JsonStep[], c: LowerCall, read: Read): SqlExpression {
  if (c.typeOf(0).kind !== 'STRING' || c.constant(0) !== undefined || isConstant(json) || steps.some((step) => typeof step === 'number'))
    return read(json, steps, c);
  const helper = steps.length === 1 ? name : `${name}_${steps.length}`;
  let reader = readers.get(helper);
  if (reader === undefined) {
    const keys = steps.map((_, i) => `_key${i + 1}` as const);
    const names = new Set<string>();
    const fresh = (base: string): string => {
      let own = `_${base}`;
      while (names.has(own)) own += '_';
      names.add(own);
      return own;
    };
    reader = defineHelper(
      helper,
      ['_json', ...keys],
      (document, ...path) => read(document as SqlExpression, path, { typeOf: () => STRING, constant: () => undefined, fresh }),
      name === 'json_value' ? BRIEF_VALUE : undefined,
    );
    readers.set(helper, reader);
  }
  return reader(json, ...steps.map((key) => lit(key)));
}

/** Without a look at integers beyond 64 bits. ClickHouse's JSON_VALUE gives '' for nothing, objects and arrays, and `null` for a null. */
const BRIEF_VALUE: Parameters<typeof defineHelper>[3] = {
  of: (document, ...keys) =>
    iff(
      inList(call('JSONType', document ?? NULL, ...keys), ['Object', 'Array'].map(lit)),
      NULL,
      call('JSONExtract', document ?? NULL, ...keys, lit('Nullable(String)')),
    ),
  loose: {
    words: ['', 'null'],
    of(document, ...keys) {
      const names = keys.map((key) => (key.kind === 'lit' && typeof key.value === 'string' ? key.value : ''));
      if (document === undefined || !names.every((key) => /^[A-Za-z_]\w*$/.test(key))) return undefined;
      return call('JSON_VALUE', document, lit(['$', ...names].join('.')));
    },
  },
  note: 'a JSON text with integers beyond 64 bits reads as no JSON',
};

const WIDE_INTEGERS = 'integers beyond 64 bits';

/** The value at the path as JSON text; a document in a STRING is written without the spaces it had. */
function query(json: SqlExpression, c: LowerCall, name: string): SqlExpression {
  const path = c.constant(1);
  const lax = name === 'JSON_QUERY' && c.typeOf(0).kind === 'JSON' && typeof path === 'string' ? parseLaxPath(path) : undefined;
  if (lax?.steps !== undefined) return laxQuery(json, lax.steps, lax.recursive, c);
  const steps = pathOf(c, 1, name);
  if (c.typeOf(0).kind === 'JSON') return steps.length === 0 ? json : jsonOrNull(readRaw(json, steps));
  return readPath('json_query', json, steps, c, (document, path, context) =>
    readExactly(document, context, {
      read: (text) => textOrNull(rawText(text, path, context)),
      found: (text) => infix('=', rawText(text, path, context), lit('')),
      restore: restoreJson,
    }),
  );
}

/** The raw value at the path; of a whole text it is written without its spaces. */
const rawText = (json: SqlExpression, steps: Path, c: ReadContext): SqlExpression =>
  steps.length === 0 && c.typeOf(0).kind === 'STRING' ? call('JSONExtractRaw', json) : readRaw(json, steps);

function value(json: SqlExpression, c: LowerCall, name: string): SqlExpression {
  const steps = pathOf(c, 1, name);
  return readPath('json_value', json, steps, c, (document, path, context) =>
    readExactly(document, context, {
      read: (text) => (isOfParameters(path) ? scalarTextOf(text, path) : scalarText(rawText(text, path, context))),
      reread: (text) => rareScalarText(rawText(text, path, context)),
      found: (text) => isNull(anyText(rawText(text, path, context))),
      restore: restoreScalar,
    }),
  );
}

const SHORTEST = { approximate: 'numbers in a STRING are written in their shortest form, such as 1 for 1.0' };

const queryOf = (name: string) =>
  strict(
    'json JSON, [path STRING] -> JSON | json STRING, [path STRING] -> STRING',
    ({ json }, c) => query(document(json, c), c, name),
    SHORTEST,
  );
const scalarOf = (name: string) =>
  strict(
    'json JSON, [path STRING] -> STRING | json STRING, [path STRING] -> STRING',
    ({ json }, c) => value(document(json, c), c, name),
    SHORTEST,
  );
const queryArray = (name: string) =>
  strict(
    'json JSON, [path STRING] -> ARRAY<JSON> | json STRING, [path STRING] -> ARRAY<STRING>',
    ({ json }, c) => {
      const steps = pathOf(c, 1, name);
      return readPath('json_query_array', document(json, c), steps, c, (document, path, context) =>
        readExactly(document, context, {
          read: (text) => elements(readRaw(text, path)),
          found: (text) => call('empty', elements(readRaw(text, path))),
          restore: restoreEach(restoreJson, context),
          many: true,
        }),
      );
    },
    { readsJsonArray: true, neverFails: true },
  );
const valueArray = (name: string) =>
  strict(
    'json JSON, [path STRING] -> ARRAY<STRING> | json STRING, [path STRING] -> ARRAY<STRING>',
    ({ json }, c) => {
      const steps = pathOf(c, 1, name);
      return readPath('json_value_array', document(json, c), steps, c, (document, path, context) =>
        readExactly(document, context, {
          read: (text) => scalarTexts(readRaw(text, path), context),
          found: (text) => call('empty', elements(readRaw(text, path))),
          restore: restoreEach(restoreScalar, context),
          many: true,
        }),
      );
    },
    { readsJsonArray: true, neverFails: true, nullElements: 'made' },
  );

function subscript(json: SqlExpression, key: SqlExpression, c: LowerCall): SqlExpression {
  const known = c.constant(1);
  if (c.typeOf(1).kind === 'STRING')
    return jsonOrNull(known === undefined ? call('JSONExtractRaw', json, key) : readRaw(unwrapped(json), [String(known)]));
  if (typeof known === 'bigint') return known < 0n ? cast(NULL, 'Nullable(String)') : jsonOrNull(readRaw(unwrapped(json), [Number(known)]));
  // The position of no element stands for NULL: an array can't be read at a NULL.
  const at = call('ifNull', key, lit(-1));
  return iff(infix('<', at, lit(0)), NULL, jsonOrNull(call('arrayElement', elements(json), infix('+', at, lit(1)))));
}

/** A subscript of a subscript goes on with its path. */
const unwrapped = (json: SqlExpression): SqlExpression =>
  json.kind === 'func' &&
  json.name === 'nullIf' &&
  json.args[0]?.kind === 'func' &&
  ['JSONExtractRaw', 'arrayElement'].includes(json.args[0].name)
    ? json.args[0]
    : json;

function refuseWide(c: LowerCall): never {
  return fail('unsupported', c.args[0]?.span ?? { start: 0, end: 0 }, `JSON with ${WIDE_INTEGERS} is not supported`, 'write it in quotes');
}

/** To ClickHouse a text with a wide integer is no JSON. It is rounded where that is asked for; which of them BigQuery takes as they are, is not known here. */
function parsedColumn(json: SqlExpression, isNone: SqlExpression, c: LowerCall): SqlExpression {
  const raw = call('JSONExtractRaw', json);
  // FLOAT64s from 2^64 on are written without an exponent up to 1e21, which ClickHouse would not read again.
  const plain = c.constant(0) === undefined ? iff(infix('=', call('isValidJSON', raw), lit(0)), rounded(raw), raw) : raw;
  const mayRound = c.constant(1) === 'round' && c.constant(0) === undefined;
  const read = c.failIf(mayRound ? infix('AND', isNone, not(isWide(json))) : isNone, PARSE_FAILED, plain);
  if (mayRound) return iff(isWide(json), call('nullIf', rounded(call('JSONExtractRaw', rounded(json))), lit('')), read);
  const isDoubted = infix('AND', isNone, call('match', json, lit('[0-9]{19}')));
  return c.safe && c.constant(0) === undefined ? failIf(isDoubted, `PARSE_JSON: JSON with ${WIDE_INTEGERS} is not supported`, read) : read;
}

const PARSE_FAILED = 'PARSE_JSON: this is not JSON';

function noArray(json: SqlExpression, c: LowerCall): SqlExpression {
  const reader = String(c.constant(2));
  const steps = pathOf(c, 1, reader);
  const raw = readExactly(json, c, {
    read: (text) => call('nullIf', rawText(text, steps, c), lit('')),
    found: (text) => infix('=', rawText(text, steps, c), lit('')),
    restore: (marked) => marked,
  });
  const other = not(call('startsWith', call('trimLeft', call('ifNull', raw, lit(''))), lit('[')));
  return reader.startsWith('JSON_VALUE') || reader.startsWith('JSON_EXTRACT_STRING') ? infix('OR', other, holdsNested(raw, c)) : other;
}

export const json = (): Family => ({
  JSON_QUERY: queryOf('JSON_QUERY'),
  JSON_EXTRACT: queryOf('JSON_EXTRACT'),
  JSON_VALUE: scalarOf('JSON_VALUE'),
  JSON_EXTRACT_SCALAR: scalarOf('JSON_EXTRACT_SCALAR'),
  JSON_QUERY_ARRAY: queryArray('JSON_QUERY_ARRAY'),
  JSON_EXTRACT_ARRAY: queryArray('JSON_EXTRACT_ARRAY'),
  JSON_VALUE_ARRAY: valueArray('JSON_VALUE_ARRAY'),
  JSON_EXTRACT_STRING_ARRAY: valueArray('JSON_EXTRACT_STRING_ARRAY'),
  // Whether a reader of arrays, the third argument, gives NULL.
  $no_json_array: define(
    'json JSON, [path STRING], reader STRING -> BOOL | json STRING, [path STRING], reader STRING -> BOOL',
    ({ json }, c) => noArray(document(json, c), c),
  ),
  PARSE_JSON: strict(
    'text STRING, [wide_number_mode STRING] -> JSON',
    ({ text, wide_number_mode: mode }, c) => {
      const known = c.constant(0);
      if (typeof known === 'string' && hasWideInteger(known)) refuseWide(c);
      const canonical = typeof known === 'string' ? canonicalJson(known) : undefined;
      const json = document(text, c);
      const isNone = infix('=', call('isValidJSON', json), lit(0));
      const parsed = canonical === undefined ? parsedColumn(json, isNone, c) : lit(canonical);
      if (mode === undefined || isWideNumberMode(c, 1)) return parsed;
      const isUnknown = not(inList(mode, ['exact', 'round'].map(lit)));
      return c.failIf(isUnknown, `PARSE_JSON: ${WIDE_NUMBER_MODES}`, nullsPass(c, [undefined, mode], parsed));
    },
    {
      approximate:
        'a number in a column that does not fit FLOAT64 is rounded, where BigQuery fails unless wide_number_mode is round; in a column, keys keep their order and duplicate keys stay',
    },
  ),
  $json_subscript: strict('json JSON, key STRING -> JSON | json JSON, key INT64 -> JSON', ({ json, key }, c) => subscript(json, key, c), {
    operator: '[]',
  }),
  JSON_TYPE: strict('json JSON -> STRING', ({ json }) => {
    const kind = call('JSONType', json);
    const names = [
      ['Object', 'object'],
      ['Array', 'array'],
      ['String', 'string'],
      ['Bool', 'boolean'],
      ['Null', 'null'],
    ] as const;
    return iff(
      isNull(json),
      NULL,
      call('multiIf', ...names.flatMap(([from, to]) => [infix('=', kind, lit(from)), lit(to)]), lit('number')),
    );
  }),
});
