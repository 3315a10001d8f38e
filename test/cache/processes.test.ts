// Several processes on one cache folder: no torn entries, no failures, whatever they do at the same time.
import { execFile, execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { bundle } from '../../scripts/bundle.mjs';
import { temporaryFolder, testCache } from './support.ts';

test('processes that write, read, clear and evict at once only ever see whole entries', async () => {
  const folder = temporaryFolder();
  const script = await bundle(join(import.meta.dirname, 'cache-worker.ts'));
  const shared = join(folder, 'cache');
  const runs = Array.from({ length: 4 }, (_, seed) =>
    promisify(execFile)(process.execPath, [script, shared, String(seed), '400', '60000']),
  );
  const reports = (await Promise.all(runs)).map(
    ({ stdout }) => JSON.parse(stdout) as { wrong: number; hits: number; misses: number; notes: string[] },
  );
  expect(reports.map(({ wrong, notes }) => ({ wrong, notes }))).toEqual(reports.map(() => ({ wrong: 0, notes: [] })));
  expect(reports.every(({ hits, misses }) => hits > 20 && misses > 20)).toBe(true);
  const { cache } = testCache({ folder: shared, maxBytes: 60_000 });
  expect((await cache.stats()).bytes).toBeLessThanOrEqual(120_000);
  expect(readdirSync(join(shared, 'results'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

test('an entry that does not fit on the disk costs the cache, says so once and leaves nothing behind', async () => {
  const folder = temporaryFolder();
  const shared = join(folder, 'cache');
  // A limit on the size of files stands in for a full disk: writes fail part-way.
  const limited = `ulimit -f 1; exec "$0" "$@"`;
  const stdout = execFileSync(
    'bash',
    ['-c', limited, process.execPath, await bundle(join(import.meta.dirname, 'cache-worker.ts')), shared, '1', '60', '10000000'],
    {
      encoding: 'utf8',
    },
  );
  const report = JSON.parse(stdout) as { wrong: number; notes: string[] };
  expect(report.wrong).toBe(0);
  expect(report.notes.length).toBe(1);
  expect(readdirSync(join(shared, 'results'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});
