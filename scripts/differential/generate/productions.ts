// How expressions come about: every function of the translator's tables, and what is syntax in BigQuery, by signature.
import { findFunction, functionNames } from '../../../src/sql/functions/index.ts';
import { type Pattern, type Signature, signaturesOf } from '../../../src/sql/functions/signature.ts';

export interface Production {
  /** Function, or the text of an operator with `{0}` for its first argument. */
  readonly name: string;
  readonly template?: string;
  readonly signature: Signature;
  readonly kind: 'function' | 'aggregate' | 'window' | 'syntax';
}

/** Functions that give another value each time, and those that are no functions. */
const LEFT_OUT = new Set(['RAND', 'GENERATE_UUID', 'ERROR', 'GROUPING', 'EXTRACT', 'FORMAT', 'JSON_OBJECT', 'IF', 'FLATTEN', 'OFFSET']);

/** What the reference of 2023 is without, and that on which it hangs: EXP and LN of NUMERIC. */
const UNKNOWN_TO_REFERENCE = new Set(['EDIT_DISTANCE', 'COSINE_DISTANCE', 'EUCLIDEAN_DISTANCE']);
const HANGS = /^(?:EXP|LN|LOG|LOG10|POW|POWER|SQRT|CBRT)$/;

/** Name, signature and text, with the arguments by number. */
const SYNTAX: readonly (readonly [string, string])[] = [
  ...['+', '-', '*'].flatMap((op) => [
    [`{0} ${op} {1}`, 'a INT64, b INT64 -> INT64'] as const,
    [`{0} ${op} {1}`, 'a FLOAT64, b FLOAT64 -> FLOAT64'] as const,
    [`{0} ${op} {1}`, 'a NUMERIC, b NUMERIC -> NUMERIC'] as const,
    [`{0} ${op} {1}`, 'a BIGNUMERIC, b BIGNUMERIC -> BIGNUMERIC'] as const,
  ]),
  ['{0} / {1}', 'a FLOAT64, b FLOAT64 -> FLOAT64'],
  ['{0} / {1}', 'a INT64, b INT64 -> FLOAT64'],
  ['{0} / {1}', 'a NUMERIC, b NUMERIC -> NUMERIC'],
  ['{0} / {1}', 'a BIGNUMERIC, b BIGNUMERIC -> BIGNUMERIC'],
  ['{0} / {1}', 'a INTERVAL, count INT64 -> INTERVAL'],
  ['+{0}', 'a INT64 -> INT64'],
  ['-{0}', 'a NUMERIC -> NUMERIC'],
  ['-{0}', 'a BIGNUMERIC -> BIGNUMERIC'],
  ['-{0}', 'a INT64 -> INT64'],
  ['-{0}', 'a FLOAT64 -> FLOAT64'],
  ['-{0}', 'a INTERVAL -> INTERVAL'],
  ['~{0}', 'a INT64 -> INT64'],
  ['{0} & {1}', 'a INT64, b INT64 -> INT64'],
  ['{0} | {1}', 'a INT64, b INT64 -> INT64'],
  ['{0} ^ {1}', 'a INT64, b INT64 -> INT64'],
  ['{0} << {1}', 'a INT64, count INT64 -> INT64'],
  ['{0} >> {1}', 'a INT64, count INT64 -> INT64'],
  ['{0} || {1}', 'a STRING, b STRING -> STRING'],
  ['{0} || {1}', 'a BYTES, b BYTES -> BYTES'],
  ['{0} || {1}', 'a ARRAY<T>, b ARRAY<T> -> ARRAY<T>'],
  ['{0} + {1}', 'a DATE, days INT64 -> DATE'],
  ['{0} - {1}', 'a DATE, days INT64 -> DATE'],
  ['{0} + {1}', 'a TIMESTAMP, amount INTERVAL -> TIMESTAMP'],
  ['{0} - {1}', 'a DATETIME, amount INTERVAL -> DATETIME'],
  ['{0} + {1}', 'a DATE, amount INTERVAL -> DATETIME'],
  ['{0} + {1}', 'a DATETIME, amount INTERVAL -> DATETIME'],
  ['{0} - {1}', 'a TIMESTAMP, amount INTERVAL -> TIMESTAMP'],
  ['{0} - {1}', 'a INTERVAL, b INTERVAL -> INTERVAL'],
  ['{0} - {1}', 'a TIME, b TIME -> INTERVAL'],
  ['{0} - {1}', 'a TIMESTAMP, b TIMESTAMP -> INTERVAL'],
  ['{0} - {1}', 'a DATETIME, b DATETIME -> INTERVAL'],
  ['{0} - {1}', 'a DATE, b DATE -> INTERVAL'],
  ['{0} + {1}', 'a INTERVAL, b INTERVAL -> INTERVAL'],
  ['{0} * {1}', 'a INTERVAL, count INT64 -> INTERVAL'],
  ...['=', '!=', '<', '<=', '>', '>='].map((op) => [`{0} ${op} {1}`, 'a T, b T -> BOOL'] as const),
  ['{0} IS DISTINCT FROM {1}', 'a T, b T -> BOOL'],
  ['{0} IS NOT DISTINCT FROM {1}', 'a T, b T -> BOOL'],
  ['{0} BETWEEN {1} AND {2}', 'a T, b T, c T -> BOOL'],
  ['{0} NOT BETWEEN {1} AND {2}', 'a T, b T, c T -> BOOL'],
  ['{0} IN ({1}, {2})', 'a T, b T, c T -> BOOL'],
  ['{0} NOT IN ({1}, {2})', 'a T, b T, c T -> BOOL'],
  ['{0} IN UNNEST({1})', 'a T, b ARRAY<T> -> BOOL'],
  ['{0} LIKE {1}', 'a STRING, like STRING -> BOOL'],
  ['{0} NOT LIKE {1}', 'a STRING, like STRING -> BOOL'],
  ['{0} LIKE {1}', 'a BYTES, b BYTES -> BOOL'],
  ['{0} LIKE ANY ({1}, {2})', 'a STRING, like STRING, like STRING -> BOOL'],
  ['{0} LIKE ALL ({1}, {2})', 'a STRING, like STRING, like STRING -> BOOL'],
  ['{0} AND {1}', 'a BOOL, b BOOL -> BOOL'],
  ['{0} OR {1}', 'a BOOL, b BOOL -> BOOL'],
  ['NOT {0}', 'a BOOL -> BOOL'],
  ['{0} IS NULL', 'a T -> BOOL'],
  ['{0} IS NOT NULL', 'a T -> BOOL'],
  ['{0} IS TRUE', 'a BOOL -> BOOL'],
  ['{0} IS FALSE', 'a BOOL -> BOOL'],
  ['{0} IS NOT TRUE', 'a BOOL -> BOOL'],
  ['{0} IS NOT FALSE', 'a BOOL -> BOOL'],
  ['IF({0}, {1}, {2})', 'a BOOL, b T, c T -> T'],
  ['CASE WHEN {0} THEN {1} ELSE {2} END', 'a BOOL, b T, c T -> T'],
  ['CASE {0} WHEN {1} THEN {2} END', 'a T, b T, c U -> U'],
  ['{0}[SAFE_OFFSET({1})]', 'a ARRAY<T>, position INT64 -> T'],
  ['{0}[SAFE_ORDINAL({1})]', 'a ARRAY<T>, position INT64 -> T'],
  ['{0}[ORDINAL({1})]', 'a ARRAY<T>, position INT64 -> T'],
  ['{0}[OFFSET({1})]', 'a ARRAY<T>, position INT64 -> T'],
  ['STRUCT({0} AS a, {1} AS b).b', 'a T, b U -> U'],
  ['STRUCT({0} AS a, {1} AS b)', 'a INT64, b STRING -> STRUCT<a INT64, b STRING>'],
  ['[{0}, {1}]', 'a T, b T -> ARRAY<T>'],
  ['{0}.b', 'json JSON -> JSON'],
  ['{0}[{1}]', 'json JSON, position INT64 -> JSON'],
  ["{0}['a']", 'json JSON -> JSON'],
  ['(SELECT COUNT(*) FROM UNNEST({0}))', 'a ARRAY<T> -> INT64'],
  ['(SELECT MAX(z) FROM UNNEST({0}) AS z)', 'a ARRAY<INT64> -> INT64'],
  ['EXISTS(SELECT 1 FROM UNNEST({0}) AS z WHERE z = {1})', 'a ARRAY<T>, b T -> BOOL'],
];

