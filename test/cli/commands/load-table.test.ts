// quern load into tables of the user's own, and quern loads, undo and drop: what they say, and that the table is a source at once.
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cliHome } from '../../support/run-cli.ts';

const home = cliHome();
afterAll(() => home.remove());

const timeless = (stderr: string): string => stderr.replaceAll(/\d+\.\d s\)/g, '0.0 s)').replaceAll(`${home.folder}/`, '');
const load = async (...argv: readonly string[]) => {
  const { stderr, exitCode } = await home.run(['load', ...argv]);
  return `${exitCode}\n${timeless(stderr)}`;
};
let queries = 0;
/** The rows of a query in the BigQuery dialect, as CSV. */
const rows = async (sql: string): Promise<string> => {
  const id = `4c01dc9a-90f3-4c81-99e0-${String(++queries).padStart(12, '0')}`;
  home.write('q.sql', `/*---\nid: ${id}\n---*/\n${sql}\n`);
  const { stdout, stderr } = await home.run(['run', 'q.sql', '--format', 'csv']);
  return stderr === '' ? stdout : stderr;
};

const ORDERS = `id,created,customer,total
1,2026-01-02 10:00:00,"Smith, John",12.50
2,2026-01-03T11:30:00Z,,7
`;

beforeAll(() => {
  home.write('orders.csv', ORDERS);
});

test('loads of a store into which nothing was loaded says so, and what to do', async () => {
  expect(await home.run(['loads', '--format', 'csv'])).toEqual({
    stdout: 'load,table,files,rows,bad_lines,loaded_at\n',
    stderr: `nothing has been loaded into the store ${home.folder}/.local/share/quern/store yet; next: quern load SOURCE FILE, or quern demo for a sample\n`,
    exitCode: 0,
  });
  expect((await home.run(['loads', 'undo', '1'])).stderr).toBe(
    'error[usage]: there is no load 1\n   = hint: nothing has been loaded into this store: fill it with `quern load`\n',
  );
});

