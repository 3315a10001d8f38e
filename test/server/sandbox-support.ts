// A table of events of three projects in the same granules, with a word in each event that only its project may see, and servers over it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { type EmbeddedEngine, openEmbedded } from '../../src/engine/embedded/embedded.ts';
import type { NewKey } from '../../src/server/keys/change-keys.ts';
import type { ServerOptions } from '../../src/server/server.ts';
import { INT64, STRING, TIMESTAMP } from '../../src/sql/base/types.ts';
import type { Source, SourceCatalog } from '../../src/sql/source.ts';
import { fixedSources } from '../support/fixed-sources.ts';
import { served } from './server-support.ts';

const column = (name: string, type: Source['columns'][number]['type'], clickhouseType: string) => ({
  name,
  type,
  read: { layout: 'column', column: name, clickhouseType } as const,
});
const eventsAt = (table: string): Source => ({
  name: 'events',
  database: 'default',
  table,
  columns: [
    column('id', INT64, 'Int64'),
    column('project', STRING, 'LowCardinality(String)'),
    column('message', STRING, 'String'),
    column('moment', TIMESTAMP, "DateTime64(6, 'UTC')"),
  ],
});
export const sourcesAt = (table: string): SourceCatalog => ({
  names: ['events'],
  find: (name) => (name === 'events' ? eventsAt(table) : undefined),
});

export const MINE = 'mine';
/** In every message of another project, and in none of `mine`. */
export const SECRET = 'classified';

/** Of 300 events every third is one of `mine`; ids of other projects are above 1,000,000. */
const ROWS = `INSERT INTO default.events SELECT
  if(number % 3 = 0, toInt64(number), 1000000 + toInt64(number)), ['mine', 'yours', 'theirs'][number % 3 + 1],
  if(number % 3 = 0, toString(number), concat('${SECRET} ', toString(number))),
  toDateTime64('2026-01-02 00:00:00', 6, 'UTC') + number
FROM numbers(300)`;

export function eventsOfProjects(): () => EmbeddedEngine {
  const folder = mkdtempSync(join(tmpdir(), 'quern-projects-'));
  let engine: EmbeddedEngine | undefined;
  beforeAll(async () => {
    engine = await openEmbedded({ path: join(folder, 'data') });
    await engine.command(
      "CREATE TABLE default.events (id Int64, project LowCardinality(String), message String, moment DateTime64(6, 'UTC')) ENGINE = MergeTree ORDER BY (project, moment)",
    );
    await engine.command(ROWS);
  });
  afterAll(async () => {
    await engine?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return () => {
    if (engine === undefined) throw new Error('the engine is open in tests only');
    return engine;
  };
}

export interface Asked {
  readonly status: number;
  readonly body: string;
  readonly error?: { readonly code: string; readonly message: string; readonly hint?: string };
}

/** A server on a port of its own, over these saved queries, and what it answers to a key with these bounds. */
export async function sandboxServer(
  engine: EmbeddedEngine,
  files: Readonly<Record<string, string>>,
  key: Partial<NewKey>,
  options: Partial<ServerOptions> = {},
) {
  const { server, secret } = await served(engine, {
    files,
    options,
    sources: fixedSources(() => sourcesAt('events')),
    key,
  });
  const address = await server.listen('127.0.0.1', 0);
  return async (path: string, words: Readonly<Record<string, string>>): Promise<Asked> => {
    const reply = await fetch(`${address}/api/endpoints/${path}?${new URLSearchParams(words)}`, { headers: { 'x-api-key': secret } });
    const body = await reply.text();
    return { status: reply.status, body, ...(reply.ok ? {} : { error: JSON.parse(body).error }) };
  };
}
