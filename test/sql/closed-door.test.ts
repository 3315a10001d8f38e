// What ClickHouse has and BigQuery does not cannot be reached: no table function, no system table, no function that reads files, networks or settings.
import { expect, test } from 'vitest';
import { functionNames } from '../../src/sql/functions/index.ts';
import { refusal } from '../support/query-rows.ts';

const TABLE_FUNCTIONS = [
  'url',
  'file',
  'remote',
  's3',
  'mysql',
  'executable',
  'numbers',
  'cluster',
  'merge',
  'input',
  'values',
  'view',
  'generateRandom',
  'azureBlobStorage',
  'hdfs',
  'python',
];
const FUNCTIONS = [
  'file',
  'sleep',
  'sleepEachRow',
  'getSetting',
  'dictGet',
  'joinGet',
  'hostName',
  'currentUser',
  'version',
  'reinterpret',
  'toString',
  'throwIf',
  'catboostEvaluate',
  'evalMLMethod',
  'getServerPort',
  'readWKTPoint',
  'arrayJoin',
  'toInt64',
  'match',
  'multiIf',
  'now64',
  'groupArray',
  'quantileExact',
  'untuple',
  'identity',
  'materialize',
];
const TABLES = [
  'system.tables',
  'system.`settings`',
  '`system.one`',
  'information_schema.tables',
  '`default`.t',
  'system.numbers',
  "`file('x')`",
  "`url('http://h/')`",
];

/** The same name as people try to hide it. */
const spellings = (name: string): readonly string[] => [
  name,
  name.toUpperCase(),
  `\`${name}\``,
  `SAFE.${name}`,
  `/**/${name}/**/`,
  `${name} `,
];

test.each(TABLE_FUNCTIONS)('%s is no table', (name) => {
  for (const spelling of spellings(name)) {
    expect(refusal(`SELECT * FROM ${spelling}('x')`), spelling).toMatch(/^(?:syntax|unsupported|unknown-source): /);
    expect(refusal(`SELECT * FROM UNNEST(${spelling}('x'))`), spelling).toMatch(/^(?:syntax|unknown-function): /);
  }
  expect(refusal(`SELECT * FROM \`${name}('x')\``)).toBe(
    `unknown-source: there is no source, saved query or WITH table named ${name}('x')`,
  );
});

test.each(FUNCTIONS)('%s is no function', (name) => {
  for (const spelling of spellings(name)) {
    expect(refusal(`SELECT ${spelling}('x')`), spelling).toMatch(/^(?:syntax|unknown-function): /);
    expect(refusal(`SELECT ${spelling}('x') OVER ()`), spelling).toMatch(/^(?:syntax|unknown-function): /);
  }
});

test.each(TABLES)('%s cannot be named', (table) => {
  expect(refusal(`SELECT * FROM ${table}`)).toMatch(/^unknown-source: there is no source, saved query or WITH table named /);
  expect(refusal(`SELECT (SELECT COUNT(*) FROM ${table})`)).toMatch(/^unknown-source: /);
  expect(refusal(`FROM ${table} |> SELECT *`)).toMatch(/^unknown-source: /);
});

test.each([
  'SELECT 1 FORMAT JSON',
  "SELECT 1 INTO OUTFILE '/tmp/x'",
  'SELECT 1 SETTINGS max_threads = 1',
  'SELECT 1; DELETE FROM t WHERE TRUE',
  'EXECUTE IMMEDIATE "SELECT * FROM url(1)"',
  'IF TRUE THEN SELECT sleep(3); END IF',
  'SELECT * FROM (SELECT 1) AS t FINAL',
  'SELECT 1 PREWHERE 1',
  'SELECT {x:String}',
  'SELECT ?',
  'SELECT @@global.x',
  'SELECT x::Int64.y FROM (SELECT 1 AS x)',
  'SELECT COLUMNS(1)',
  'INSERT INTO t VALUES (1)',
  'INSERT INTO FUNCTION file(1) SELECT 1',
  'INSERT INTO t SELECT 1; SELECT 2',
  'SYSTEM SHUTDOWN',
  'SET max_threads = 1',
  "ATTACH TABLE t FROM '/x'",
])('%s is refused', (sql) => {
  expect(refusal(sql)).toMatch(/^(?:syntax|unsupported|unknown-function|unknown-column|type|parameter): /);
});

test('a user can write none of the names that stand for operators', () => {
  expect(functionNames().filter((name) => !/^[A-Z][A-Z0-9_.]*$/.test(name))).toEqual([]);
  expect(refusal('SELECT `$add`(1, 2)')).toMatch(/^unknown-function: /);
});
