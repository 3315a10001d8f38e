// Every door gives the rows that the data have now, whatever kind of source they come from, although results are cached for an hour.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cliHome } from '../support/run-cli.ts';
import { behind, commandDoors, servedDoors } from './doors-support.ts';

const home = cliHome();
let served: Awaited<ReturnType<typeof servedDoors>>;

const load = async (...argv: readonly string[]) => {
  const { stderr, exitCode } = await home.run(['load', ...argv]);
  expect([exitCode, stderr]).toEqual([0, stderr]);
};
const file = (name: string, n: number): string => home.write(name, `n\n${n}\n`);
const event = (id: number): string =>
  `${JSON.stringify({ id: `${id}`, timestamp: '2026-01-02T00:00:00Z', project: 'p', event_message: 'm' })}\n`;

/** A query for each kind of source, and what makes its row another. */
const KINDS: Readonly<Record<string, { readonly sql: string; readonly change: (n: number) => Promise<unknown> | unknown }>> = {
  files: { sql: 'select max(n) as n from of_files', change: (n) => file('data/a.csv', n) },
  a_file_more: { sql: 'select max(n) as n from of_files', change: (n) => file(`data/${n}.csv`, n) },
  loaded: { sql: 'select max(n) as n from loaded', change: (n) => load('loaded', file('x.csv', n), '--replace') },
  table: { sql: 'select max(n) as n from of_table', change: (n) => load('loaded', file('x.csv', n)) },
  rule: { sql: 'select max(n) as n from `p.d.loaded`', change: (n) => load('loaded', file('x.csv', n)) },
  undone: {
    sql: 'select max(n) as n from loaded',
    change: async () => {
      const { stdout } = await home.run(['loads', '--format', 'ndjson']);
      await home.run(['loads', 'undo', String(JSON.parse(stdout.split('\n')[0] ?? '').load)]);
    },
  },
  wildcard: { sql: 'select max(n) as n from `part_*`', change: (n) => load(`part_${n}`, file('x.csv', n)) },
  log: { sql: 'select count(*) as n from edge_logs', change: (n) => load('edge_logs', home.write(`${n}.ndjson`, event(n))) },
  information_schema: {
    sql: "select string_agg(column_name order by column_name) as n from INFORMATION_SCHEMA.COLUMNS where table_name = 'loaded'",
    change: () => load('loaded', home.write('y.csv', 'n,other\n1,2\n'), '--replace'),
  },
};

beforeAll(async () => {
  home.write(
    'quern.yaml',
    'queries: [queries]\nsources:\n  of_files: { file: "data/*.csv" }\n  of_table: { table: loaded }\nnames: { "p.d.*": "{3}" }\n',
  );
  file('data/a.csv', 1);
  await load('loaded', file('x.csv', 1));
  await load('part_0', file('x.csv', 1));
  await load('edge_logs', home.write('0.ndjson', event(0)));
  for (const [i, [name, { sql }]] of Object.entries(KINDS).entries())
    home.write(`queries/${name}.sql`, `/*---\nid: 5e7b7bb7-0b0e-4d17-9c4c-0f0b5c8a2b${10 + i}\ncache: 1h\n---*/\n${sql}\n`);
  served = await servedDoors(home);
}, 60_000);

afterAll(async () => {
  await served.stop();
  home.remove();
});

let n = 100;
test.each(Object.keys(KINDS))(
  '%s',
  async (name) => {
    const { sql = '', change } = KINDS[name] ?? {};
    const all = { ...commandDoors(home), ...served.doors };
    const before = await behind(all, name, sql);
    await change?.(n++);
    // A server asks now and then what its data are.
    let now = await behind(all, name, sql);
    for (let tries = 0; tries < 100 && (now['serve'] === before['serve'] || now['mcp'] === before['mcp']); tries++) {
      await new Promise((resume) => setTimeout(resume, 100));
      now = { ...now, ...(await behind(served.doors, name, sql)) };
    }
    const { run = '', check = '', ...others } = now;
    expect(run).not.toBe(before['run']);
    expect(check).not.toBe(before['check']);
    expect(others).toEqual({ query: run, export: run, serve: run, mcp: run });
  },
  60_000,
);
