// Texts made to break out of their quotes: names, literals and JSON fields come back from the engine as they went in.
import { describe, expect, test } from 'vitest';
import { translate } from '../../src/sql/index.ts';
import { queryRunner } from '../support/query-rows.ts';

const { rows, table } = queryRunner();

const HOSTILE: readonly string[] = [
  "'",
  "''; DROP TABLE t; --",
  '"',
  '`',
  '\\',
  "\\'",
  '\\`',
  "a\\\\' OR 1=1 --",
  '\n',
  '\r\n\t',
  '\u0000',
  'a\u0000b',
  '\u0007\u001b[31m',
  '{x:String}',
  '{{x}}',
  '$$',
  '$x$',
  '-- comment',
  '/* comment */',
  '# comment',
  '\u2018\u2019\u201c\u201d',
  '\u00a0\u2028\u2029\ufeff',
  'é日本😀',
  '%_',
  ') FORMAT Null --',
  'SETTINGS max_threads = 1',
  'select',
  '1x',
  'a.b',
  ' ',
];

const escaped = (text: string, quote: string): string =>
  quote + text.replace(/[\\'"`]/g, '\\$&').replace(/\p{Cc}/gu, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`) + quote;
const string = (text: string): string => escaped(text, "'");
const name = (text: string): string => escaped(text, '`');

describe.each(HOSTILE)('%j', (text) => {
  test('is a literal', async () => {
    expect(
      await rows(`SELECT ${string(text)}, LENGTH(${string(text)}), CAST(${string(text)} AS BYTES) = CAST(${string(text)} AS BYTES)`),
    ).toEqual([[text, [...text].length, true]]);
  });

  test('is a pattern, a delimiter and a JSON key', async () => {
    expect(
      await rows(
        `SELECT STARTS_WITH(v, ${string(text)}), SPLIT(v, ${string(text)}), JSON_VALUE(TO_JSON_STRING(STRUCT(v AS ${name(text)})), '$') IS NULL, v IN (${string(text)}, 'x')
         FROM (SELECT ${string(`${text}|${text}`)} AS v)`,
      ),
    ).toEqual([[true, ['', '|', ''], true, false]]);
  });

  test('names columns, tables, WITH queries and struct fields', async () => {
    const n = name(text);
    expect(
      await table(
        `WITH ${n} AS (SELECT 1 AS ${n}, STRUCT(2 AS ${n}) AS s) SELECT ${n}.${n}, s.${n} AS ${name(`${text}2`)} FROM ${n} WHERE ${n}.${n} = 1 GROUP BY 1, 2 ORDER BY 1`,
      ),
    ).toEqual([
      [text, `${text}2`],
      [1, 2],
    ]);
  });
});

test('a name that looks like a parameter is quoted, not bound', () => {
  const { parameters, sql } = translate('SELECT 1 AS `{x:String}`, "{y:String}" AS z');
  expect(parameters).toEqual([]);
  expect(sql).toBe("SELECT toInt64(1) AS _x_String__2, '{y:String}' AS z");
});
