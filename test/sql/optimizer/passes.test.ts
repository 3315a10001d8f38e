// Every pass has a file in passes/: queries with the reason for them, the ClickHouse SQL they become, and its rows on ten events.
// `vitest -u` writes the SQL and the rows anew; that the rows are BigQuery's is for the reader to check.
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EmbeddedEngine, openEmbedded } from '../../../src/engine/embedded/embedded.ts';
import { translate } from '../../../src/sql/index.ts';
import { PASSES } from '../../../src/sql/optimizer/index.ts';
import { type TempFolder, tempFolder } from '../../support/temp-store.ts';
import { createEvents, EVENT_SOURCES } from '../events.ts';

const folder = new URL('passes/', import.meta.url);
const files = readdirSync(folder).sort();

let data: TempFolder;
let engine: EmbeddedEngine;
beforeAll(async () => {
  data = tempFolder();
  engine = await openEmbedded({ path: data.path });
  await createEvents(engine);
});
afterAll(async () => {
  await engine.close();
  data.remove();
});

/** A fixture as it must read: why, BigQuery, ClickHouse, a row per line. */
async function rendered(fixture: string): Promise<string> {
  const why = /^(?:-- .*\n)+/.exec(fixture)?.[0] ?? '';
  const bigquery = fixture.slice(why.length).split(';\n')[0] ?? '';
  const { sql, settings } = translate(bigquery, { sources: EVENT_SOURCES });
  const { rows } = await engine.execute({ sql, bindings: [], settings: { ...settings, max_threads: 1 } });
  return `${why}${bigquery};\n${sql};\n${rows.map((row) => `-- = ${JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value))}\n`).join('')}`;
}

test.each(files)('%s', async (file) => {
  const url = new URL(file, folder);
  const fixtures = readFileSync(url, 'utf8').trimEnd().split('\n\n');
  const now: string[] = [];
  for (const fixture of fixtures) now.push(await rendered(`${fixture}\n`));
  await expect(now.join('\n')).toMatchFileSnapshot(url.pathname);
});

test('every pass has its file', () => {
  const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  expect(files).toEqual(PASSES.map((pass) => `${kebab(pass.name)}.sql`).sort());
});