/** Pairs of CAST; the engine-less ones of BigQuery are left out. */
const CASTS: Readonly<Record<string, string>> = {
  INT64: 'BOOL FLOAT64 NUMERIC BIGNUMERIC STRING',
  FLOAT64: 'INT64 NUMERIC BIGNUMERIC STRING',
  NUMERIC: 'INT64 FLOAT64 BIGNUMERIC STRING',
  BIGNUMERIC: 'INT64 FLOAT64 NUMERIC STRING',
  BOOL: 'INT64 STRING',
  STRING: 'INT64 FLOAT64 NUMERIC BIGNUMERIC BOOL BYTES DATE DATETIME TIMESTAMP TIME INTERVAL',
  BYTES: 'STRING',
  DATE: 'STRING DATETIME TIMESTAMP',
  DATETIME: 'STRING DATE TIMESTAMP TIME',
  TIMESTAMP: 'STRING DATE DATETIME TIME',
  TIME: 'STRING',
  INTERVAL: 'STRING',
};

/** Some productions are made of pieces that hang together: formats and their values, parts and their types. */
const SPECIAL: readonly (readonly [string, string])[] = [
  ['EXTRACT', 'value DATE -> INT64'],
  ['EXTRACT', 'value TIMESTAMP -> INT64'],
  ['EXTRACT', 'value DATETIME -> INT64'],
  ['EXTRACT', 'value TIME -> INT64'],
  ['EXTRACT', 'value INTERVAL -> INT64'],
  ['FORMAT', 'value INT64 -> STRING'],
  ['FORMAT', 'value FLOAT64 -> STRING'],
  ['FORMAT', 'value STRING -> STRING'],
  ['FORMAT', 'value T -> STRING'],
  ['JSON_OBJECT', 'value T, other U -> JSON'],
];

