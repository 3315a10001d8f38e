// Dates and times that a table holds as texts or as numbers of days, and that `schema` declares.
import { expect, test } from 'vitest';
import { readDefinitions } from '../../../src/sources/definition.ts';
import { sourceFromTable } from '../../../src/sources/table/table-source.ts';
import { sourceTables } from '../../support/source-tables.ts';

const { outcome } = sourceTables({
  ends: {
    columns:
      'id Int64, d String, n Nullable(String), moment LowCardinality(String), dt FixedString(19), t String, days Int32, far Int64, few UInt16',
    rows: `VALUES (1, '9999-12-31', '0001-01-01', '9999-12-31T23:59:59.999999Z', '9999-12-31 23:59:59', '23:59:59.999999', 0, 2932896, 65535),
      (2, '0001-01-01', NULL, '0001-01-01 00:00:00+00', '0001-01-01T00:00:00', '00:00:00', -1, -719162, 0), (3, '', '', '', '', '', 19000, 0, 1), (4, '2024-02-29', '1900-01-01', '2024-02-29 12:00:00+02:00', '2024-02-29 12:00:00', '12:30:00', 19782, 19782, 2)`,
    source: { schema: 'd:DATE, n:DATE, moment:TIMESTAMP, dt:DATETIME, t:TIME, days:DATE, far:DATE, few:DATE' },
  },
  wrong: { columns: 'id Int64, d String, n Int64', rows: `VALUES (1, 'never', 20240102)`, source: { schema: 'd:DATE, n:DATE' } },
});

test.each<[sql: string, expected: string | readonly (readonly unknown[])[]]>([
  [
    'select id, d, n from ends',
    [
      [1, '9999-12-31', '0001-01-01'],
      [2, '0001-01-01', null],
      [3, null, null],
      [4, '2024-02-29', '1900-01-01'],
    ],
  ],
  [
    'select id, moment, dt, t from ends',
    [
      [1, '9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59', '23:59:59.999999'],
      [2, '0001-01-01T00:00:00Z', '0001-01-01T00:00:00', '00:00:00'],
      [3, null, null, null],
      [4, '2024-02-29T10:00:00Z', '2024-02-29T12:00:00', '12:30:00'],
    ],
  ],
  [
    'select id, days, far, few from ends',
    [
      [1, '1970-01-01', '9999-12-31', '2149-06-06'],
      [2, '1969-12-31', '0001-01-01', '1970-01-01'],
      [3, '2022-01-08', '1970-01-01', '1970-01-02'],
      [4, '2024-02-29', '2024-02-29', '1970-01-03'],
    ],
  ],
  ["select id from ends where d = '9999-12-31' or d < date '0001-01-02'", [[1], [2]]],
  ["select id from ends where far between '9999-01-01' and '9999-12-31' or moment >= timestamp '9999-12-31 23:59:59+00'", [[1]]],
  [
    'select max(d), min(d), max(far), min(far), max(moment), count(d) from ends',
    [['9999-12-31', '0001-01-01', '9999-12-31', '0001-01-01', '9999-12-31T23:59:59.999999Z', 3]],
  ],
  [
    'select extract(year from d) y, count(*) from ends group by y',
    [
      [1, 1],
      [2024, 1],
      [9999, 1],
      [null, 1],
    ],
  ],
  [
    'select a.id, b.id from ends a left join ends b on a.far = b.d and a.id != 3',
    [
      [1, 1],
      [2, 2],
      [3, null],
      [4, 4],
    ],
  ],
  // A side of a join that is not there has no dates.
  [
    'select a.id, b.far, b.d, b.t from ends a left join ends b on b.id = a.id + 3',
    [
      [1, '2024-02-29', '2024-02-29', '12:30:00'],
      [2, null, null, null],
      [3, null, null, null],
      [4, null, null, null],
    ],
  ],
  [
    'select a.id, b.far from ends a full join (select * from ends where id = 1) b on a.id = b.id where b.far is null',
    [
      [2, null],
      [3, null],
      [4, null],
    ],
  ],
  [
    'select to_json_string(e) from ends e where id = 3',
    [['{"id":3,"d":null,"n":null,"moment":null,"dt":null,"t":null,"days":"2022-01-08","far":"1970-01-01","few":"1970-01-02"}']],
  ],
  ['select id from ends e where exists (select 1 from ends f where f.far = e.d)', [[1], [2], [4]]],
  ['select d from ends order by d desc limit 1', [['9999-12-31']]],
  ['select (select max(d) from ends e where e.id >= o.id) from ends o where id = 4', [['2024-02-29']]],
  ['select date_add(d, interval 1 day) from ends where id = 1', expect.stringMatching(/the interval/) as unknown as string],
  ['select id from wrong', [[1]]],
  ['select d from wrong', expect.stringMatching(/^[a-z-]+: .*date/i) as unknown as string],
  ['select n from wrong', expect.stringMatching(/outside the years 0001 to 9999/) as unknown as string],
])('%s', async (sql, expected) => {
  expect(await outcome(sql)).toEqual(expected);
});

test.each([
  ['Int64', 'TIMESTAMP', 'Int64 cannot be TIMESTAMP: such a number may count seconds, milliseconds or microseconds'],
  ['UInt32', 'DATETIME', 'UInt32 cannot be DATETIME: such a number may count seconds, milliseconds or microseconds'],
  ['Int64', 'TIME', 'Int64 cannot be TIME: there is no conversion'],
  ['Int128', 'DATE', 'Int128 cannot be DATE: there is no conversion'],
  ['Float64', 'DATE', 'Float64 cannot be DATE: there is no conversion'],
])('%s declared %s', (type, declared, why) => {
  const [definition] = readDefinitions({ value: { t: { table: 't', schema: `v:${declared}` } } });
  if (definition === undefined) throw new Error('there is one');
  expect(() => sourceFromTable(definition, [{ name: 'v', type }])).toThrow(`sources.t.schema: v: ${why}`);
});

test.each([
  [
    'Tuple(d String)',
    { name: 'v', type: 'RECORD', fields: [{ name: 'd', type: 'DATE' }] },
    'its field d: a text can be DATE only in a column of its own',
  ],
  ['Array(Int32)', { name: 'v', type: 'DATE', mode: 'REPEATED' }, 'a number can be DATE only in a column of its own; CAST it in queries'],
])('inside of %s', (type, column, why) => {
  const [definition] = readDefinitions({ value: { t: { table: 't', schema: [column] } } });
  if (definition === undefined) throw new Error('there is one');
  expect(() => sourceFromTable(definition, [{ name: 'v', type }])).toThrow(`sources.t.schema: v: ${why}`);
});
