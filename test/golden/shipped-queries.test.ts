// The ClickHouse SQL of every saved query that ships, as a file each: a change of the translator shows as a difference here.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { embeddedSources } from '../../src/sources/log/log-catalog.ts';
import { LOG_SOURCES } from '../../src/sources/log/log-sources.ts';
import { sourceFromTable } from '../../src/sources/table/table-source.ts';
import { parseSavedQuery } from '../../src/queries/header/header.ts';
import { optionsOver } from '../../src/queries/expand.ts';
import { translate } from '../../src/sql/index.ts';
import type { SourceCatalog } from '../../src/sql/source.ts';

const folder = new URL('../../queries/', import.meta.url);
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.sql'))
  .map((file) => file.replace(/\.sql$/, ''))
  .sort();

/** A user's tables in the other layouts; a nested column has what the queries read. */
const METADATA = {
  map: 'Map(LowCardinality(String), String)',
  text: 'String',
  nested: `Array(Tuple(project_ref Nullable(String), function_id Nullable(String), execution_time_ms Nullable(Float64),
    request Array(Tuple(path Nullable(String), url Nullable(String))), response Array(Tuple(status_code Nullable(Int64)))))`,
};

function layoutSources(type: string): SourceCatalog {
  const described = [
    { name: 'id', type: 'String' },
    { name: 'timestamp', type: "DateTime64(6, 'UTC')" },
    { name: 'project', type: 'LowCardinality(String)' },
    { name: 'event_message', type: 'String' },
    { name: 'metadata', type },
  ];
  const find = (name: string) => {
    const source = LOG_SOURCES.find((known) => known.name === name);
    const definition = { name, aliases: [], database: 'logs', table: name, columns: {}, fields: {}, sameAs: {}, rows: {} };
    return source && sourceFromTable(definition, described);
  };
  return { names: LOG_SOURCES.map(({ name }) => name), find };
}

function translated(name: string, sources: SourceCatalog): string {
  const text = readFileSync(new URL(`${name}.sql`, folder), 'utf8');
  const query = parseSavedQuery({ name: `queries/${name}.sql`, text }, name);
  const { sql } = translate(query.source.text, optionsOver(query.parameters, { sources }));
  return `${sql}\n`;
}

test.each(names)('%s', async (name) => {
  await expect(translated(name, embeddedSources({ sources: {} }))).toMatchFileSnapshot(`${name}.clickhouse.sql`);
});

const statistics = names.filter((name) => name !== 'logs.all');
const layouts = Object.entries(METADATA).flatMap(([layout, type]) => statistics.map((name) => ({ layout, type, name })));
test.each(layouts)('$name of $layout', async ({ layout, type, name }) => {
  await expect(translated(name, layoutSources(type))).toMatchFileSnapshot(`${name}.${layout}.clickhouse.sql`);
});
