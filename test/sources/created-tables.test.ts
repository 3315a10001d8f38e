import { expect, test } from 'vitest';
import { QuernError } from '../../src/base/errors.ts';
import { createdTables } from '../../src/sources/created-tables.ts';
import { typeName } from '../../src/sql/base/types.ts';
import { translate } from '../../src/sql/index.ts';

const columnsOf = (name: string, text: string) =>
  createdTables(text)
    .find(name)
    ?.columns.map((column) => `${column.name} ${typeName(column.type)}`);

test('columns are those of the statement, by the types that queries give them', () => {
  const text = `-- two tables
CREATE TABLE IF NOT EXISTS web.hits ON CLUSTER c
(
    \`path\` LowCardinality(String) DEFAULT 'a, b (c' COMMENT 'where',
    \`time\` DateTime64(6, 'UTC') CODEC(Delta(8), ZSTD(1)),
    tags Array(Tuple(k String, v Nullable(Int64))),
    amount Decimal(12, 2) NULL,
    given String EPHEMERAL,
    lower String MATERIALIZED lower(path),
    INDEX i path TYPE minmax GRANULARITY 1,
    CONSTRAINT c CHECK amount > 0
)
ENGINE = MergeTree ORDER BY (path, time) TTL time + INTERVAL 1 DAY;
CREATE TEMPORARY TABLE small (n UInt8)`;
  expect(createdTables(text).names).toEqual(['web.hits', 'small']);
  expect(columnsOf('hits', text)).toEqual([
    'path STRING',
    'time TIMESTAMP',
    'tags ARRAY<STRUCT<k STRING, v INT64>>',
    'amount NUMERIC',
    'lower STRING',
  ]);
  expect(columnsOf('my-project.web.hits', text)).toEqual(columnsOf('WEB.HITS', text));
  expect(createdTables(text).find('misses')).toBeUndefined();
  expect(translate('select count(*) as n from small where n > 1', { sources: createdTables(text) }).sql).toContain('FROM small');
});

test('log tables are told by their columns', () => {
  const otel =
    'CREATE TABLE otel.logs (Timestamp DateTime64(9), Body String, ResourceAttributes Map(LowCardinality(String), String), LogAttributes Map(LowCardinality(String), String)) ENGINE = MergeTree';
  const { sql } = translate('select m.path from logs cross join unnest(metadata) as m', { sources: createdTables(otel) });
  expect(sql).toContain("LogAttributes['path']");
});

test.each([
  ['select 1', 'this is no CREATE TABLE statement', 0, 8],
  ['CREATE VIEW v AS SELECT 1', 'only tables can be created here', 0, 11],
  ['CREATE TABLE', 'the table has no name', 0, 12],
  ['CREATE TABLE t ENGINE = Log', 'the columns of t are missing', 0, 27],
  ['CREATE TABLE t ()', 't has no columns', 15, 17],
  ['CREATE TABLE t (a Int64, b', 'the list of columns of t does not end', 15, 16],
  ['CREATE TABLE t (a, b Int64)', 'the column a has no type', 16, 17],
  ['CREATE TABLE t (1 Int64)', 'a column begins with its name', 16, 17],
])('%s is refused with its place', (text, message, start, end) => {
  try {
    createdTables(text);
  } catch (error) {
    if (!(error instanceof QuernError)) throw error;
    expect([error.code, error.message, error.details.span]).toEqual(['syntax', message, { start, end }]);
    expect(error.details.hint).toBeDefined();
    return;
  }
  throw new Error('it was taken');
});
