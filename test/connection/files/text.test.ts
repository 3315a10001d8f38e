// CSV, TSV and JSON: what columns are found to be, and values that the engine by itself would read as others.
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { type FilesHome, filesHome } from './support.ts';

const home: FilesHome = filesHome();
afterAll(() => home.remove());

/** `settings` of the source `t` of one file, `file`. */
function source(file: string, text: string, settings = ''): void {
  home.write(file, text);
  home.write('quern.yaml', `sources:\n  t: { file: ${file}${settings} }\n`);
}
const rows = async (file: string, text: string, sql = 'select * from t', settings = ''): Promise<string> => {
  source(file, text, settings);
  return home.rows(sql);
};
const columns = async (file: string, text: string, settings = ''): Promise<string> => {
  source(file, text, settings);
  const { stdout } = await home.run(['sources', 't']);
  const found = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly column: string; readonly type: string });
  return found
    .filter(({ column }) => column !== '_FILE_NAME')
    .map(({ column, type }) => `${column} ${type}`)
    .join(', ');
};

describe('columns of CSV', () => {
  const VALUES: readonly (readonly [values: string, type: string])[] = [
    ['1 -2 +3 0', 'INT64'],
    ['1 2.5 .5 1e3', 'FLOAT64'],
    ['01234 98765', 'STRING'], // a postal code
    ['1 99999999999999999999', 'STRING'], // digits that no number of 64 bits has
    ['9223372036854775807', 'INT64'],
    ['true FALSE', 'BOOL'],
    ['2026-01-02 1850-12-31', 'DATE'],
    ['2026-01-02T03:04:05Z 2026-01-02T03:04:05.123456+02:00', 'TIMESTAMP'],
    ['2026-01-02T03:04', 'STRING'], // no TIMESTAMP without its seconds
    ['2026-01-02 2026-01-02T03:04:05Z', 'TIMESTAMP'],
    ['12:34:56 01:02:03.5', 'TIME'],
    ['1 x', 'STRING'],
    ['2026-13-01', 'STRING'],
    ['1.2.3.4', 'STRING'],
    ['"" ""', 'STRING'],
  ];
  test.each(VALUES)('%s: %s', async (values, type) => {
    expect(
      await columns(
        'v.csv',
        `name,value\n${values
          .split(' ')
          .map((value) => `x,${value}\n`)
          .join('')}`,
      ),
    ).toBe(`name STRING, value ${type}`);
  });

  test('are those of the header, wherever it is', async () => {
    expect(await columns('h.csv', 'Order ID,Total (EUR)\n1,2.5\n')).toBe('Order ID INT64, Total (EUR) FLOAT64');
    expect(await columns('h.csv', '\uFEFFid,name\r\n1,x\r\n')).toBe('id INT64, name STRING');
    expect(await columns('h.csv', ',a\n0,1\n')).toBe('column_1 INT64, a INT64'); // as pandas writes its index
    expect(await columns('h.csv', 'only,words\n')).toBe('only STRING, words STRING');
  });
  test('have the names that BigQuery gives where no line is a header', async () => {
    expect(await columns('n.csv', '1,x,2026-01-02\n2,y,2026-01-03\n')).toBe(
      'int64_field_0 INT64, string_field_1 STRING, date_field_2 DATE',
    );
    expect(await columns('n.csv', 'a,b\nc,d\n', ', header: false')).toBe('string_field_0 STRING, string_field_1 STRING');
    expect(await columns('n.csv', '2019,2020\n1,2\n', ', header: true')).toBe('2019 INT64, 2020 INT64');
  });
  test('begin behind the lines that are to be skipped', async () => {
    const text = '# exported on Monday\n\nzip,n\nA1,1\nA2,2\n';
    const all = ['zip STRING, n INT64', '{"zip":"A1","n":1}\n{"zip":"A2","n":2}\n'];
    const both = async (settings: string) => [
      await columns('s.csv', text, settings),
      await rows('s.csv', text, 'select * from t', settings),
    ];
    expect(await both(', skip_leading_rows: 3')).toEqual(all);
    expect(await both(', skip_leading_rows: 3, header: true')).toEqual(all);
    expect(await both(", skip_leading_rows: 3, header: false, schema: 'zip:STRING, n:INTEGER'")).toEqual(all);
    // A line that names nothing is skipped too, as BigQuery does.
    expect(await both(', skip_leading_rows: 4')).toEqual([
      'string_field_0 STRING, int64_field_1 INT64',
      '{"string_field_0":"A2","int64_field_1":2}\n',
    ]);
    expect(await columns('s.csv', 'a,b\nc,d\n', ', skip_leading_rows: 0')).toBe('string_field_0 STRING, string_field_1 STRING');
  });
  test('begin so in each of several files', async () => {
    home.write('many/a.csv', 'note\nzip,n\nA,1\n');
    home.write('many/b.csv', 'note\nn,zip\n2,B\n');
    home.write('quern.yaml', "sources:\n  t: { file: 'many/*.csv', skip_leading_rows: 2 }\n");
    expect(await home.rows('select zip, n from t order by n')).toBe('{"zip":"A","n":1}\n{"zip":"B","n":2}\n');
    home.write('quern.yaml', "sources:\n  t: { file: 'many/*.csv', skip_leading_rows: 2, header: false }\n");
    expect(await home.rows('select count(*) as n from t')).toBe('{"n":2}\n');
  });
  test('are divided by what divides them', async () => {
    for (const [divider, delimiter] of [';', '|', '\t'].map((one) => [one, JSON.stringify(one)])) {
      expect(await columns('d.csv', `a${divider}b\n1${divider}x,y\n`)).toBe('a INT64, b STRING');
      expect(await columns('d.csv', `a${divider}b\n1${divider}x\n`, `, delimiter: ${delimiter}`)).toBe('a INT64, b STRING');
    }
  });
  test('are what the schema says', async () => {
    const text = 'id,at,price,code\n1,2026-01-02 03:04:05,1.10,007\n';
    expect(await columns('s.csv', text, ", schema: 'at:DATETIME, price:NUMERIC, id:STRING'")).toBe(
      'id STRING, at DATETIME, price NUMERIC, code STRING',
    );
    expect(await columns('s.csv', '1,2\n', ", schema: 'a:INT64, b:STRING'")).toBe('a INT64, b STRING');
  });
});