describe('a table of the user’s own', () => {
  test('has the columns and types of its file, and is a source at once', async () => {
    expect(await load('orders', 'orders.csv')).toMatchInlineSnapshot(`
      "0
      orders.csv: 2 rows into orders (csv, 0.0 s)
      new table orders: id INT64, created TIMESTAMP, customer STRING, total FLOAT64; ordered by created
      "
    `);
    expect(await rows('select id, created, customer, total * 2 as twice from orders order by id')).toBe(
      'id,created,customer,twice\n1,2026-01-02T10:00:00Z,"Smith, John",25\n2,2026-01-03T11:30:00Z,,14\n',
    );
    expect((await home.run(['sources', 'orders', '--format', 'csv'])).stdout).toContain('"created","TIMESTAMP","created"\n');
  });

  test('takes the same file once, and more of another', async () => {
    expect((await load('orders', 'orders.csv')).replace(/at \S+/, 'at …')).toBe(
      '1\nerror[load]: orders.csv was loaded into orders before, at … (2 rows)\n   = hint: nothing was loaded; use --again to load it a second time, or --replace to recreate the table from it\n',
    );
    home.write('more.csv', 'total,ID,created,customer\n1,3,2026-02-01 00:00:00,x\n');
    expect(await load('ORDERS', 'more.csv')).toBe('0\nmore.csv: 1 row into orders (csv, 0.0 s)\n');
    expect(await rows('select sum(id) as s, count(*) as n from `Orders`')).toBe('s,n\n6,3\n');
  });

  test('is listed by load, and each load is taken back exactly', async () => {
    const listed = (await home.run(['loads', '--format', 'ndjson'])).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(listed.map(({ load: number, table, rows: count, bad_lines }) => [number, table, count, bad_lines])).toEqual([
      [2, 'orders', 1, 0],
      [1, 'orders', 2, 0],
    ]);
    expect((await home.run(['loads', 'undo', '1'])).stderr).toBe('load 1 is undone: 2 rows removed from orders\n');
    expect(await rows('select id from orders')).toBe('id\n3\n');
    expect(await load('orders', 'orders.csv')).toBe('0\norders.csv: 2 rows into orders (csv, 0.0 s)\n');
    expect((await home.run(['loads', 'undo', '9'])).stderr).toBe(
      'error[usage]: there is no load 9\n   = hint: list them with `quern loads`\n',
    );
    expect((await home.run(['loads', 'undo', 'x'])).stderr).toContain('"x" is not a load number');
  });

  test('goes with its only load', async () => {
    await load('once', 'orders.csv');
    const number = JSON.parse((await home.run(['loads', '--format', 'ndjson'])).stdout.split('\n')[0] ?? '').load;
    expect((await home.run(['loads', 'undo', String(number)])).stderr).toBe(
      `load ${number} is undone: 2 rows removed from once, and the table, which had no other load\n`,
    );
    expect(await rows('select 1 from once')).toContain('error[unknown-source]');
  });

  test('is made anew by --replace, of several files, all or none', async () => {
    home.write('a.csv', 'k\n1\n');
    home.write('b.csv.gz', gzipSync('k\n2\n'));
    home.write('wrong.csv', 'other\n2\n');
    expect(await load('anew', 'a.csv')).toContain('new table anew: k INT64');
    expect(await load('anew', 'b.csv.gz', 'wrong.csv', '--replace')).toBe(
      '1\nerror[load]: wrong.csv has no column k\n   = hint: nothing was loaded; its columns are: other; if that line is not a header, add --no-header\n',
    );
    expect(await rows('select k from anew')).toBe('k\n1\n');
    expect(await load('anew', 'b.csv.gz', 'a.csv', '--replace')).toBe(
      '0\nb.csv.gz: 1 row into anew (csv, 0.0 s)\na.csv: 1 row into anew (csv)\nreplaced table anew: k INT64\n',
    );
    expect(await rows('select k from anew order by k')).toBe('k\n1\n2\n');
  });

  test('has a dotted name with dashes, between backticks or not', async () => {
    expect(await load('my-proj.shop.orders-2026', 'orders.csv')).toContain('new table my-proj.shop.orders-2026');
    expect(await rows('select count(*) n from `my-proj.shop.orders-2026`')).toBe('n\n2\n');
    expect(await rows('select count(*) n from `my-proj`.shop.`orders-2026`')).toBe('n\n2\n');
  });

  test.each(['a b', 'na/me', '.x', '', 'naïve', 'x'.repeat(151)])('cannot be called %j', async (name) => {
    expect(await load(name, 'orders.csv')).toMatch(
      /^2\nerror\[usage\]: (?:".*" is not a valid table name|a table name can have at most 150)/,
    );
  });

  test('is completed where it can be loaded into or dropped, and so are loads that can be taken back', async () => {
    const complete = async (...words: readonly string[]) => (await home.run(['__complete', '--', ...words])).stdout;
    expect(await complete('drop', 'ONC')).toBe('words\n');
    expect(await complete('drop', 'an')).toBe('words\nanew\t2 rows\n');
    expect(await complete('load', 'an')).toBe('words\nanew\t2 rows\n');
    expect(await complete('sources', 'an')).toBe('words\nanew\t2 rows\n');
    expect(await complete('loads', 'undo', '')).toMatch(/^words\n\d+\tmy-proj\.shop\.orders-2026: 2 rows of orders\.csv\n/);
  });

  test('has the names of --schema where no line of the file is a header', async () => {
    home.write('zips.tsv', '# from the post office\n01067\tDresden\n');
    expect(await load('zips', 'zips.tsv', '--no-header', '--skip-leading-rows', '1', '--schema', 'zip:STRING,city:STRING')).toBe(
      '0\nzips.tsv: 1 row into zips (tsv, 0.0 s)\nnew table zips: zip STRING, city STRING\n',
    );
    expect(await load('zips', 'zips.tsv', '--again')).toBe(
      '1\nerror[load]: zips.tsv has no column zip\n   = hint: nothing was loaded; its columns are: # from the post office; if that line is not a header, add --no-header\n',
    );
  });

  test('is not made of a misspelled log source', async () => {
    expect(await load('edge_log', 'orders.csv')).toBe(
      '2\nerror[unknown-source]: edge_log is neither a log source nor a table\n   = hint: did you mean edge_logs? To create a table with that name, add --replace\n',
    );
  });

  test('is dropped when the user says so', async () => {
    expect((await home.run(['drop', 'orders'])).stderr).toBe(
      'error[usage]: cannot ask whether to remove the table orders with 3 rows: this is not a terminal\n   = hint: confirm with --yes\n',
    );
    const ask = { terminal: 80, typed: 'n\n' };
    expect((await home.run(['drop', 'orders'], ask)).stderr).toBe('Remove the table orders with 3 rows? [y/N] nothing was removed\n');
    expect((await home.run(['drop', 'orders'], { ...ask, typed: 'y\n' })).stderr).toContain('removed the table orders with 3 rows\n');
    expect((await home.run(['drop', 'anew', '--yes'])).stderr).toBe('removed the table anew with 2 rows\n');
    expect((await home.run(['drop', 'orders', '--yes'])).stderr).toContain('there is no table orders in the store');
    expect((await home.run(['drop', 'edge_logs', '--yes'])).stderr).toContain('there is no table edge_logs in the store');
  });
});

