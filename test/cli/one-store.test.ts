// Several processes that need one store: the one that has it does what the others want.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { queryText } from '../queries/support.ts';
import { type Result, resultOf } from '../support/process-result.ts';
import { removeFolder } from '../support/remove-folder.ts';

const bin = new URL('../../bin/quern.js', import.meta.url).pathname;
const SLOW =
  'select sum(a * b) as s from unnest(generate_array(1, 12000)) a, unnest(generate_array(1, 12000)) b, unnest(generate_array(1, 8)) c';
const SUM = '{"s":41478912288000000}\n';

let home: string;
let store: string;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'quern-one-store-'));
  writeFileSync(join(home, 'count.sql'), queryText(1, 'select count(*) as n from orders'));
  writeFileSync(
    join(home, 'least.sql'),
    queryText(2, 'select count(*) as n from orders where total >= @least', 'params: { least: float }'),
  );
  store = join(home, 'store');
  mkdirSync(store);
  writeFileSync(join(home, 'numbers.csv'), '1\n2\n');
  writeFileSync(join(home, 'orders.csv'), 'id,total\n1,2.5\n2,3.5\n');
  writeFileSync(join(home, 'checks.yaml'), 'checks:\n  - query: count\n    assertions:\n      - max(n) = 2\n');
  expect(await run(['load', 'orders', 'orders.csv'])).toMatchObject({ exitCode: 0 });
});
afterAll(() => removeFolder(home));

function start(argv: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [bin, ...argv], {
    cwd: home,
    env: { PATH: process.env['PATH'], HOME: home, QUERN_STORE: store, QUERN_QUERIES: home, ...env },
  });
  child.stdin.on('error', () => undefined);
  return child;
}

async function run(argv: readonly string[], { stdin = '', env = {} } = {}): Promise<Result> {
  const child = start(argv, env);
  child.stdin.end(stdin);
  return resultOf(child);
}

/** A shell that has opened the store, and keeps it until its input ends. */
async function shell(): Promise<ChildProcessWithoutNullStreams> {
  const child = start(['shell']);
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  child.stdin.write('select count(*) as opened from orders;\n');
  await once(child.stdout, 'data');
  await expect.poll(() => existsSync(join(store, 'serve.sock')), { timeout: 20_000 }).toBe(true);
  return child;
}

const COMMANDS: readonly { readonly argv: readonly string[]; readonly stdin?: string; readonly exitCode?: number }[] = [
  { argv: ['query', 'select sum(total) as s from orders'] },
  { argv: ['query', 'select 1 + 1 as x'] },
  { argv: ['query', 'select count(*) as n from `orders.csv`', '--format', 'csv'] },
  { argv: ['query', '-'], stdin: 'select 5 as five from orders' },
  { argv: ['query'], stdin: 'select 6 as six from orders' },
  { argv: ['run', 'least', '--no-cache', '--params', '-'], stdin: '{"least": 3}' },
  { argv: ['query', 'select no_such from orders'], exitCode: 2 },
  { argv: ['query', 'select error(concat(cast(id as string), "!")) from orders', '--json-errors'], exitCode: 1 },
  { argv: ['run', 'count', '--no-cache', '--format', 'table'] },
  { argv: ['run', 'nothing'], exitCode: 2 },
  { argv: ['explain', 'count', '--plan'] },
  { argv: ['check', 'checks.yaml', '--as-of', '2026-01-15T12:00:00Z'] },
  { argv: ['sources', 'orders', '--format', 'json'] },
  { argv: ['doctor'] },
  { argv: ['shell'], stdin: 'select sum(total) as s from orders;\n\\d orders\nselect 1 as x' },
  { argv: ['--timeout', '30s', 'shell', '--format', 'csv', '--no-header'], stdin: 'select int64_field_0 from `numbers.csv`;' },
  { argv: ['shell'], stdin: 'select 1 as x; select error("no") from orders; select 2 as never;', exitCode: 1 },
];

