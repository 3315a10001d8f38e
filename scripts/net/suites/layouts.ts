// The shipped queries, and those of log explorers, on every layout of log records and on the embedded store.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { optionsOver as optionsOfSaved } from '../../../src/queries/expand.ts';
import { parseSavedQuery } from '../../../src/queries/header/header.ts';
import { embeddedSources } from '../../../src/sources/log/log-catalog.ts';
import { STRING } from '../../../src/sql/base/types.ts';
import { bind } from '../../../src/sql/compile/specialize.ts';
import { translateSpecializable } from '../../../src/sql/index.ts';
import type { SourceCatalog } from '../../../src/sql/source.ts';
import { EXPLORER_QUERIES, SHIPPED, STUDIO_QUERIES } from '../../../test/sql/layouts-queries.ts';
import { LAYOUTS, type LayoutName } from '../../../test/sql/layouts-tables.ts';
import { sourceOf } from '../../differential/place.ts';
import { describeTables } from '../described.ts';
import { type Line, lineOf, translatedLine, withBuckets } from '../line.ts';
import { inTurn, root, type Suite } from '../suite.ts';

const STORE = 'store';
const named = (layout: string): string => layout.replaceAll(/[ ,]+/g, '-');

export const layouts: Suite = {
  units: () => [STORE, ...Object.keys(LAYOUTS).map(named)],
  async lines(unit) {
    const name = Object.keys(LAYOUTS).find((layout) => named(layout) === unit);
    const sources = name === undefined ? embeddedSources({ sources: {} }) : await layoutSources(name as LayoutName); // Object.keys only knows strings
    const parameters = { project: STRING };
    const explored = await inTurn([...EXPLORER_QUERIES, ...STUDIO_QUERIES], (text) =>
      translatedLine({ from: unit, text }, { sources, parameters, instant: 'parameter', bytes: 'text' }),
    );
    return [...explored, ...(await inTurn(SHIPPED, ([query, args]) => shipped(unit, query, args, sources)))];
  },
};

async function layoutSources(name: LayoutName): Promise<SourceCatalog> {
  const layout = LAYOUTS[name];
  const options = 'options' in layout ? { options: layout.options } : {};
  const tables = [
    { name: 'edge_logs', own: layout.edge },
    { name: 'function_edge_logs', own: layout.functions },
  ].map(({ name: table, own }) => {
    const columns = `id String, timestamp DateTime64(6, 'UTC'), project LowCardinality(String), event_message String, ${own}`;
    return {
      name: table,
      statements: [`CREATE TABLE x.${table} (${columns}) ENGINE = MergeTree ORDER BY (project, timestamp)`],
      ...options,
    };
  });
  const described = await describeTables(tables.flatMap(({ statements }) => statements));
  const sources = tables.map((table, at) => sourceOf(table, described[at] ?? []));
  const shipped = embeddedSources({ sources: {} });
  return { names: shipped.names, find: (wanted) => sources.find((source) => source.name === wanted) ?? shipped.find(wanted) };
}

/** For any arguments, in buckets of time, and for these arguments. */
function shipped(from: string, name: string, args: (typeof SHIPPED)[number][1], sources: SourceCatalog): Promise<Line> {
  const text = readFileSync(join(root, 'queries', `${name}.sql`), 'utf8');
  return lineOf({ from, text, beside: JSON.stringify(args) }, () => {
    const { source, parameters } = parseSavedQuery({ name: `${name}.sql`, text }, name);
    const translation = translateSpecializable(
      source.text,
      { ...optionsOfSaved(parameters, { sources }), instant: 'parameter' },
      { sandbox: true, buckets: true },
    );
    const { more = [], ...whole } = withBuckets(translation);
    return { ...whole, more: [...more, `with arguments: ${bind(translation, args).sql}`] };
  });
}
