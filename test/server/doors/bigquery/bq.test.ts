// Google's command line against the door, where it is installed.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { folderOf } from '../../../queries/support.ts';
import { eventsEngine } from '../../server-support.ts';
import { type Door, door, PROJECT } from './support.ts';

const run = promisify(execFile);
const isInstalled = await run('bq', ['version']).then(
  () => true,
  () => false,
);
const engine = eventsEngine();

interface Ended {
  readonly code: number;
  /** In one line, for it breaks lines of errors. */
  readonly output: string;
}

async function bq({ address, secret }: Door, ...args: readonly string[]): Promise<Ended> {
  const folder = folderOf({});
  const token = join(folder, 'token');
  writeFileSync(token, secret);
  const env = { ...process.env, CLOUDSDK_AUTH_ACCESS_TOKEN_FILE: token, CLOUDSDK_CONFIG: join(folder, 'config'), HOME: folder };
  const all = ['--api', address, '--project_id', PROJECT, '--quiet', ...args];
  try {
    return { code: 0, output: (await run('bq', all, { env })).stdout };
  } catch (error) {
    const { code, stdout } = error as { readonly code: number; readonly stdout: string }; // execFile rejects with these
    return { code, output: stdout.replaceAll(/\s+/g, ' ') };
  }
}

describe.skipIf(!isInstalled)('bq, which is installed here,', { timeout: 120_000 }, () => {
  test('queries, says what a query would read, and shows errors with their places', async () => {
    const world = await door(engine(), { key: {} });
    const query = ['query', '--nouse_legacy_sql'];
    const rows = await bq(
      world,
      ...query,
      '--format=json',
      '--parameter=least:INT64:9',
      "select id, [area, 'x'] as a from events where id >= @least order by id",
    );
    expect(JSON.parse(rows.output)).toEqual([
      { id: '9', a: ['rest', 'x'] },
      { id: '10', a: ['auth', 'x'] },
    ]);
    const dry = await bq(world, ...query, '--dry_run', 'select id from events');
    expect(dry.output).toMatch(/Query successfully validated.* will process (upper bound of )?[1-9]\d* bytes/);
    const wrong = await bq(world, ...query, 'select\n  x from events');
    expect([wrong.code, wrong.output]).toEqual([1, expect.stringMatching(/Error in query string: .* at \[2:3\]/)]);
    const missing = await bq(world, ...query, 'select * from shop.orders');
    expect([missing.code, missing.output]).toEqual([2, expect.stringMatching(/Not found: Table demo- ?project:shop\.orders/)]);
  });

  test('lists and shows jobs', async () => {
    const world = await door(engine(), { key: {} });
    await bq(world, 'query', '--nouse_legacy_sql', '--job_id=mine', 'select 1 as a');
    expect((await bq(world, 'ls', '-j')).output).toMatch(/mine\s+query\s+SUCCESS/);
    expect(JSON.parse((await bq(world, 'show', '-j', '--format=json', 'mine')).output).status).toEqual({ state: 'DONE' });
    const written = await bq(world, 'mk', 'shop');
    expect([written.code, written.output]).toEqual([1, expect.stringContaining('quern does not support')]);
  });
});