describe('while a shell has the store', { timeout: 120_000 }, () => {
  test.each(COMMANDS)('$argv does what it does alone', async ({ argv, stdin = '', exitCode = 0 }) => {
    const alone = await run(argv, { stdin });
    expect(alone, alone.stderr).toMatchObject({ exitCode });
    await shell();
    const beside = await run(argv, { stdin });
    // Times differ.
    const plain = ({ stdout, stderr, exitCode }: Result) => [
      stdout.replace(/\d+ ?ms|\d+\.\d+ s/g, ''),
      stderr.replace(/\d+ ?ms/g, '').replace('<shell>', '<stdin>'),
      exitCode,
    ];
    expect(plain(beside)).toEqual(plain(alone));
  });

  test("the caller's environment holds", async () => {
    await shell();
    expect(await run(['query', 'select 1 as x from orders limit 1'], { env: { QUERN_FORMAT: 'csv' } })).toEqual({
      stdout: 'x\n1\n',
      stderr: '',
      exitCode: 0,
    });
    expect(await run(['query', SLOW], { env: { QUERN_TIMEOUT: '1s' } })).toMatchObject({ exitCode: 4 });
  });

  test('Ctrl-C interrupts the command, and not the shell', async () => {
    const holder = await shell();
    const child = start(['query', SLOW]);
    child.stdin.end();
    const ended = resultOf(child);
    setTimeout(() => child.kill('SIGINT'), 2500);
    expect(await ended).toMatchObject({ stdout: '', exitCode: 130 });
    holder.stdin.end('select count(*) as still from orders;\n');
    expect(await resultOf(holder)).toMatchObject({ stdout: expect.stringContaining('{"still":2}'), exitCode: 0 });
  });

  test('a shell that is killed in the middle costs nothing but time', async () => {
    const holder = await shell();
    const ended = run(['query', SLOW]);
    setTimeout(() => holder.kill('SIGKILL'), 2000);
    expect(await ended).toEqual({ stdout: SUM, stderr: '', exitCode: 0 });
  });

  test('a shell that ends waits for the command of another', async () => {
    const holder = await shell();
    const ended = run(['query', SLOW]);
    setTimeout(() => holder.stdin.end(), 1500);
    expect(await ended).toMatchObject({ stdout: SUM, exitCode: 0 });
    if (holder.exitCode === null) await once(holder, 'exit');
    expect(readdirSync(store)).not.toContain('serve.sock');
  });
});

test('a query ends its output before it waits for the load that reads it', { timeout: 120_000 }, async () => {
  const query = start(['query', `select s as id from (${SLOW}) cross join (select 1 from orders limit 1)`, '--format', 'csv']);
  query.stdin.end();
  await expect.poll(() => existsSync(join(store, 'serve.sock')), { timeout: 20_000 }).toBe(true);
  const load = start(['load', 'sums', '-', '--format', 'csv']);
  query.stdout.pipe(load.stdin);
  const [queried, loaded] = await Promise.all([once(query, 'exit'), resultOf(load)]);
  expect(queried).toEqual([0, null]);
  expect(loaded).toMatchObject({ exitCode: 0 });
  expect(await run(['query', 'select id as s from sums'])).toMatchObject({ stdout: SUM });
});

test('a query whose rows another process loads', { timeout: 120_000 }, async () => {
  const rows =
    "select x as id, concat(cast(x as string), 'abcdefghij') as t from unnest(generate_array(1, 200000)) x cross join (select 1 from orders limit 1)";
  const query = start(['query', rows, '--format', 'csv', '--max-rows', 'all']);
  query.stdin.end();
  const load = start(['load', 'many', '-', '--format', 'csv']);
  query.stdout.pipe(load.stdin);
  const [queried, loaded] = await Promise.all([once(query, 'exit'), resultOf(load)]);
  expect(queried).toEqual([0, null]);
  expect(loaded).toMatchObject({ exitCode: 0 });
  expect(await run(['query', 'select count(*) as n, max(id) as id from many'])).toMatchObject({ stdout: '{"n":200000,"id":200000}\n' });
});