describe('values of CSV', () => {
  test('are those that stand there', async () => {
    expect(await rows('v.csv', 'a,b\n" x ", y \n"q""q\nr","1,2"\n,""\n')).toBe(
      '{"a":" x ","b":" y "}\n{"a":"q\\"q\\nr","b":"1,2"}\n{"a":null,"b":""}\n',
    );
  });
  test('are of all years', async () => {
    expect(await rows('y.csv', 'd,t\n0001-01-01,0001-01-01 00:00:00\n9999-12-31,9999-12-31 23:59:59.999999\n')).toBe(
      '{"d":"0001-01-01","t":"0001-01-01T00:00:00Z"}\n{"d":"9999-12-31","t":"9999-12-31T23:59:59.999999Z"}\n',
    );
  });
  test('that say times are read in their usual forms, and in all others', async () => {
    const texts = [
      ['2026-01-02T03:04:05.123456Z', '"2026-01-02T03:04:05.123456Z"'],
      ['2026-01-02T03:04:05.5Z', '"2026-01-02T03:04:05.500000Z"'],
      ['1850-12-31T23:59:59.000001Z', '"1850-12-31T23:59:59.000001Z"'],
      ['2026-01-02 03:04:05+05:30', '"2026-01-01T21:34:05Z"'],
      ['2026-01-02', '"2026-01-02T00:00:00Z"'],
      ['', 'null'],
      ['2024-02-29T00:00:00.000000Z', '"2024-02-29T00:00:00Z"'],
    ];
    const text = `id,seen\n${texts.map(([one], i) => `${i},${one}\n`).join('')}`;
    expect(await rows('f.csv', text, 'select seen from t order by id')).toBe(texts.map(([, shown]) => `{"seen":${shown}}\n`).join(''));
    const explained = await home.run(['explain', `./${home.write('e.sql', 'select seen from t')}`]);
    expect(explained.stdout).toContain('bitAnd(reinterpretAsUInt256(t.seen)');
    // As in BigQuery, a DATETIME has no zone, and a DATE no time of day.
    expect(
      await rows(
        'f.csv',
        'd,seen\n2026-01-02,2026-01-02 03:04:05\n2024-02-29,2024-02-29 00:00:00\n',
        'select d, seen from t',
        ', schema: seen:DATETIME',
      ),
    ).toBe('{"d":"2026-01-02","seen":"2026-01-02T03:04:05"}\n{"d":"2024-02-29","seen":"2024-02-29T00:00:00"}\n');
    for (const bad of [
      '2026-02-30T00:00:00.000000Z',
      '202x-01-02T03:04:05.000000Z',
      '2026-0:-02T03:04:05.000000Z',
      '2026-01-02T03:04:5 .000000Z',
      '2026-01-02T24:00:00.000000Z',
      '2026-01-02T03:04:60.000000Z',
      '2026-01-02T03:04:05.0000001Z',
    ]) {
      source('f.csv', `id,seen\n${'1,2026-01-02T03:04:05.123456Z\n'.repeat(30_000)}2,${bad}\n`);
      const failed = await home.query('select max(seen) as seen from t');
      expect([failed.exitCode, failed.stderr.split('\n')[0]]).toEqual([1, `error[data]: f.csv:30002: seen: "${bad}" is not TIMESTAMP`]);
    }
    source('f.csv', 'd\n2026-01-02T03:04:05Z\n', ', schema: d:DATETIME');
    expect((await home.query('select d from t')).exitCode).toBe(1);
    source('f.csv', 'd\n2026-01-02T03:04:05Z\n', ', schema: d:DATE');
    expect((await home.query('select d from t')).exitCode).toBe(1);
  });
  test('keep all digits that NUMERIC has', async () => {
    expect(await rows('n.csv', 'n\n12345678901234567890123456789.123456789\n', 'select n from t', ', schema: n:NUMERIC')).toBe(
      '{"n":12345678901234567890123456789.123456789}\n',
    );
  });
  test('that are no values of the column fail the query, with their place', async () => {
    const many = Array.from({ length: 30_000 }, (_, i) => `${i},${i}\n`).join('');
    source('late.csv', `id,n\n${many}99999999999999999999,1\n`);
    const large = await home.query('select sum(id) as s from t');
    expect([large.exitCode, large.stdout]).toEqual([1, '']);
    source('late.csv', `id,n\n${many}x,1\n`);
    const text = await home.query('select sum(id) as s from t');
    expect([text.exitCode, text.stderr.split('\n')[0]]).toEqual([1, 'error[data]: late.csv:30002: id: "x" is not INT64']);
  });
  test('end before the blank lines at the end of a file', async () => {
    const count = 'select count(*) as n, sum(b) as s from t';
    for (const end of ['', '\n', '\n\n', '\r\n', '\r\n\r\n', '\n\n\n\n']) {
      expect(await rows('e.csv', `a,b\n1,2\n3,4${end}`, count)).toBe('{"n":2,"s":6}\n');
      home.write('e.csv.gz', gzipSync(`a,b\n1,2\n3,4${end}`));
      home.write('quern.yaml', 'sources:\n  t: { file: e.csv.gz }\n');
      expect(await home.rows(count)).toBe('{"n":2,"s":6}\n');
    }
    home.write('ends/a.csv', 'a,b\n1,2\n\n');
    home.write('ends/b.csv', 'b,a\n4,3\n');
    home.write('quern.yaml', "sources:\n  t: { file: 'ends/*.csv' }\n");
    expect(await home.rows(count)).toBe('{"n":2,"s":6}\n');
  });
  test('of a line that is too short or too long fail the query', async () => {
    source('l.csv', `a,b\n${'1,2\n'.repeat(30_000)}1,2,3\n`);
    const { stderr } = await home.query('select sum(a) as s from t');
    expect(stderr.split('\n')[0]).toBe('error[data]: l.csv:30002: 3 cells, but the header has 2');
  });
});