describe('flags of tables and of log sources', () => {
  test.each([
    [['edge_logs', 'orders.csv', '--schema', 'a:INT64'], '--schema is only for tables of your own, and edge_logs is a log source'],
    [['shop', 'orders.csv', '--project', 'x'], '--project is only for log sources, and shop is not one'],
    [['shop', 'orders.csv', '--format', 'combined'], 'combined is not a format that can be loaded into a table'],
    [['shop', 'orders.csv', '--schema', 'a'], '--schema: column 1: "a" is not name:TYPE'],
    [['shop', 'orders.csv', '--schema', 'a:NUMBR'], '--schema: column 1: NUMBR, the type of a, is not a type'],
    [['shop', 'orders.csv', '--schema', 'a:ARRAY<NUMBR>'], '--schema: column 1: ARRAY<NUMBR>, the type of a, is not a type'],
    [['shop', 'orders.csv', '--schema', 'a:STRUCT<x INT64'], '--schema: column 1: STRUCT<x INT64, the type of a, is not a type'],
    [['shop', 'orders.csv', '--schema', 'none.json'], '--schema: none.json cannot be read'],
    [['shop', 'orders.csv', '--schema', 'nothing:INT64'], 'orders.csv has no column nothing'],
    [['shop', 'orders.csv', '--order-by', 'nothing'], '--order-by: shop has no column nothing'],
    [['shop', 'orders.csv', '--partition-by', 'created:week'], '--partition-by: week is not one of: hour, day, month, year'],
    [['shop', 'orders.csv', '--partition-by', 'total'], '--partition-by: total is of type FLOAT64'],
    [['shop', 'orders.csv', '--delimiter', 'ab'], '--delimiter must be a single character'],
    [['shop', 'orders.csv', '--skip-leading-rows', 'x'], '--skip-leading-rows must be a number of lines'],
    [['edge_logs', 'orders.csv', '--no-header'], '--no-header is only for tables of your own, and edge_logs is a log source'],
    [['edge_logs', 'orders.csv'], 'the first line of the CSV file is not a header with the column timestamp'],
  ])('%j', async (argv, message) => {
    const said = await load(...argv);
    expect(said.split('\n')[1]).toContain(message);
    expect(said).toContain('= hint');
    expect(await rows('select 1 from shop')).toContain('error[unknown-source]');
  });
});

test('the key and the partitions are those asked for', async () => {
  expect(await load('keyed', 'orders.csv', '--order-by', 'customer,ID', '--partition-by', 'created:month')).toContain(
    'ordered by customer, id; partitioned by the month of created\n',
  );
  expect(await load('keyed', 'orders.csv', '--again', '--order-by', 'id')).toContain('keyed already exists, with its own order');
});

test('a schema has nested types as in SQL, and says which types are texts', async () => {
  home.write(
    'nested.ndjson',
    '{"id":1,"items":[{"sku":"00501","qty":"3"}],"place":"POINT(1 2)","price":1.5,"span":"[2026-01-01, 2026-02-01)"}\n',
  );
  const schema = 'items:ARRAY<STRUCT<sku STRING, qty INT64>>, place:geography, price:NUMERIC(10, 2), span:RANGE<DATE>';
  const said = await load('baskets', 'nested.ndjson', '--schema', schema);
  expect(said).toMatchInlineSnapshot(`
    "0
    place is loaded as STRING: quern has no type GEOGRAPHY
    span is loaded as STRING: quern has no type RANGE<DATE>
    nested.ndjson: 1 row into baskets (ndjson, 0.0 s)
    new table baskets: id INT64, items ARRAY<STRUCT<sku STRING, qty INT64>>, place STRING, price NUMERIC, span STRING
    "
  `);
  expect(await rows('select items[0].sku, items[0].qty + 1 as more, place, price, span from baskets')).toBe(
    'sku,more,place,price,span\n"00501",4,"POINT(1 2)",1.5,"[2026-01-01, 2026-02-01)"\n',
  );
});

