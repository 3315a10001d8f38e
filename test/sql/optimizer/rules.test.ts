// Every rule has a file in rules/: queries with the reason for them, their plan when the rule's turn comes and after it, and the rows on ten events.
// `vitest -u` writes plans and rows anew; that the rows are BigQuery's is for the reader to check.
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EmbeddedEngine, openEmbedded } from '../../../src/engine/embedded/embedded.ts';
import { explainLogical, translate } from '../../../src/sql/index.ts';
import { FITTING, SHAPING } from '../../../src/sql/optimizer/rules/index.ts';
import { type TempFolder, tempFolder } from '../../support/temp-store.ts';
import { createEvents, EVENT_SOURCES } from '../events.ts';

const folder = new URL('rules/', import.meta.url);
const names = [...SHAPING, ...FITTING].map(({ name }) => name);

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

/** A fixture as it must read: why, the query, the plan before and after the rule, a row per line. */
async function rendered(fixture: string, rule: string): Promise<string> {
  const why = /^(?:-- .*\n)+/.exec(fixture)?.[0] ?? '';
  const query = fixture.slice(why.length).split(';\n')[0] ?? '';
  const { before, rules } = explainLogical(query, { sources: EVENT_SOURCES });
  const earlier = rules.filter(({ name }) => names.indexOf(name) < names.indexOf(rule));
  const after = rules.find(({ name }) => name === rule)?.plan;
  const { sql, settings } = translate(query, { sources: EVENT_SOURCES });
  const { rows } = await engine.execute({ sql, bindings: [], settings: { ...settings, max_threads: 1 } });
  const lines = rows.map((row) => `${JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value))}\n`);
  return `${why}${query};\nbefore:\n${earlier.at(-1)?.plan ?? before}after:${after === undefined ? ' the same\n' : `\n${after}`}rows:\n${lines.join('')}`;
}

test.each(names)('%s', async (rule) => {
  const url = new URL(`${rule}.txt`, folder);
  const fixtures = readFileSync(url, 'utf8').trimEnd().split('\n\n');
  const now: string[] = [];
  for (const fixture of fixtures) now.push(await rendered(`${fixture}\n`, rule));
  await expect(now.join('\n')).toMatchFileSnapshot(url.pathname);
});

test('each file is that of a rule', () => {
  expect(readdirSync(folder).sort()).toEqual(names.map((name) => `${name}.txt`).sort());
});
