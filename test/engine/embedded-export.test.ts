// Results of the embedded engine as bytes and as files: whole or an error, and stopped when nobody wants them.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type EmbeddedEngine, openEmbedded } from '../../src/engine/embedded/embedded.ts';
import type { EngineQuery, FileTarget } from '../../src/engine/engine.ts';
import { type TempFolder, tempFolder } from '../support/temp-store.ts';

let folder: TempFolder;
let engine: EmbeddedEngine;
beforeAll(async () => {
  folder = tempFolder();
  vi.stubEnv('TMPDIR', folder.path); // other tests put their own files into the common one
  engine = await openEmbedded({ path: join(folder.path, 'data') });
});
afterAll(async () => {
  await engine.close();
  vi.unstubAllEnvs();
  folder.remove();
});

const query = (sql: string, more: Partial<EngineQuery> = {}): EngineQuery => ({ sql, bindings: [], settings: {}, ...more });
const MARKED = { format_custom_escaping_rule: 'Raw', format_custom_result_after_delimiter: '.end' };
const ENDLESS = 'SELECT number AS n FROM numbers(100000000000)';
const SILENT = `${ENDLESS} WHERE sipHash64(number) = 1`;

async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}
const write = (sql: string, target: Partial<FileTarget> = {}, more: Partial<EngineQuery> = {}) =>
  engine.writeFile?.(query(sql, { settings: MARKED, ...more }), {
    file: join(folder.path, 'out'),
    format: 'CustomSeparated',
    ending: '.end',
    ...target,
  });
/** How many queries with this comment the engine works on. */
const running = async (comment: string): Promise<unknown> =>
  (await engine.rows(`SELECT count() FROM system.processes WHERE Settings['log_comment'] LIKE '${comment}%'`))[0]?.[0];
const leftOver = () =>
  readdirSync(tmpdir())
    .filter((name) => name.startsWith('quern-result-'))
    .flatMap((name) => readdirSync(join(tmpdir(), name)));

test('rows are streamed with their bindings, and counted', async () => {
  const ends: unknown[] = [];
  const bound = query('SELECT number AS n FROM numbers({count:UInt64})', {
    bindings: [{ name: 'count', type: 'UInt64', value: 200_000 }],
  });
  const bytes = await bytesOf(engine.stream(bound, 'TSVRaw', (end) => ends.push(end)));
  expect([bytes.toString().trimEnd().split('\n').length, ends]).toEqual([200_000, [{ rows: 200_000 }]]);
});

test('a result without rows is streamed as nothing', async () => {
  expect((await bytesOf(engine.stream(query('SELECT 1 AS n WHERE 0'), 'TSVRaw'))).length).toBe(0);
});

test.each([
  ['Parquet', 'PAR1'],
  ['Arrow', 'ARROW1'],
] as const)('%s is streamed as one whole document, and leaves no file behind', async (format, magic) => {
  const bytes = await bytesOf(engine.stream(query('SELECT number AS n FROM numbers(100000)'), format));
  expect([bytes.subarray(0, magic.length).toString(), bytes.subarray(-magic.length).toString(), leftOver()]).toEqual([magic, magic, []]);
  const file = folder.write('copy', bytes);
  expect(await engine.rows(`SELECT count(), sum(n) FROM file('${file}', '${format}')`)).toEqual([[100_000, 4_999_950_000]]);
});

test('leaving the stream stops the query', async () => {
  for await (const chunk of engine.stream(query(ENDLESS, { comment: 'left' }), 'TSVRaw')) {
    expect(chunk.length).toBeGreaterThan(0);
    break;
  }
  expect(await running('left')).toBe(0);
});

test.each([
  ['before the first row', SILENT, 'TSVRaw'],
  ['between rows', ENDLESS, 'TSVRaw'],
  ['in a document', SILENT, 'Parquet'],
] as const)('a signal stops the stream %s', async (_, sql, format) => {
  const controller = new AbortController();
  const ended = bytesOf(engine.stream(query(sql, { signal: controller.signal, comment: 'cut' }), format)).catch((error: unknown) => error);
  await expect.poll(() => running('cut')).toBe(1);
  controller.abort();
  expect(await ended).toMatchObject({ code: 'interrupted' });
  await expect.poll(() => running('cut')).toBe(0);
  expect(leftOver()).toEqual([]);
});

test('a failure in the middle of a stream is an error', async () => {
  const failing = query("SELECT throwIf(number = 1000000, 'enough') AS n FROM numbers(2000000)");
  await expect(bytesOf(engine.stream(failing, 'TSVRaw'))).rejects.toMatchObject({ code: 'data', message: 'the query failed: enough' });
});

test('a file is written by the engine, and what was there is replaced', async () => {
  writeFileSync(join(folder.path, 'out'), 'something old');
  expect(await write('SELECT number AS n FROM numbers(3)')).toEqual({ rows: 3 });
  expect(readFileSync(join(folder.path, 'out'), 'utf8')).toBe('0\n1\n2\n.end');
});

test('a file that was empty is written with the permissions that it has', async () => {
  const file = join(folder.path, 'empty');
  writeFileSync(file, '', { mode: 0o600 });
  expect(await write('SELECT number AS n FROM numbers(3)', { file })).toEqual({ rows: 3 });
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['0\n1\n2\n.end', 0o600]);
});

test('names of files are text to the engine', async () => {
  const file = join(folder.path, "it's \\ {a:String}\n$x");
  expect(await write('SELECT 1 AS n', { file })).toEqual({ rows: 1 });
  expect(readFileSync(file, 'utf8')).toBe('1\n.end');
});

test('a zstd file is known to be whole', async () => {
  const file = join(folder.path, 'rows.zst');
  expect(await write('SELECT sipHash64(number) AS n FROM numbers(300000)', { file, compression: 'zstd' })).toEqual({ rows: 300_000 });
  expect(await engine.rows(`SELECT count() FROM file('${file}', 'LineAsString', 'line String', 'zstd')`)).toEqual([[300_001]]);
});

test.skipIf(!existsSync('/dev/full')).each([
  ['CustomSeparated', '.end', undefined],
  ['CustomSeparated', '.end', 'zstd'],
  ['Parquet', 'PAR1', undefined],
  ['Arrow', 'ARROW1', undefined],
] as const)('a full disk is an error for %s %s %s', async (format, ending, compression) => {
  const target = { file: '/dev/full', format, ending, ...(compression === undefined ? {} : { compression }) };
  await expect(write('SELECT number AS n FROM numbers(1000000)', target)).rejects.toMatchObject({ code: 'ENOSPC' });
});

test('a signal stops the writing of a file', async () => {
  const controller = new AbortController();
  const ended = write(SILENT, {}, { signal: controller.signal, comment: 'written' })?.catch((error: unknown) => error);
  await expect.poll(() => running('written')).toBe(1);
  controller.abort();
  expect(await ended).toMatchObject({ code: 'interrupted' });
});

test('what is not one query is refused before a file is made', async () => {
  const file = join(folder.path, 'never');
  await expect(write("SELECT 1 AS n INTO OUTFILE '/tmp/x'", { file })).rejects.toMatchObject({ code: 'unsupported' });
  expect(statSync(file, { throwIfNoEntry: false })).toBeUndefined();
});