test('a schema is what bq prints, and other columns are what the file shows', async () => {
  home.write(
    'schema.json',
    JSON.stringify([
      { name: 'ID', type: 'STRING', mode: 'REQUIRED' },
      { name: 'total', type: 'NUMERIC' },
    ]),
  );
  expect(await load('typed', 'orders.csv', '--schema', 'schema.json')).toContain(
    'new table typed: ID STRING, created TIMESTAMP, customer STRING, total NUMERIC',
  );
  expect(await rows('select id || "x" as x, total from typed order by id')).toBe('x,total\n"1x",12.5\n"2x",7\n');
});

test('standard input is a file', async () => {
  const { stderr } = await home.run(['load', 'piped', '-'], { stdin: '{"a": 1}\n{"a": 2.5}\n' });
  expect(timeless(stderr)).toBe('standard input: 2 rows into piped (ndjson, 0.0 s)\nnew table piped: a FLOAT64\n');
});

test('a load of a log source is taken back, with what is known of the source', async () => {
  home.write('one.ndjson', '{"timestamp": 1768471200, "project": "p"}\n');
  home.write('two.ndjson', '{"timestamp": 1768474800, "project": "q", "metadata": [{"a": 1}, {"a": 2}]}\n');
  await load('auth_logs', 'one.ndjson', 'two.ndjson');
  const count = 'select count(*) n, max(timestamp) t from auth_logs';
  expect(await rows(count)).toBe('n,t\n2,2026-01-15T11:00:00Z\n');
  const number = JSON.parse((await home.run(['loads', '--format', 'ndjson'])).stdout.split('\n')[0] ?? '').load;
  expect((await home.run(['loads', 'undo', String(number)])).stderr).toBe(`load ${number} is undone: 1 row removed from auth_logs\n`);
  expect(await rows(count)).toBe('n,t\n1,2026-01-15T10:00:00Z\n');
  expect(await load('auth_logs', 'two.ndjson')).toMatch(/^0\n/);
});

test('a file with more bad lines than --skip-bad-lines allows loads nothing, and the same file can be loaded then', async () => {
  home.write('bad.csv', 'id,n\n1,1\n2,x\n3,3\n4,y\n');
  const attempt = async (...flags: readonly string[]) => (await load('totals', 'bad.csv', '--schema', 'n:INT64', ...flags)).split('\n')[0];
  expect([await attempt(), await attempt('--skip-bad-lines=0'), await attempt('--skip-bad-lines=1')]).toEqual(['1', '1', '1']);
  expect((await home.run(['loads', '--format', 'csv'])).stdout).not.toContain('totals');
  expect(await attempt('--skip-bad-lines=2')).toBe('0');
  expect(await rows('select id, n from totals order by id')).toBe('id,n\n1,1\n3,3\n');
  home.write('mended.csv', 'id,n\n2,2\n4,4\n');
  expect(await load('totals', 'mended.csv')).toBe('0\nmended.csv: 2 rows into totals (csv, 0.0 s)\n');
  expect(await rows('select sum(n) as sum from totals')).toBe('sum\n10\n');
});

test('a file without a byte is a table without rows where a schema says its columns', async () => {
  home.write('none.ndjson', '');
  home.write('none.csv', '');
  expect(await load('none_lines', 'none.ndjson', '--schema', 'id:INT64,seen:TIMESTAMP')).toMatch(
    /^0\nnone\.ndjson: 0 rows into none_lines/,
  );
  expect(await load('none_rows', 'none.csv', '--schema', 'id:INT64,day:DATE')).toMatch(/^0\nnone\.csv: 0 rows into none_rows/);
  expect(await rows('select count(*) as n, max(seen) as seen from none_lines')).toBe('n,seen\n0,\n');
  expect(await rows('select count(*) as n, max(day) as day from none_rows')).toBe('n,day\n0,\n');
  expect(await load('none_known', 'none.csv')).toMatch(
    /^1\nerror\[load\]: none\.csv cannot be read: it is empty, so its columns are unknown/,
  );
  home.write('quern.yaml', 'sources:\n  nothing: { file: none.csv, schema: "id:INT64,day:DATE" }\n');
  expect(await rows('select count(*) as n, min(day) as day from nothing')).toBe('n,day\n0,\n');
});
