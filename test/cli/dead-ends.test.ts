// What people type who have guessed how quern is used: it works, or the error says what to type.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cliHome } from '../support/run-cli.ts';

const home = cliHome();
beforeAll(async () => {
  home.write('quern.yaml', 'queries: queries\nsources: { shop.lines: { file: x.csv } }\n');
  home.write('queries/by-shop.sql', '/*---\nparams: { shop: string }\n---*/\nselect @shop as shop\n');
  home.write('queries/one.sql', '/*---\ncache: disabled\n---*/\nselect 1 as one\n');
  home.write('paths.sql', 'select 2 as two');
  home.write('queries/of-file.sql', '/*---\ncache: disabled\n---*/\nselect * from `data/orders.csv`\n');
  home.write('orders.csv', 'id,customer name\n1,Ann\n');
  home.write('years.csv', 'country,2023\nFR,5\n');
  home.write('x.csv', 'a\n7\n');
  await home.run(['load', 'orders', 'orders.csv']);
});
afterAll(() => home.remove());

const hintOf = async (argv: readonly string[], stdin?: string): Promise<string | undefined> =>
  /hint: (.*)/.exec((await home.run(argv, stdin === undefined ? {} : { stdin })).stderr)?.[1];

describe('a query, wherever it stands', () => {
  const given = [
    ['a saved query', 'one', '{"one":1}\n'],
    ['a file', 'paths.sql', '{"two":2}\n'],
    ['SQL', 'select 3 as three', '{"three":3}\n'],
    ['standard input', '-', '{"four":4}\n'],
  ] as const;

  test.each(given)('%s is run by run and query', async (_, word, rows) => {
    const stdin = 'select 4 as four';
    expect((await home.run(['run', word, '--format', 'ndjson'], { stdin })).stdout).toBe(rows);
    expect((await home.run(['query', word, '--format', 'ndjson'], { stdin })).stdout).toBe(rows);
  });

  test.each(given)('%s is explained and translated', async (_, word, rows) => {
    const stdin = 'select 4 as four';
    const sql = new RegExp(`SELECT toInt64\\(\\d\\) AS ${/\w+/.exec(rows)?.[0]}\\n`);
    expect((await home.run(['explain', word], { stdin })).stdout).toMatch(sql);
    expect((await home.run(['explain', word, '--logical'], { stdin })).stdout).toContain('Before the rules:');
    expect((await home.run(['translate', word], { stdin })).stdout).toMatch(sql);
  });

  test('takes parameters', async () => {
    expect((await home.run(['run', 'select @n as n', '-p', 'n:INT64:5'])).stdout).toBe('{"n":5}\n');
    expect((await home.run(['query', 'by-shop', '-p', 'shop::north'])).stdout).toBe('{"shop":"north"}\n');
    expect((await home.run(['explain', 'select id from `orders.csv`'])).stdout).toContain('orders.csv');
  });
});

