// What ClickHouse SQL may do in a saved query.
import { expect, test } from 'vitest';
import { checkClickHouse } from '../../src/queries/clickhouse/text.ts';
import { parseSavedQuery } from '../../src/queries/header/header.ts';
import { failure } from '../support/told.ts';
import { queryText } from './support.ts';

const check = (sql: string, ...fields: readonly string[]) =>
  checkClickHouse(parseSavedQuery({ name: 'q.sql', text: queryText(1, sql, 'dialect: clickhouse', ...fields) }, 'q'));

test.each([
  'SELECT 1',
  'with 1 as x select x',
  '(select 1) union all (select 2)',
  "SELECT 'it''s; \\' -- x', `a b`, \"c\" FROM db.t WHERE a IN (SELECT b FROM u) ORDER BY abs(x) DESC LIMIT 1 BY y",
  'SELECT extract(YEAR FROM toDate(x)), trim(BOTH 1 FROM s), substring(lower(x) FROM 1) FROM t',
  'SELECT n FROM numbers(10) AS n, values(1) v JOIN u ON lower(u.a) = upper(n), t2 FINAL',
  'SELECT x FROM t ARRAY JOIN arrayMap(y -> y + 1, a) AS x, arrayEnumerate(a) AS i WHERE i < 3',
  'SELECT x FROM t LEFT ARRAY JOIN a AS x JOIN u USING (id)',
  'SELECT format, settings, system FROM t GROUP BY format',
  "SELECT format('{} {}', a, b) FROM t",
  'SELECT * EXCEPT (a), show, desc FROM (SELECT 1 AS show, 2 AS desc, 3 AS a)',
  'SELECT a FROM ((SELECT 1 AS a))',
  'SELECT count() OVER w FROM t WINDOW w AS (PARTITION BY abs(a) ORDER BY b)',
  'SELECT 1e3, .5, 0xff, t.1, [1, 2][1], a ? b : c, x::String, m.^sub, @@version',
  "SELECT x IN tuple(1, 2), y IN ('a', 'b')",
])('%s may run', (sql) => {
  expect(check(sql)).toEqual({ sql, parameters: [] });
});

test.each<[string, string, string]>([
  ['INSERT INTO t SELECT 1', 'a saved query must be a single SELECT, but this starts with INSERT', '5:1'],
  ['DROP TABLE t', 'a saved query must be a single SELECT, but this starts with DROP', '5:1'],
  ['FROM t SELECT x', 'a saved query must be a single SELECT, but this starts with FROM', '5:1'],
  ['SELECT 1; SELECT 2', 'a saved query must be a single statement', '5:9'],
  ['WITH t AS (SELECT 1) INSERT INTO u SELECT * FROM t', 'INSERT cannot be part of a saved query', '5:22'],
  ['SELECT * FROM (EXPLAIN SELECT 1)', 'EXPLAIN cannot be part of a saved query', '5:16'],
  ['SELECT * FROM (SHOW TABLES)', 'SHOW cannot be part of a saved query', '5:16'],
  ["SELECT 1 INTO OUTFILE 'x'", 'INTO OUTFILE cannot be used in a saved query, since it writes files', '5:10'],
  ["SELECT 1 INTO /* x */ OUTFILE 'x'", 'INTO OUTFILE cannot be used in a saved query, since it writes files', '5:10'],
  ['SELECT 1 SETTINGS max_threads = 1', 'a saved query cannot change SETTINGS', '5:10'],
  ['SELECT (SELECT 1 SETTINGS max_threads = 1)', 'a saved query cannot change SETTINGS', '5:18'],
  ['SELECT 1 FORMAT Null', 'the FORMAT is chosen when the query runs', '5:10'],
  ["SELECT * FROM url('http://x')", 'the function url cannot be used in a saved query', '5:15'],
  ["SELECT * FROM t, File('x')", 'the function File cannot be used in a saved query', '5:18'],
  ['SELECT * FROM "remote"(\'x\')', 'the function remote cannot be used in a saved query', '5:15'],
  ["SELECT * FROM t JOIN u ON abs(a) = b, s3('x')", 'the function s3 cannot be used in a saved query', '5:39'],
  ["SELECT file('/etc/passwd')", 'the function file cannot be used in a saved query', '5:8'],
  ["SELECT 1 WHERE 1 IN (SELECT a FROM mysql('x'))", 'the function mysql cannot be used in a saved query', '5:36'],
  ['SELECT * FROM somethingNew(1)', 'the table function somethingNew cannot be used in a saved query', '5:15'],
  ['SELECT * FROM (somethingNew(1))', 'the table function somethingNew cannot be used in a saved query', '5:16'],
  ['SELECT * FROM a AS array JOIN somethingNew(1)', 'the table function somethingNew cannot be used in a saved query', '5:31'],
  ['SELECT * FROM array JOIN somethingNew(1)', 'the table function somethingNew cannot be used in a saved query', '5:26'],
  ['SELECT * FROM d.array JOIN somethingNew(1)', 'the table function somethingNew cannot be used in a saved query', '5:28'],
  ["SELECT * FROM '/tmp/x.csv'", 'a saved query cannot read files', '5:15'],
  ['SELECT * FROM default . `/tmp/x.csv`', 'a saved query cannot read files', '5:25'],
  ['SELECT * FROM t, `/tmp/x.csv`', 'a saved query cannot read files', '5:18'],
  ['SELECT * FROM system.one', 'a saved query cannot read tables in system', '5:15'],
  ['SELECT 1 IN System.one', 'a saved query cannot read tables in System', '5:13'],
  ['SELECT * FROM `information_schema` . tables', 'a saved query cannot read tables in information_schema', '5:15'],
])('%s is refused', (sql, message, at) => {
  expect(failure(() => check(sql))).toMatchObject({ code: 'unsupported', message, at });
});

