// The ClickHouse SQL of every saved query that ships, as a file each: a change of the translator shows as a difference here.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseSavedQuery } from '../../src/queries/header/header.ts';
import { parameterType } from '../../src/queries/parameter-value.ts';
import { embeddedSources } from '../../src/catalog/log-catalog.ts';
import { translate } from '../../src/sql/index.ts';

const folder = new URL('../../queries/', import.meta.url);
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.sql'))
  .map((file) => file.replace(/\.sql$/, ''))
  .sort();

test.each(names)('%s', async (name) => {
  const text = readFileSync(new URL(`${name}.sql`, folder), 'utf8');
  const query = parseSavedQuery({ name: `queries/${name}.sql`, text }, name);
  const { sql } = translate(query.source.text, {
    parameters: Object.fromEntries(query.parameters.map((parameter) => [parameter.name, parameterType(parameter)])),
    sources: embeddedSources({ sources: {} }),
    instant: 'parameter',
    bytes: 'text',
    nullElements: 'fail',
  });
  await expect(`${sql}\n`).toMatchFileSnapshot(`${name}.clickhouse.sql`);
});
