// Compressed files that are cut off: each is refused, whatever it is compressed with and wherever it is cut, and nothing of it is loaded.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { QuernError } from '../../../src/base/errors.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { type TempFolder, tempFolder } from '../../support/temp-store.ts';

let folder: TempFolder;
let store: Store;
beforeAll(async () => {
  folder = tempFolder();
  store = await openStore({ dir: join(folder.path, 'store') });
});
afterAll(async () => {
  await store.close();
  folder.remove();
});

/** 3,000 rows such as {"n":0,"text":"row"}. */
const BZIP2 = Buffer.from(
  'QlpoMTFBWSZTWdGnr1IAb+nZgAAQEAR/8AIBlMowAPMgoAMRppo0E1UoAGhobUClVDQMQ00xM1CF9qELWoQs1CFrUIXOoQtqhC+USu1EMikZlI9FI9lI+FI0KR9KRqUjMVKmoVKmlQhYqELaoQsVCFmoQsVCFmoQs1CFmoQt9QhfxdyRThQkNGnr1IA=',
  'base64',
);
const ROWS = 3000;
const PLACES = 30;

/** NDJSON, so that a cut within a line could be taken for a bad line, and one between two for the end. */
async function packed(ending: string): Promise<Buffer> {
  if (ending === 'bz2') return BZIP2;
  const file = join(folder.path, `t.ndjson.${ending}`);
  await store.engine.command(
    `SELECT number AS n, concat('row ', toString(cityHash64(number))) AS text FROM numbers(${ROWS}) INTO OUTFILE '${file}' TRUNCATE FORMAT JSONEachRow`,
  );
  return readFileSync(file);
}

const failure = (load: Promise<unknown>): Promise<string> =>
  load.then(
    () => 'loaded',
    (error: unknown) => (error instanceof QuernError ? `${error.code}: ${error.message}` : String(error)),
  );

const WHY = {
  gz: /its compressed data is damaged or cut off$/,
  zst: /the zstd data is cut off$/,
  xz: /its compressed data is damaged or cut off$/,
  bz2: /the bzip2 data is cut off$/,
  lz4: /the lz4 data is cut off$/,
  br: /its compressed data is damaged or cut off$/,
};

test.each(Object.entries(WHY))('%s', async (ending, why) => {
  const whole = await packed(ending);
  const uncut = join(folder.path, `uncut.ndjson.${ending}`);
  writeFileSync(uncut, whole);
  const { rows } = await store.loadTable(`whole_${ending}`, [uncut]);
  expect(rows).toBe(ROWS);
  const places = Array.from({ length: PLACES }, (_, i) => Math.max(1, Math.floor((whole.length * (i + 1)) / (PLACES + 1))));
  const ends = [1, 2, 3, 4, 8].map((bytes) => whole.length - bytes);
  const said = new Set<string>();
  for (const at of [1, 3, ...places, ...ends]) {
    const file = join(folder.path, `cut.ndjson.${ending}`);
    writeFileSync(file, whole.subarray(0, at));
    said.add((await failure(store.loadTable('cut', [file]))).replace(file, 'FILE'));
  }
  expect([...said]).toEqual([expect.stringMatching(why)]);
  expect([...said][0]).toMatch(/^load: FILE cannot be read: /);
  expect(Object.keys(store.manifest.tables)).not.toContain('cut');
});

test.each(Object.keys(WHY).filter((ending) => ending !== 'br'))('%s that is followed by something else', async (ending) => {
  const data = Buffer.concat([await packed(ending), Buffer.from('and so on')]);
  const file = folder.write(`more.ndjson.${ending}.all`, data);
  expect(await failure(store.loadTable('more', [file], { format: 'ndjson' }))).toMatch(/^load: .* cannot be read: .*(?:damaged|followed)/);
});

test.each(Object.entries(WHY))('%s of logs', async (ending, why) => {
  const whole = await packed(ending);
  for (const at of [whole.length >> 1, whole.length - 1]) {
    const file = join(folder.path, `logs.ndjson.${ending}`);
    writeFileSync(file, whole.subarray(0, at));
    expect(await failure(store.load('edge_logs', file))).toMatch(why);
  }
  expect(store.manifest.sources).toEqual({});
});
