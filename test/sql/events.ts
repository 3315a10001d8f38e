// A table of ten events with everything that rewriting gets wrong: NULLs, empty arrays, records that are absent or hold nothing.

import type { EmbeddedEngine } from '../../src/engine/embedded/embedded.ts';
import { sourceFromTable } from '../../src/sources/table/table-source.ts';
import { arrayOf, BOOL, FLOAT64, INT64, recordOf, STRING, TIMESTAMP } from '../../src/sql/base/types.ts';
import type { PlainRead } from '../../src/sql/layouts/column/read.ts';
import type { Source, SourceCatalog } from '../../src/sql/source.ts';

const EVENTS: Source = {
  name: 'events',
  database: 'default',
  table: 'events',
  // Every event's `number` is its id.
  sameAs: { id: ['metadata', 'number'] },
  columns: [
    { name: 'id', type: INT64, read: { layout: 'column', column: 'id', clickhouseType: 'Int64' } },
    { name: 'moment', type: TIMESTAMP, read: { layout: 'column', column: 'moment', clickhouseType: "DateTime64(6, 'UTC')" } },
    { name: 'area', type: STRING, read: { layout: 'column', column: 'area', clickhouseType: 'Nullable(String)' } },
    { name: 'ms', type: FLOAT64, read: { layout: 'column', column: 'ms', clickhouseType: 'Nullable(Float64)' } },
    { name: 'tags', type: arrayOf(STRING), read: { layout: 'column', column: 'tags', clickhouseType: 'Array(Nullable(String))' } },
    {
      name: 'metadata',
      type: arrayOf(
        recordOf([
          { name: 'status', type: INT64 },
          { name: 'number', type: INT64 },
          { name: 'request', type: arrayOf(recordOf([{ name: 'path', type: STRING }])) },
        ]),
      ),
      read: {
        layout: 'json',
        column: 'metadata',
        typedPaths: { status: 'Nullable(Int64)', number: 'Nullable(Int64)', 'request.path': 'Nullable(String)' },
        recordsColumn: 'metadata_records',
      },
    },
  ],
};

/** Times that are not held as TIMESTAMP is: to the nanosecond, and to the second on a clock of another zone. */
const TICKS: Source = {
  name: 'ticks',
  database: 'default',
  table: 'ticks',
  columns: [
    { name: 'id', type: INT64, read: { layout: 'column', column: 'id', clickhouseType: 'Int64' } },
    {
      name: 'fine',
      type: TIMESTAMP,
      read: { layout: 'column', column: 'fine', clickhouseType: 'DateTime64(9)', castTo: "DateTime64(6, 'UTC')" },
    },
    {
      name: 'coarse',
      type: TIMESTAMP,
      read: { layout: 'column', column: 'coarse', clickhouseType: "DateTime('Europe/Berlin')", castTo: "DateTime64(6, 'UTC')" },
    },
  ],
};

const NESTED_TYPE =
  'Array(Tuple(number Nullable(Int64), owner Nullable(String), request Array(Tuple(path Nullable(String), verb String))))';

/** Records as arrays: of none, of one, of several. */
const VISITS: Source = {
  name: 'visits',
  database: 'default',
  table: 'visits',
  // Every visit has its number and its owner, unless the columns hold 0 and ''.
  sameAs: { number: ['metadata', 'number'], owner: ['metadata', 'owner'] },
  sameAsEverywhere: true,
  columns: [
    { name: 'id', type: INT64, read: { layout: 'column', column: 'id', clickhouseType: 'Int64' } },
    { name: 'number', type: INT64, read: { layout: 'column', column: 'number', clickhouseType: 'Int64' } },
    { name: 'owner', type: STRING, read: { layout: 'column', column: 'owner', clickhouseType: 'String' } },
    {
      name: 'metadata',
      type: arrayOf(
        recordOf([
          { name: 'number', type: INT64 },
          { name: 'owner', type: STRING },
          {
            name: 'request',
            type: arrayOf(
              recordOf([
                { name: 'path', type: STRING },
                { name: 'verb', type: STRING },
              ]),
            ),
          },
        ]),
      ),
      read: {
        layout: 'nested',
        column: 'metadata',
        record: {
          kind: 'record',
          repeated: true,
          fields: {
            number: { kind: 'leaf', clickhouseType: 'Nullable(Int64)' },
            owner: { kind: 'leaf', clickhouseType: 'Nullable(String)' },
            request: {
              kind: 'record',
              repeated: true,
              fields: {
                path: { kind: 'leaf', clickhouseType: 'Nullable(String)' },
                verb: { kind: 'leaf', clickhouseType: 'String' },
              },
            },
          },
        },
      },
    },
  ],
};

const VISIT_ROWS: readonly string[] = [
  "1, 'ann', [(1, 'ann', [('/a', 'GET'), ('/b', 'PUT')])]",
  "2, 'bob', [(2, 'bob', [('/a', 'GET')]), (2, 'bob', [(NULL, 'PUT')])]",
  "3, '', [(3, NULL, [])]",
  "0, '', []",
];

