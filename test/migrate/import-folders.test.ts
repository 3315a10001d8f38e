// quern import dir: folders in folders, what dbt compiles, and the tables that queries name.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { type CliHome, cliHome } from '../support/run-cli.ts';

const home: CliHome = cliHome();
afterAll(() => home.remove());

let n = 0;
let project = '';
beforeEach(() => {
  project = `p${++n}`;
});
const write = (files: Readonly<Record<string, string>>): void => {
  for (const [name, text] of Object.entries(files)) home.write(join(project, name), text);
};
const read = (name: string): string => readFileSync(join(home.folder, project, name), 'utf8');
const importDir = (folder: string, ...flags: readonly string[]) =>
  home.run(['import', 'dir', join(project, folder), '--out', join(project, 'queries'), ...flags]);
const run = (name: string, ...flags: readonly string[]) =>
  home.run(['run', name, '--queries', join(project, 'queries'), '--format', 'csv', ...flags]);

describe('files of one name', () => {
  test('take as many of their folders as tell them apart, and numbers where these do not', async () => {
    write({
      'in/orders.sql': 'select 1 as x',
      'in/eu/marts/orders.sql': 'select 2 as x',
      'in/us/marts/orders.sql': 'select 3 as x',
      'in/us/marts/Other.sql': 'select 4 as x',
      'in/us/raw/orders.sql': 'select 5 as x',
      'in/.git/orders.sql': 'select 6 as x',
      'in/exports/a.json': JSON.stringify([
        { name: 'orders', query: 'select 7 as x' },
        { name: 'orders', query: 'select 8 as x' },
      ]),
    });
    expect((await importDir('in')).stderr).toBe(`7 files written to ${project}/queries\n7 of 7 queries translate\n`);
    expect(readdirSync(join(home.folder, project, 'queries')).sort()).toEqual([
      'Other.sql',
      'eu.marts.orders.sql',
      'orders-2.sql',
      'orders-3.sql',
      'orders.sql',
      'raw.orders.sql',
      'us.marts.orders.sql',
    ]);
    expect((await run('us.marts.orders')).stdout).toBe('x\n3\n');
    expect((await importDir('in')).stderr).toMatch(/^0 files written to .*, 7 unchanged\n/);
  });

  test('the folder that is written to is not read', async () => {
    write({ 'a.sql': 'select 1 as x' });
    await importDir('.');
    expect(await importDir('.')).toEqual({
      stdout: 'ok         a\n',
      stderr: `0 files written to ${project}/queries, 1 unchanged\n1 of 1 query translates\n`,
      exitCode: 0,
    });
  });
});