describe('JSON', () => {
  const LINES =
    '{"id":1,"at":"2026-01-02T03:04:05Z","day":"2026-01-02","tags":["a",null],"o":{"n":1,"s":"x"},"list":[{"k":1},{"k":2}]}\n{"id":2,"more":true}\n';
  test('has objects as structs, and texts of times as times', async () => {
    expect(await columns('j.ndjson', LINES)).toBe(
      'id INT64, at TIMESTAMP, day DATE, tags ARRAY<STRING>, o STRUCT<n INT64, s STRING>, list ARRAY<STRUCT<k INT64>>, more BOOL',
    );
    expect(await rows('j.ndjson', LINES, 'select id, `at`, day, tags, o.n, o.s, list, more from t order by id')).toBe(
      '{"id":1,"at":"2026-01-02T03:04:05Z","day":"2026-01-02","tags":["a",null],"n":1,"s":"x","list":[{"k":1},{"k":2}],"more":null}\n' +
        '{"id":2,"at":null,"day":null,"tags":[],"n":null,"s":null,"list":[],"more":true}\n',
    );
  });
  test('may be one array of objects', async () => {
    expect(await rows('j.json', '[{"a":1},\n {"a":2}]', 'select sum(a) as s from t')).toBe('{"s":3}\n');
  });
  test('has no integer that turns into another', async () => {
    source('big.ndjson', `${'{"a":1,"o":{"b":1}}\n'.repeat(30_000)}{"a":99999999999999999999,"o":{"b":99999999999999999999}}\n`);
    for (const sql of ['select sum(a) as s from t', 'select sum(o.b) as s from t', 'select max(l) from (select o.b as l from t)']) {
      expect(await home.query(sql)).toMatchObject({ stdout: '', exitCode: 1 });
    }
  });
  test('is read as the schema says', async () => {
    expect(await rows('c.ndjson', '{"zip":"01234","o":{"a":[1]},"n":"1.10"}\n', 'select * from t', ", schema: 'o:JSON, n:NUMERIC'")).toBe(
      '{"zip":"01234","o":{"a":[1]},"n":1.1}\n',
    );
  });
});