/** Records as JSON text, written as nobody writes them: characters as numbers, numbers in other ways than they are read. */
const NOTES: Source = {
  name: 'notes',
  database: 'default',
  table: 'notes',
  columns: [
    { name: 'id', type: INT64, read: { layout: 'column', column: 'id', clickhouseType: 'Int64' } },
    {
      name: 'metadata',
      type: arrayOf(recordOf([{ name: 'request', type: arrayOf(recordOf([{ name: 'path', type: STRING }])) }])),
      read: { layout: 'text', column: 'metadata' },
    },
  ],
};

const NOTE_ROWS: readonly string[] = [
  '{"request": {"path": "/rest/items"}}',
  '[{"request": [{"path": "/rest/\\\\u0069tems"}]}]',
  '{"request": [{"path": "\\\\/rest\\\\/items"}]}',
  '[{"request": {"path": 1e2, "other": "/rest/items"}}]',
  '{"request": {"path": null, "other": ["/rest/items"]}}',
  '',
];

/** Records in a JSON column without declared types: each value has the type that it was written with. */
const HITS: Source = {
  name: 'hits',
  database: 'default',
  table: 'hits',
  columns: [
    { name: 'id', type: INT64, read: { layout: 'column', column: 'id', clickhouseType: 'Int64' } },
    {
      name: 'metadata',
      type: arrayOf(
        recordOf([
          { name: 'status', type: INT64 },
          { name: 'ms', type: FLOAT64 },
          { name: 'cached', type: BOOL },
          { name: 'request', type: arrayOf(recordOf([{ name: 'path', type: STRING }])) },
        ]),
      ),
      read: { layout: 'json', column: 'metadata', typedPaths: {} },
    },
  ],
};

const HIT_ROWS: readonly string[] = [
  '{"status": 200, "ms": 1.5, "cached": true, "request": {"path": "/rest/1"}}',
  '{"status": 200.0, "ms": 2, "cached": "false", "request": {"path": 404}}',
  '{"status": "404", "ms": "2.5", "cached": 1, "request": {"path": true}}',
  '{"status": true, "ms": true, "cached": "yes", "request": {"path": [1, 2]}}',
  '{"status": 1.5, "ms": 9007199254740993, "cached": [true], "request": {"path": null}}',
  '{"status": 18446744073709551615, "ms": 18446744073709551615, "request": {"path": 1e2}}',
  '{"status": [1], "ms": "inf", "request": {}}',
  '{"status": "2026-01-02", "ms": "2026-01-02 03:04:05", "request": {"path": "2026-01-02"}}',
  '{"status": "none", "ms": "slow", "cached": null}',
  '{}',
];

const ticksWith = (name: string, ofFine: Partial<PlainRead>): Source => ({
  ...TICKS,
  name,
  columns: TICKS.columns.map((c) => (c.name === 'fine' && c.read.layout === 'column' ? { ...c, read: { ...c.read, ...ofFine } } : c)),
});
/** The same ticks, as OpenTelemetry's logs have their times. */
const SECONDS = ticksWith('seconds', { secondsColumn: 'second' });
/** And as Logflare's have them. */
const KEYED = ticksWith('keyed', { keyOfSeconds: true });

const CART_COLUMNS = [
  ['id', 'Int64'],
  ['owner', 'Tuple(name String, place Tuple(city Nullable(String), zip String))'],
  ['items', 'Array(Tuple(sku String, qty Nullable(Int32), note String))'],
  ['labels', 'Map(String, String)'],
  ['counts', 'Map(String, Int32)'],
  ['number', 'UInt64'],
  ['token', 'UUID'],
  ['state', "Enum8('new' = 1, 'paid' = 2)"],
  ['price', 'Decimal(9, 2)'],
] as const;
/** A table that is no log source: structs, arrays of structs, maps, and values that are shown in other types. */
const CARTS: Source = sourceFromTable(
  { name: 'carts', aliases: [], database: 'default', table: 'carts', columns: {}, fields: {}, sameAs: {}, rows: {} },
  CART_COLUMNS.map(([name, type]) => ({ name, type })),
);

const CART_ROWS: readonly string[] = [
  "('ann', ('Ulm', '1')), [('a', 1, 'n'), ('b', NULL, '')], map('kind', 'web', 'note', ''), map('x', 0), 1, '00000000-0000-0000-0000-00000000000a', 'new', 1.5",
  "('bob', (NULL, '2')), [], map(), map(), 18446744073709551615, '00000000-0000-0000-0000-00000000000b', 'paid', -1.5",
  "('', ('Ulm', '')), [('a', 5, 'm')], map('kind', 'app'), map('x', 7, 'y', 1), 0, '00000000-0000-0000-0000-000000000000', 'new', 0",
];

/** The same events and visits, as if they were spread over the shards of a cluster. */
const SPREAD = [EVENTS, VISITS].map((source): Source => ({ ...source, name: `all_${source.name}`, sharded: true }));