test.each<[string, string, string]>([
  ["SELECT 'open", 'unexpected "\'" in ClickHouse SQL', 'this text is not closed'],
  ['SELECT `sy\\x73tem`.one', 'unexpected "`" in ClickHouse SQL', 'this name is not closed, or contains an escape'],
  ['SELECT 1 # x', 'unexpected "#" in ClickHouse SQL', 'write comments with --'],
  ['SELECT 1 // x', 'unexpected "/" in ClickHouse SQL', 'write comments with --'],
  ['SELECT 1 /* a /* b */', 'unexpected "/" in ClickHouse SQL', 'this comment is not closed, or contains another one'],
  ['SELECT $a$ x $a$', 'unexpected "$" in ClickHouse SQL', 'write text in single quotes'],
  ['SELECT ‘x’', 'unexpected "‘" in ClickHouse SQL', 'put names with such letters in backquotes'],
  ["SELECT {'a': 1}", 'unexpected "{" in ClickHouse SQL', 'write parameters as {name:Type}'],
])('%s cannot be read with certainty', (sql, message, hint) => {
  expect(failure(() => check(sql))).toMatchObject({ code: 'syntax', message, hint });
});

test('comments, the header among them, and the last semicolon are left out', () => {
  expect(check("SELECT 1 -- one\n  , '--' /* two\n */ ; ;")).toEqual({ sql: "SELECT 1       \n  , '--'", parameters: [] });
});

const params = 'params: { p: { type: string }, n: { type: integer, required: true }, d: { type: date, default: "2026-01-01" } }';

test('parameters carry their ClickHouse types; the instant needs no declaration', () => {
  const sql = "SELECT {p:Nullable(String)}, {n: UInt8}, {n:UInt8}, {d:Date}, {quern_now:DateTime64(6, 'UTC')}";
  expect(check(sql, params).parameters).toEqual([
    { name: 'p', type: 'Nullable(String)' },
    { name: 'n', type: 'UInt8' },
    { name: 'd', type: 'Date' },
    { name: 'quern_now', type: "DateTime64(6, 'UTC')" },
  ]);
});

test.each<[string, Readonly<Record<string, unknown>>]>([
  [
    'SELECT {p:String}, {n:UInt8}, {d:Date}',
    {
      code: 'parameter',
      message: '{p:String} cannot be NULL, but the parameter may be absent',
      hint: 'write {p:Nullable(String)}, give it a default, or make it required',
    },
  ],
  ['SELECT {P:Nullable(String)}', { code: 'parameter', message: '{P} is not declared', at: '6:8', hint: 'did you mean p?' }],
  ['SELECT {n:UInt8}, {n:UInt16}', { code: 'parameter', message: '{n} is UInt8 in one place and UInt16 in another', at: '6:19' }],
  ['SELECT * FROM {n:Identifier}', { code: 'parameter', message: '{n:Identifier} would let callers choose tables', at: '6:15' }],
  [
    'SELECT {n:UInt8}',
    { code: 'config', message: 'p, d are declared but never used', at: '4:11', hint: 'use @p in the SQL, or remove it from params:' },
  ],
])('%s does not agree with the declarations', (sql, expected) => {
  expect(failure(() => check(sql, params))).toMatchObject(expected);
});