describe('the hint', () => {
  test.each([
    [['--format', 'csv', 'query', 'select 1'], 'flags of a command stand behind it: quern query … --format'],
    [['select 1 as one'], "SQL is run by quern query, such as quern query 'select 1 as one'"],
    [['paths.sql'], 'a file of SQL is run by quern query paths.sql'],
    [['orders.csv'], "files are read in FROM: quern query 'select * from `orders.csv`'"],
    [['version'], 'the version is printed by quern --version'],
    [['load', 'orders.csv'], 'name the table first: quern load orders orders.csv'],
    [['run', 'of-file'], 'a saved query reads a file as a source: name it in quern.yaml, sources: { orders: { file: "data/orders.csv" } }'],
    [['load', 'my orders.csv'], "name the table first: quern load my_orders 'my orders.csv'"],
    [['query', 'select order id from t'], 'a name with a space is written in backticks: `order id`'],
    [['query', 'pathz.sql'], 'did you mean paths.sql?'],
    [['run', 'pathz.sql'], 'did you mean paths.sql?'],
    [['run', 'queries/ones.sql'], 'did you mean queries/one.sql?'],
    [['translate', 'pathz.sql'], 'did you mean paths.sql?'],
    [['query', 'by-shp'], 'did you mean by-shop? `quern list` shows them all'],
    [
      ['query', 'drop table orders'],
      'quern only reads: leave out the statement; a table that was loaded is removed by `quern drop orders`',
    ],
    [['load', 't', 'ordrs.csv'], `nothing was loaded; did you mean ${home.folder}/orders.csv?`],
    [['load', 't'], 'name a table and a file: quern load orders orders.csv'],
    [['import', 'dir', '--to', 'x'], 'see quern import dir --help'],
    [['query', 'select * from lines'], 'did you mean shop.lines?'],
    [['query', 'select * from `my-proj.shop.linez`'], 'did you mean shop.lines?'],
    [['query', 'select * from visits'], 'known sources: shop.lines, orders'],
    [
      ['query', 'select * from `my-proj.web.visits`'],
      'known sources: shop.lines, orders; to read one of them by this name, say so in quern.yaml: names: { "my-proj.web.visits": "TABLE" }',
    ],
    [['run', 'orders.csv'], "read it in FROM: quern query 'select * from `orders.csv`'"],
    [['query', 'select * from `ordrs.csv`'], 'did you mean the file orders.csv?'],
    [['run', 'by-shop', '-p', 'shop=north'], 'pass them as flags: --shop north'],
    [['query', 'select @n', '-p', 'n=5'], 'write it with colons: -p n::5, or -p n:INT64:5 for a number'],
    [['query', 'select @n', '-p', 'n:INT64=5'], 'write it with colons: -p n:INT64:5'],
    [['query', 'select customer name from orders'], 'did you mean `customer name`? such a name is written in backticks'],
    [['query', 'select customer_name from orders'], 'did you mean `customer name`? such a name is written in backticks'],
    [['query', 'select x from orders'], 'the names you can use here are orders, id, `customer name`'],
    [
      ['query', 'select country from `years.csv`'],
      'the columns are string_field_0, int64_field_1; if the first line of the file is its header, say so with --header, or header: true in quern.yaml',
    ],
  ])('for %j', async (argv, hint) => {
    expect(await hintOf(argv)).toBe(hint);
  });

  test('for -p in the shell, and for a parameter there', async () => {
    const hint = 'declare a variable in front of the query: DECLARE least INT64 DEFAULT 5; select … where x >= least;';
    expect(await hintOf(['shell'], '-p least:INT64:5\n')).toBe(hint);
    expect(await hintOf(['shell'], 'select @least;\n')).toBe(hint);
    expect((await home.run(['shell'], { stdin: 'declare least int64 default 5; select least as n;\n' })).stdout).toBe('{"n":5}\n');
  });

  test('for a schema that does not fit the file', async () => {
    home.write('project/quern.yaml', 'sources:\n  x: { file: x.csv, schema: "name:STRING" }\n');
    home.write('project/x.csv', 'a\n1\n');
    const { stderr } = await home.run(['query', 'select * from x'], { folder: 'project' });
    expect(stderr).toContain('sources.x: its files have no column name for its schema');
    expect(stderr).toContain('hint: its columns are: a\n');
  });
});

test('a load says that no line was taken for the header', async () => {
  expect((await home.run(['load', 'years', 'years.csv'])).stderr).toMatch(
    /note: no line was taken for the header: .* --replace --header\n$/,
  );
  expect((await home.run(['load', 'years', 'years.csv', '--replace', '--header'])).stderr).toMatch(/: country STRING, 2023 INT64\n$/);
});

test('a column with a dot is listed, and no field of a record is', async () => {
  home.write('dots.ndjson', '{"Order No.":1,"r":{"a.b":1}}\n');
  await home.run(['load', 'dots', 'dots.ndjson']);
  const { stdout } = await home.run(['sources', '--format', 'csv']);
  expect(stdout.split('\n').find((line) => line.startsWith('"dots"'))).toContain('"Order No. r"');
});

test('a path from home is read', async () => {
  expect((await home.run(['query', 'select * from `~/x.csv`'])).stdout).toBe('{"a":7}\n');
});

test('a file without rows that fit is not called a table of the store', async () => {
  expect(await home.run(['query', 'select * from `orders.csv` where id > 5'])).toEqual({ stdout: '', stderr: '', exitCode: 0 });
  expect((await home.run(['query', 'select * from edge_logs'])).stderr).toMatch(/^note: edge_logs is empty in the store /);
});

test('help has its commands in groups, and flags of every command last', async () => {
  const { stdout } = await home.run(['--help']);
  expect([...stdout.matchAll(/^(\w.*):$/gm)].map(([, heading]) => heading)).toEqual([
    'Ask',
    'Saved queries',
    'Data',
    'Trust your data',
    'Serve',
    'Set up',
    'Flags of every command',
  ]);
  expect(stdout).toMatch(/\nStart with: quern demo\n$/);
  expect((await home.run(['help', 'run'])).stdout).toMatch(/^Usage: quern run [\s\S]*\nOptions:\n/);
});
