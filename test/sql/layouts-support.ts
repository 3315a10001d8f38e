// One set of events in a table of each layout, and queries run over them by the path from BigQuery text to result values.
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Row } from '../../src/base/result.ts';
import { seededRandom } from '../../src/cli/demo/random.ts';
import { decodeRows } from '../../src/execution/decode.ts';
import { readDefinitions } from '../../src/sources/definition.ts';
import { embeddedSources } from '../../src/sources/log/log-catalog.ts';
import { sourceFromTable } from '../../src/sources/table/table-source.ts';
import { STRING } from '../../src/sql/base/types.ts';
import { bind } from '../../src/sql/compile/specialize.ts';
import { translateSpecializable } from '../../src/sql/index.ts';
import type { Source, SourceCatalog } from '../../src/sql/source.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { ndjson, tempFolder } from '../support/temp-store.ts';
import { LAYOUTS, type LayoutName } from './layouts-tables.ts';

type Fields = { readonly [name: string]: unknown };

export interface LayoutEvent {
  readonly id: string;
  readonly timestamp: string;
  readonly project: string;
  readonly event_message: string;
  readonly metadata: unknown;
}

export const NOW = '2026-03-10 15:42:37.500000';
const NOW_MS = Date.parse('2026-03-10T15:42:37.500Z');

/** Records as objects and as arrays of one, absent records, NULLs, undeclared fields, numbers as text, letters beyond ASCII. */
export function edgeEvents(count: number): readonly LayoutEvent[] {
  const random = seededRandom(23);
  const wrap = (record: Fields): unknown => (random.chance(0.5) ? record : [record]);
  return Array.from({ length: count }, (_, i) => {
    const path = random.pick(['/rest/v1/users', '/auth/v1/token', '/storage/v1/obj', '/realtime/v1', '/', '/rest/naïve/日本']);
    const project = random.pick(['alpha', 'alpha', 'beta', "o'b"]);
    const headers = {
      user_agent: random.pick(['curl/8', 'Mozilla "5"', null]),
      content_length: random.chance(0.5) ? i : String(i),
      x_custom: random.pick(['a', 'b', '']),
    };
    const request: Fields = {
      method: random.pick(['GET', 'GET', 'POST', null]),
      path,
      url: `https://${project}.example.co${path}?n=${i}`,
      host: `${project}.example.co`,
      ...(random.chance(0.3) ? { search: `?n=${i}` } : {}),
      ...(random.chance(0.7) ? { headers: wrap(headers) } : {}),
      ...(random.chance(0.5) ? { cf: wrap({ country: random.pick(['DE', 'US', 'JP']), colo: 'X' }) } : {}),
      ...(i % 3 === 0 ? { sb: wrap(keys(i, wrap)) } : {}),
    };
    const response: Fields = { status_code: random.pick([200, 200, 201, 304, 404, '500', 503]), origin_time: (i % 40) / 4 };
    const requested = random.chance(0.95);
    const metadata: Fields = {
      request: requested ? wrap(request) : null,
      ...(random.chance(0.8) ? { response: wrap(response) } : {}),
      ...(random.chance(0.4) || !requested ? { region: random.pick(['eu', 'us']), weight: String(i % 7) } : {}),
      ...(random.chance(0.3) ? { context: wrap({ user: wrap({ name: random.pick(['Zoë', 'Bob']) }) }) } : {}),
    };
    return {
      id: `e${i}`,
      timestamp: new Date(NOW_MS - Math.floor(random.unit() ** 3 * 8 * 86_400) * 1000 - i).toISOString(),
      project,
      event_message: `${String(request['method'])} | ${path}`,
      metadata: random.chance(0.03) ? null : wrap(metadata),
    };
  });
}

/** What a gateway knows of the API key of a request: records in records. */
function keys(i: number, wrap: (record: Fields) => unknown): Fields {
  const payload = { role: i % 2 === 0 ? 'anon' : 'service_role', issuer: 'supabase' };
  return {
    ...(i % 4 === 0 || i % 5 === 0 ? { auth_user: `u${i}` } : {}),
    ...(i % 5 === 0 ? {} : { jwt: wrap({ apikey: wrap({ payload: wrap(payload) }) }) }),
  };
}

export function functionEvents(count: number): readonly LayoutEvent[] {
  const random = seededRandom(29);
  const wrap = (record: Fields): unknown => (random.chance(0.5) ? record : [record]);
  return Array.from({ length: count }, (_, i) => ({
    id: `f${i}`,
    timestamp: new Date(NOW_MS - Math.floor(random.unit() ** 4 * 8 * 86_400) * 1000 - i).toISOString(),
    project: i % 3 === 0 ? 'beta' : 'alpha',
    event_message: 'call',
    metadata: wrap({
      project_ref: i % 3 === 0 ? 'beta' : 'alpha',
      function_id: random.pick(['f1', 'f2']),
      execution_time_ms: random.chance(0.9) ? (i % 400) / 4 : null,
      ...(random.chance(0.8) ? { response: wrap({ status_code: random.pick([200, 404, 500]) }) } : {}),
      ...(random.chance(0.5) ? { request: wrap({ method: 'POST', pathname: '/f', url: 'https://x/f' }) } : {}),
    }),
  }));
}