let known: readonly Production[] | undefined;

export function productions(): readonly Production[] {
  known ??= [
    ...functionNames().flatMap((name): readonly Production[] => {
      const definition = findFunction(name);
      if (definition === undefined || definition.operator !== undefined || LEFT_OUT.has(name) || UNKNOWN_TO_REFERENCE.has(name)) return [];
      // The reference knows no functions of geography.
      if (!/^[A-Z0-9_.]+$/.test(name) || name.startsWith('ST_')) return [];
      return signaturesOf(definition.signature)
        .filter((signature) => !(HANGS.test(name) && /NUMERIC/.test(kindOf(signature.parameters[0]?.pattern))))
        .map((signature) => ({ name, kind: definition.kind, signature }));
    }),
    ...[...SYNTAX, ...casts()].map(([template, text]): Production => ({ name: template, template, kind: 'syntax', signature: one(text) })),
    ...SPECIAL.map(([name, text]): Production => ({ name, kind: 'syntax', signature: one(text) })),
  ];
  return known;
}

const casts = (): readonly (readonly [string, string])[] =>
  Object.entries(CASTS).flatMap(([from, targets]) =>
    targets
      .split(' ')
      .flatMap((to) => [
        [`CAST({0} AS ${to})`, `cast_${to} ${from} -> ${to}`] as const,
        [`SAFE_CAST({0} AS ${to})`, `cast_${to} ${from} -> ${to}`] as const,
      ]),
  );

function one(text: string): Signature {
  const [signature] = signaturesOf(text);
  if (signature === undefined) throw new RangeError(text);
  return signature;
}

const kindOf = (pattern: Pattern | undefined): string => (pattern?.kind === 'type' ? pattern.type.kind : '');