describe('a project of dbt', () => {
  const manifest = {
    metadata: { dbt_schema_version: 'https://schemas.getdbt.com/dbt/manifest/v12.json' },
    nodes: {
      'model.shop.stg_orders': {
        resource_type: 'model',
        name: 'stg_orders',
        package_name: 'shop',
        original_file_path: 'models/staging/stg_orders.sql',
        relation_name: '`my-proj`.`dbt_prod`.`stg_orders`',
        description: 'Orders as they come',
      },
      'model.shop.revenue': {
        resource_type: 'model',
        name: 'revenue',
        package_name: 'shop',
        original_file_path: 'models/revenue.sql',
        relation_name: '`my-proj`.`dbt_prod`.`revenue`',
      },
      'test.shop.not_null': { resource_type: 'test', name: 'not_null' },
    },
  };
  const compiled = {
    'shop/dbt_project.yml': 'name: shop\n',
    'shop/models/revenue.sql': "select * from {{ ref('stg_orders') }}",
    'shop/target/compiled/shop/models/staging/stg_orders.sql': 'select 1 as id, 2.5 as amount union all select 2, 3.5',
    'shop/target/compiled/shop/models/revenue.sql':
      'with stg_orders as (select * from `my-proj`.`dbt_prod`.`stg_orders`)\nselect sum(amount) as revenue from stg_orders',
    'shop/target/compiled/shop/models/staging/schema.yml/not_null_id.sql': 'select id from t where id is null',
  };

  test('is read as compiled; the manifest says which models read which', async () => {
    write({ ...compiled, 'shop/target/manifest.json': JSON.stringify(manifest) });
    const { stdout, exitCode } = await importDir('shop');
    expect([stdout, exitCode]).toEqual([
      `ok         revenue
             note: it reads the saved query stg_orders, whose rows used to be in the table my-proj.dbt_prod.stg_orders
ok         stg_orders
`,
      0,
    ]);
    expect(read('queries/stg_orders.sql')).toContain('description: "Orders as they come"');
    expect((await run('revenue')).stdout).toBe('revenue\n6\n');
  });

  test('a WITH table with the name of a model that it hides is told, and the table stays', async () => {
    const captured = `${compiled['shop/target/compiled/shop/models/revenue.sql']} union all select amount from \`my-proj.dbt_prod.stg_orders\``;
    write({
      ...compiled,
      'shop/target/compiled/shop/models/revenue.sql': captured,
      'shop/target/manifest.json': JSON.stringify(manifest),
    });
    const { stdout } = await importDir('shop');
    expect(stdout).toContain(
      'note: it reads the table my-proj.dbt_prod.stg_orders, whose query stg_orders has the same name as a WITH table: rename one of them\n',
    );
    expect(read('queries/revenue.sql')).toContain(captured);
  });

  test('without its manifest, the tables are to be mapped', async () => {
    write(compiled);
    const { stdout, exitCode } = await importDir('shop/target');
    expect(stdout).toContain('no source  revenue\n');
    expect(stdout).toContain('Tables to map:\n  my-proj.dbt_prod.stg_orders  1 query → stg_orders\n');
    expect(exitCode).toBe(1);
  });

  test('a manifest alone is an export', async () => {
    const { 'model.shop.revenue': revenue, 'model.shop.stg_orders': orders } = manifest.nodes;
    const nodes = {
      a: { ...orders, compiled_code: 'select 1 as amount' },
      b: { ...revenue, compiled_code: 'select amount from `my-proj`.`dbt_prod`.`stg_orders`' },
      c: { ...revenue, name: 'late', relation_name: null },
    };
    write({ 'in/manifest.json': JSON.stringify({ ...manifest, nodes }) });
    const { stdout } = await importDir('in');
    expect(stdout).toContain(
      'left out   late\n             the manifest contains no compiled SQL for it\n             hint: run `dbt compile` first\n',
    );
    expect((await run('revenue')).stdout).toBe('amount\n1\n');
  });

  test('that was not compiled is refused', async () => {
    write({ 'shop/dbt_project.yml': 'name: shop\n', 'shop/models/a.sql': 'select 1' });
    const { stderr, exitCode } = await importDir('shop');
    expect(stderr).toMatch(
      /^error\[usage\]: .*shop is a dbt project that has not been compiled: it has no target\/compiled\n {3}= hint: run `dbt compile` there/,
    );
    expect(exitCode).toBe(2);
  });

  test.each([
    ["select *\nfrom {{ ref('orders') }}", "{{ ref('orders') }} on line 2 is uncompiled Jinja"],
    ["{{ config(materialized='view') }}\nselect 1", "{{ config(materialized='view') }} on line 1 is uncompiled Jinja"],
    ['select * from a {% if b %} where c {% endif %}', '{% if b %} on line 1 is uncompiled Jinja'],
    ['select * from $\x7bref("orders")}', '$\x7bref("orders")} on line 1 is not compiled'],
  ])('%j is told to be a template', async (sql, reason) => {
    write({ 'in/a.sql': sql });
    expect((await importDir('in')).stdout).toMatch(`left out   a\n             it is a template: ${reason}\n             hint: `);
  });

  test('braces in texts are text', async () => {
    write({ 'in/a.sql': "select '{{ x }}' as x" });
    await importDir('in');
    expect((await run('a')).stdout).toBe('x\n"{{ x }}"\n');
  });
});