/** Events whose records have several elements or none. */
export const severalEvents: readonly LayoutEvent[] = [
  [
    {
      request: [
        { path: '/a', url: 'https://alpha/a', method: 'GET' },
        { path: '/b', url: 'https://alpha/b' },
      ],
      response: { status_code: 200 },
    },
  ],
  [
    { request: { path: '/c', url: 'https://alpha/c' }, region: 'eu' },
    { request: [{ path: '/d', url: 'https://alpha/d' }], region: 'us' },
    { region: 'no' },
  ],
  [
    {
      request: [{ path: '/e', url: 'https://alpha/e', headers: [{ user_agent: 'x' }, { user_agent: 'y' }] }],
      response: [{ status_code: 404 }, { status_code: 500 }],
    },
  ],
  [],
].map((metadata, i) => ({
  id: `s${i}`,
  timestamp: new Date(NOW_MS - 1000 - i).toISOString(),
  project: 'alpha',
  event_message: `several ${i}`,
  metadata,
}));

export interface LayoutTables {
  /** Result rows of a query over the tables of a layout; 'store' is the embedded store. The SQL is that for these arguments, or that for all. */
  rows(layout: LayoutName | 'store', sql: string, args?: Readonly<Record<string, string | null>>, ofAll?: 'all'): Promise<readonly Row[]>;
  translation(layout: LayoutName | 'store', sql: string): string;
  readonly store: Store;
  close(): Promise<void>;
}

export async function openLayouts(
  edge: readonly LayoutEvent[],
  functions: readonly LayoutEvent[],
  layouts: readonly LayoutName[],
): Promise<LayoutTables> {
  const folder = tempFolder();
  const store = await openStore({ dir: join(folder.path, 'store') });
  const load = async (source: string, events: readonly LayoutEvent[]): Promise<void> => {
    const report = await store.load(source, Readable.from([ndjson(...events)], { objectMode: false }), { format: 'ndjson' });
    if (report.rows !== events.length) throw new Error(JSON.stringify(report.badLines));
  };
  await load('edge_logs', edge);
  await load('function_edge_logs', functions);
  await store.engine.command('CREATE DATABASE logs');
  const catalogs = new Map<string, SourceCatalog>([['store', embeddedSources(store.manifest)]]);
  for (const [i, name] of layouts.entries()) {
    const layout = LAYOUTS[name];
    const sources: Source[] = [];
    for (const [source, type, events] of [
      ['edge_logs', layout.edge, edge],
      ['function_edge_logs', layout.functions, functions],
    ] as const) {
      const table = `${source}_${i}`;
      const columns = `id String, timestamp DateTime64(6, 'UTC'), project LowCardinality(String), event_message String, ${type}`;
      await store.engine.command(`CREATE TABLE logs.${table} (${columns}) ENGINE = MergeTree ORDER BY (project, timestamp)`);
      const file = folder.write(
        `${table}.ndjson`,
        ndjson(...events.map(({ metadata, ...event }) => ({ ...event, ...layout.columns(metadata) }))),
      );
      const settings = "date_time_input_format = 'best_effort', input_format_json_read_numbers_as_strings = 1";
      await store.engine.command(
        `INSERT INTO logs.${table} SELECT * FROM file('${file}', 'JSONEachRow', '${columns.replaceAll("'", "\\'")}') SETTINGS ${settings}`,
      );
      const described = await store.engine.rows(`DESCRIBE TABLE logs.${table}`);
      const [definition] = readDefinitions({ value: { [source]: { table: `logs.${table}`, ...layout.options } } });
      if (definition === undefined) throw new RangeError('a definition is read');
      sources.push(
        sourceFromTable(
          definition,
          described.map(([column, columnType]) => ({ name: String(column), type: String(columnType) })),
        ),
      );
    }
    catalogs.set(name, {
      names: sources.map((s) => s.name),
      find: (wanted) => sources.find((s) => s.name === wanted) ?? embeddedSources(store.manifest).find(wanted),
    });
  }
  const translated = (layout: string, sql: string, names: readonly string[]) => {
    const sources = catalogs.get(layout);
    if (sources === undefined) throw new RangeError(layout);
    const parameters = Object.fromEntries(names.map((name) => [name, STRING]));
    return translateSpecializable(sql, { sources, parameters, instant: 'parameter', bytes: 'text' });
  };
  return {
    store,
    async close() {
      await store.close();
      folder.remove();
    },
    translation: (layout, sql) => translated(layout, sql, []).sql,
    async rows(layout, sql, args = {}, ofAll) {
      const translation = translated(layout, sql, Object.keys(args));
      const { sql: text, parameters } = ofAll === undefined ? bind(translation, args) : translation;
      const bindings = parameters.map(({ name, type }) => ({ name, type, value: args[name] === undefined ? NOW : args[name] }));
      return decodeRows(translation.columns, await store.engine.execute({ sql: text, bindings, settings: translation.settings }));
    },
  };
}

/** Whole records are shown as they are stored, so a number may be a text there; fields come in any order. */
export function shown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== 'object' || value === null) return typeof value === 'number' ? String(value) : value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, field]) => [name, shown(field)]),
  );
}
