// quern translate: tables that are not there, given by `--table` or sketched by `--assume-tables`.
import { afterAll, expect, test } from 'vitest';
import { cliHome } from '../../support/run-cli.ts';

const home = cliHome();
afterAll(() => home.remove());

const SQL = 'select day, sum(price) as total from `my-proj.shop.orders` where day >= "2026-01-01" group by day';

test('a table that is not known is refused, with what to do', async () => {
  const { stderr, exitCode } = await home.run(['translate', SQL]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('to translate without the table: --assume-tables, or --table NAME=SCHEMA');
});

test('it is sketched, which a note says', async () => {
  const { stdout, stderr, exitCode } = await home.run(['translate', SQL, '--assume-tables']);
  expect({ stderr, exitCode }).toEqual({
    stderr:
      'note: my-proj.shop.orders is not known, so its columns are assumed: day DATE, price INT64; declare them with --table my-proj.shop.orders=FILE\n',
    exitCode: 0,
  });
  expect(stdout).toContain('FROM shop.orders');
  const json = JSON.parse((await home.run(['translate', SQL, '--assume-tables', '--json'])).stdout);
  expect(json.assumed_tables).toEqual([
    {
      name: 'my-proj.shop.orders',
      columns: [
        { name: 'day', type: 'DATE' },
        { name: 'price', type: 'INT64' },
      ],
    },
  ]);
});

test('the output of bq show --schema is taken, from a file or as text', async () => {
  home.write(
    'orders.json',
    '[{"name":"day","type":"DATE","mode":"REQUIRED"},{"name":"price","type":"NUMERIC"},{"name":"at","type":"GEOGRAPHY"}]',
  );
  const types = async (table: string) => {
    const { stdout, stderr } = await home.run(['translate', SQL, '--table', table, '--json']);
    return [JSON.parse(stdout).columns, stderr];
  };
  const [columns, note] = await types('shop.orders=orders.json');
  expect(columns).toEqual([
    { name: 'day', type: 'DATE' },
    { name: 'total', type: 'NUMERIC' },
  ]);
  expect(note).toBe('note: shop.orders.at is read as STRING: quern has no type GEOGRAPHY\n');
  expect(await types('my-proj.shop.orders=day:DATE,price:FLOAT64')).toEqual([
    [
      { name: 'day', type: 'DATE' },
      { name: 'total', type: 'FLOAT64' },
    ],
    '',
  ]);
});

test.each([
  [['--table', 'orders'], '--table "orders" is not name=schema'],
  [['--table', 'orders=nothing.json'], '--table orders: '],
  [['--table', 'orders=id:NUMBR'], '--table orders: '],
  [['--assume-tables', '--for', 'supabase'], 'the tables of supabase are known'],
])('%j is refused', async (flags, message) => {
  const { stderr, exitCode } = await home.run(['translate', SQL, ...flags]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(message);
});

test('what is there is not assumed', async () => {
  await home.run(['load', 'shop.orders', '-', '--format', 'csv'], { stdin: 'day,price\n2026-01-01,1.5\n' });
  const { stdout, stderr } = await home.run(['translate', SQL, '--assume-tables', '--json']);
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toMatchObject({ sources: ['shop.orders'], columns: [{ type: 'DATE' }, { type: 'FLOAT64' }] });
});