describe('tables that are not known', () => {
  test('are counted, and rules for them are proposed and written into quern.yaml', async () => {
    write({
      'in/a.sql': 'select id, amount from `my-proj.shop.orders` where amount > 1',
      'in/b.sql': 'select o.id, i from `my-proj`.`shop`.`orders` as o join `my-proj.shop.items` as i using (id), o.tags',
      'in/c.sql': 'select st_x(p) from `my-proj.shop.places`',
      'in/d.sql': 'select * from carts',
      'in/e.sql': 'select count(*) from `my-proj.shop.events_*` where _table_suffix = "1"',
      'quern.yaml': '# mine\nqueries: queries   # here\nnames:   # rules\n    # of ours\n    "a.b.*": "b.{3}"\n\n# the end\nformat: csv\n',
    });
    const { stdout, stderr, exitCode } = await importDir('in');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('0 of 5 queries translate, 4 more once their tables are known, 1 refused\n');
    expect(stdout).toContain('these tables are unknown: my-proj.shop.orders, my-proj.shop.items [unknown-source]');
    expect(stdout).toContain('refused    c\n             p8/queries/c.sql:5:8: ST_X is not translated'.replace('p8', project));
    expect(stdout.slice(stdout.indexOf('Tables to map'))).toBe(`Tables to map:
  my-proj.shop.orders    2 queries → orders
  carts                  1 query → carts
  my-proj.shop.events_*  1 query
  my-proj.shop.items     1 query → items
  my-proj.shop.places    1 query → places

# For quern.yaml, with your tables in place of TABLE,
# with the column that has the day in place of COLUMN:
names:
  "my-proj.shop.*": "{3}"
sources:
  "my-proj.shop.events_*":
    table: TABLE
    suffix: COLUMN
`);
  });

  test('there is no quern.yaml to write to', async () => {
    write({ 'in/a.sql': 'select 1 as x' });
    expect((await importDir('in', '--update-config')).stderr).toMatch(/^error\[usage\]: there is no quern\.yaml to write to\n/);
  });

  test('once the rules are in quern.yaml and the tables are loaded, the queries run', async () => {
    const own = cliHome();
    try {
      const yaml = '# mine\nqueries: queries   # here\nnames:   # rules\n    # of ours\n    "a.b.*": "b.{3}"\n\n# the end\nformat: csv\n';
      own.write('quern.yaml', yaml);
      own.write('queries/old.sql', "/*---\nid: 8ff46fd1-4a2b-4f0b-8db5-6a4f7a4f7a11\ndescription: ''\n---*/\nselect 1 as x");
      own.write('in/a.sql', 'select sum(amount) as total from `my-proj.shop.orders`');
      own.write('orders.csv', 'id,amount\n1,2\n2,3\n');
      const first = await own.run(['import', 'dir', 'in', '--update-config']);
      expect([first.stderr, first.exitCode]).toEqual([
        `1 file written to queries
the proposed entries were added to quern.yaml
error[check]: 0 of 1 query translates, 1 more once their tables are known
   = hint: see the report; docs/dialect.md says what can be translated
`,
        1,
      ]);
      expect(readFileSync(join(own.folder, 'quern.yaml'), 'utf8')).toBe(
        yaml.replace('"b.{3}"\n', '"b.{3}"\n    "my-proj.shop.*": "{3}"\n'),
      );
      await own.run(['load', 'orders', 'orders.csv']);
      expect((await own.run(['import', 'dir', 'in', '--update-config'])).stderr).toBe(
        '0 files written to queries, 1 unchanged\nquern.yaml is unchanged\n1 of 1 query translates\n',
      );
      expect((await own.run(['run', 'a'])).stdout).toBe('total\n5\n');
    } finally {
      own.remove();
    }
  });

  test('tables that are loaded under such a name are found, with a rule only where the name is another', async () => {
    const own = cliHome();
    try {
      own.write('quern.yaml', 'queries: queries\n');
      own.write('in/a.sql', 'select sum(n) as n from `my-proj.shop.orders`');
      own.write('in/b.sql', 'select sum(n) as n from `my-proj.web.hits` join `my-proj.app.users` using (n)');
      for (const [name, n] of Object.entries({ 'shop.orders': 3, web_hits: 4, app_users: 4 }))
        await own.run(['load', name, '-', '--format', 'csv'], { stdin: `n\n${n}\n` });
      const { stdout } = await own.run(['import', 'dir', 'in', '--update-config']);
      expect(stdout).toContain('names:\n  "my-proj.app.*": "{2}_{3}"\n  "my-proj.web.*": "{2}_{3}"\n');
      expect((await own.run(['run', 'a', '--format', 'csv'])).stdout).toBe('n\n3\n');
      expect((await own.run(['run', 'b', '--format', 'csv'])).stdout).toBe('n\n4\n');
    } finally {
      own.remove();
    }
  });

  test('files that the project names are tables for the rule', async () => {
    const own = cliHome();
    try {
      own.write('quern.yaml', 'queries: queries\nsources:\n  orders: { file: orders.csv }\n');
      own.write('orders.csv', 'n\n3\n');
      own.write('in/a.sql', 'select n from `my-proj.shop.orders`');
      const { stdout } = await own.run(['import', 'dir', 'in', '--update-config']);
      expect(stdout).toContain('names:\n  "my-proj.shop.*": "{3}"\n');
      expect((await own.run(['run', 'a', '--format', 'csv'])).stdout).toBe('n\n3\n');
    } finally {
      own.remove();
    }
  });

  test('a wildcard of tables that are loaded needs no more than the rule', async () => {
    const own = cliHome();
    try {
      own.write('quern.yaml', 'queries: queries\n');
      own.write('in/a.sql', "select sum(n) as n from `my-proj.web.events_*` where _table_suffix > '20260101'");
      for (const day of ['20260101', '20260102'])
        await own.run(['load', `events_${day}`, '-', '--format', 'csv'], { stdin: `n\n${day}\n` });
      const { stdout } = await own.run(['import', 'dir', 'in', '--update-config']);
      expect(stdout).toContain('my-proj.web.events_*  1 query → events_*\n\n# For quern.yaml:\nnames:\n  "my-proj.web.*": "{3}"\n');
      expect((await own.run(['run', 'a', '--format', 'csv'])).stdout).toBe('n\n20260102\n');
    } finally {
      own.remove();
    }
  });

  test('causes of several queries are counted, those of most first', async () => {
    write({
      'in/a.sql': 'select 1 as x from nosuch where',
      'in/b.sql': 'select st_length(1) as x',
      'in/c.sql': 'select st_length(2) as x',
    });
    const { stdout } = await importDir('in', '--report', join(project, 'report.md'));
    const [, causes = ''] = stdout.split('\n\n');
    expect(causes).toMatch(/^What needs fixing:\n {2}2 queries\n {6}ST_LENGTH is not translated: .*\n {2}1 query\n {6}/);
    expect(read('report.md')).toContain(
      '## What needs fixing\n\n| cause | queries | which |\n|---|---|---|\n| ST&#95;LENGTH is not translated',
    );
  });
});
