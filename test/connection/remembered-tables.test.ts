// The tables of a project's sources are described once, remembered, and described again when they turn out to be others.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEmbedded } from '../../src/engine/embedded/embedded.ts';
import { cliHome } from '../support/run-cli.ts';

const home = cliHome();
const query = (columns: string) => `/*---
id: 9d1c1f0e-5b1a-4c39-9d7f-0f6f6a2b7c11
description: test
max_rows: 10
cache: disabled
---*/
select ${columns} from visits order by n`;

async function inStore(...statements: readonly string[]): Promise<void> {
  const engine = await openEmbedded({ path: `${home.folder}/store/data` });
  try {
    for (const sql of statements) await engine.command(sql);
  } finally {
    await engine.close();
  }
}

beforeAll(async () => {
  home.write('quern.yaml', 'store: store\nsources:\n  visits:\n    table: web.visits\n');
  home.write('visits.sql', query('n, path'));
  await home.run(['load', 'edge_logs', '-'], { stdin: '{"id":"1","timestamp":"2026-01-01T00:00:00Z","event_message":"x"}\n' });
  await inStore(
    'CREATE DATABASE web',
    'CREATE TABLE web.visits (n Int64, path String) ENGINE = MergeTree ORDER BY n',
    "INSERT INTO web.visits VALUES (1, '/a')",
  );
});

afterAll(() => home.remove());

test('a run describes the tables of its sources', async () => {
  expect(await home.run(['run', './visits.sql'])).toEqual({ stdout: '{"n":1,"path":"/a"}\n', stderr: '', exitCode: 0 });
});

test('a column that was added since is found', async () => {
  await inStore("ALTER TABLE web.visits ADD COLUMN agent String DEFAULT 'curl'");
  home.write('agents.sql', query('n, agent').replace('9d1c', '9d1d'));
  expect(await home.run(['run', './agents.sql'])).toEqual({ stdout: '{"n":1,"agent":"curl"}\n', stderr: '', exitCode: 0 });
});

test('a column whose type has changed since is read as what it is', async () => {
  await inStore(
    'CREATE OR REPLACE TABLE web.visits (n Int64, path Nullable(String)) ENGINE = MergeTree ORDER BY n',
    "INSERT INTO web.visits VALUES (1, '/a'), (2, NULL)",
  );
  expect((await home.run(['run', './visits.sql'])).stdout).toBe('{"n":1,"path":"/a"}\n{"n":2,"path":null}\n');
  home.write('agents.sql', query('n, agent').replace('9d1c', '9d1d'));
  expect((await home.run(['run', './agents.sql'])).exitCode).toBe(2);
});