const SOURCES = [EVENTS, TICKS, VISITS, NOTES, HITS, SECONDS, KEYED, CARTS, ...SPREAD];
export const EVENT_SOURCES: SourceCatalog = { names: SOURCES.map((s) => s.name), find: (name) => SOURCES.find((s) => s.name === name) };

/** Around a microsecond, around 1970, and at the last time that DateTime64(9) holds. */
const TIMES: readonly (readonly [fine: string, coarse: string])[] = [
  ['2026-01-02 00:00:00.000000999', '2026-01-02 00:00:00'],
  ['2026-01-02 00:00:00.000001000', '2026-01-02 00:00:01'],
  ['2026-01-02 00:00:00.000001999', '2026-01-02 00:00:01'],
  ['2026-01-02 00:00:00.000002000', '2026-01-02 00:00:02'],
  ['1969-12-31 23:59:59.999999500', '1970-01-01 00:00:00'],
  ['2262-04-11 23:47:16.854774000', '2106-02-07 06:28:15'],
];

const ROWS: readonly (readonly [area: string, ms: string, tags: string, metadata: string, records: string])[] = [
  ["'rest'", '10', "['a', 'b']", '{"status": 200, "request": {"path": "/rest/1"}}', "['request']"],
  ["'rest'", '20', '[]', '{"status": 500, "request": {"path": "/rest/2"}}', "['request']"],
  ["'rest'", 'NULL', '[NULL]', '{"status": 200, "request": {}}', "['request']"],
  ["'auth'", '5.5', "['a']", '{"status": 404}', '[]'],
  ["'auth'", '40', "['c', NULL, 'a']", '{}', '[]'],
  ['NULL', '1', '[]', '{"request": {"path": null}}', "['request']"],
  ['NULL', 'NULL', "['b']", '{"status": 200, "request": {"path": "/"}}', "['request']"],
  ["''", '0', "['']", '{"status": 0, "request": {"path": ""}}', "['request']"],
  ["'storage'", '-3', "['a', 'a']", '{"status": 301, "request": {"path": "/storage"}}', "['request']"],
  ["'storage'", '7', '[]', '{"status": 200}', '[]'],
];

export async function createEvents(engine: EmbeddedEngine): Promise<void> {
  await engine.command(
    `CREATE TABLE default.events (id Int64, moment DateTime64(6, 'UTC'), area Nullable(String), ms Nullable(Float64), tags Array(Nullable(String)),
     metadata JSON(status Nullable(Int64), number Nullable(Int64), request.path Nullable(String)), metadata_records Array(LowCardinality(String))) ENGINE = MergeTree ORDER BY id`,
  );
  const values = ROWS.map(
    ([area, ms, tags, metadata, records], i) =>
      `(${i + 1}, toDateTime64('2026-01-02 00:0${i}:30', 6, 'UTC'), ${area}, ${ms}, ${tags}, '${metadata.replace('{', `{"number": ${i + 1}${metadata === '{}' ? '' : ', '}`)}', ${records})`,
  );
  await engine.command(`INSERT INTO default.events VALUES ${values.join(', ')}`);
  await engine.command(
    "CREATE TABLE default.ticks (id Int64, fine DateTime64(9), coarse DateTime('Europe/Berlin'), second DateTime DEFAULT toDateTime(fine)) ENGINE = MergeTree ORDER BY id",
  );
  const times = TIMES.map(([fine, coarse], i) => `(${i + 1}, toDateTime64('${fine}', 9, 'UTC'), toDateTime('${coarse}', 'UTC'))`);
  await engine.command(`INSERT INTO default.ticks (id, fine, coarse) VALUES ${times.join(', ')}`);
  await engine.command(
    `CREATE TABLE default.visits (id Int64, number Int64, owner String, metadata ${NESTED_TYPE}) ENGINE = MergeTree ORDER BY id`,
  );
  await engine.command(`INSERT INTO default.visits VALUES ${VISIT_ROWS.map((values, i) => `(${i + 1}, ${values})`).join(', ')}`);
  await engine.command(
    `CREATE TABLE default.carts (${CART_COLUMNS.map(([name, type]) => `${name} ${type}`).join(', ')}) ENGINE = MergeTree ORDER BY id`,
  );
  await engine.command(`INSERT INTO default.carts VALUES ${CART_ROWS.map((values, i) => `(${i + 1}, ${values})`).join(', ')}`);
  await engine.command('CREATE TABLE default.notes (id Int64, metadata String) ENGINE = MergeTree ORDER BY id');
  await engine.command(`INSERT INTO default.notes VALUES ${NOTE_ROWS.map((text, i) => `(${i + 1}, '${text}')`).join(', ')}`);
  // By itself ClickHouse takes text that looks like a date for one.
  await engine.command('CREATE TABLE default.hits (id Int64, metadata JSON) ENGINE = MergeTree ORDER BY id');
  await engine.command(
    `INSERT INTO default.hits SETTINGS input_format_try_infer_dates = 1, input_format_try_infer_datetimes = 1
     VALUES ${HIT_ROWS.map((json, i) => `(${i + 1}, '${json}')`).join(', ')}`,
  );
}
