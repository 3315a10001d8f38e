// The sources of quern.yaml: what a definition says, and what is wrong with one that does not fit.
import { expect, onTestFinished, test } from 'vitest';
import { loadSettings } from '../../src/config/load.ts';
import { readDefinitions } from '../../src/sources/definition.ts';
import { sourceFromTable } from '../../src/sources/table/table-source.ts';
import { type Type, typeName } from '../../src/sql/base/types.ts';
import type { TableColumn } from '../../src/sql/layouts/index.ts';
import { tempFolder } from '../support/temp-store.ts';
import { failureOf } from '../support/told.ts';

function sourceOf(raw: unknown, columns: readonly TableColumn[]) {
  const [definition] = readDefinitions({ value: { logs: raw } });
  if (definition === undefined) throw new RangeError('a definition is read');
  return sourceFromTable(definition, columns);
}

const columnsOf = (source: ReturnType<typeof sourceOf>) =>
  source.columns.map((c) => `${c.name} ${typeName(c.type)} ${c.read.layout} ${'column' in c.read ? c.read.column : ''}`);
const fieldsOf = (type: Type): readonly string[] =>
  type.kind === 'ARRAY' && type.element.kind === 'RECORD'
    ? type.element.fields.map((f) => (f.type.kind === 'ARRAY' ? `${f.name}(${fieldsOf(f.type).join(' ')})` : `${f.name}:${f.type.kind}`))
    : [];

const OTEL: readonly TableColumn[] = [
  { name: 'Timestamp', type: 'DateTime64(9)' },
  { name: 'SeverityText', type: 'LowCardinality(String)' },
  { name: 'Body', type: 'String' },
  { name: 'ResourceAttributes', type: 'Map(LowCardinality(String), String)' },
  { name: 'LogAttributes', type: 'Map(LowCardinality(String), String)' },
];

test("OpenTelemetry's table is known by its columns; entries of its maps become columns", () => {
  const source = sourceOf(
    { table: 'otel.otel_logs', columns: { project: "ResourceAttributes['project']" }, fields: { 'response.status_code': 'integer' } },
    OTEL,
  );
  expect([source.database, source.table]).toEqual(['otel', 'otel_logs']);
  expect(columnsOf(source)).toEqual([
    'timestamp TIMESTAMP column Timestamp',
    'event_message STRING column Body',
    'metadata ARRAY<RECORD> map LogAttributes',
    'project STRING column ResourceAttributes',
    'SeverityText STRING column SeverityText',
    'Body STRING column Body',
    'ResourceAttributes ARRAY<RECORD> map ResourceAttributes',
    'LogAttributes ARRAY<RECORD> map LogAttributes',
  ]);
  expect(source.columns[0]?.read).toEqual({
    layout: 'column',
    column: 'Timestamp',
    clickhouseType: 'DateTime64(9)',
    castTo: "DateTime64(6, 'UTC')",
  });
  expect(fieldsOf(source.columns[2]?.type ?? { kind: 'DYNAMIC' })).toEqual(['response(status_code:INT64)']);
});

test("Logflare's table is known by its columns, and holds the rows of one source", () => {
  const columns = [
    'id UUID',
    'source_name String',
    'project String',
    'event_message String',
    'log_attributes Map(String, String)',
    'timestamp DateTime64(9)',
  ];
  const described = columns.map((c) => ({ name: c.slice(0, c.indexOf(' ')), type: c.slice(c.indexOf(' ') + 1) }));
  const source = sourceOf({ table: 'logs', rows: { source_name: 'cloudflare.logs.prod' } }, described);
  expect(columnsOf(source).slice(0, 2)).toEqual(['metadata ARRAY<RECORD> map log_attributes', 'id STRING column id']);
  expect(source.rows).toEqual([{ column: 'source_name', value: 'cloudflare.logs.prod' }]);
});

test("Supabase's table is known by its columns", () => {
  const columns = [
    { name: 'timestamp', type: "DateTime64(6, 'UTC')" },
    { name: 'event_message', type: 'String' },
    { name: 'source', type: 'String' },
    { name: 'log_attributes', type: 'Map(String, String)' },
  ];
  const source = sourceOf({ table: 'logs', rows: { source: 'edge_logs' } }, columns);
  expect(columnsOf(source)[0]).toBe('metadata ARRAY<RECORD> map log_attributes');
});

test.each([
  ['n:INT64', 'n INT64 column LogAttributes'],
  ['n:FLOAT64', 'n FLOAT64 column LogAttributes'],
  ['n:DATE', 'n DATE column LogAttributes'],
  ['n:NUMERIC', 'n NUMERIC column LogAttributes'],
  ['n:STRING', 'n STRING column LogAttributes'],
])('schema: %s holds for the entry of a map', (schema, column) => {
  const source = sourceOf({ table: 'otel', columns: { n: "LogAttributes['n']" }, schema }, OTEL);
  expect(columnsOf(source)).toContain(column);
});

test('an entry of a map is no list', async () => {
  const read = async () => sourceOf({ table: 'otel', columns: { n: "LogAttributes['n']" }, schema: 'n:ARRAY<INT64>' }, OTEL);
  expect((await failureOf(read()))['message']).toContain('sources.logs.schema: n: Nullable(String) cannot be ARRAY<INT64>');
});

test.each([
  ['JSON(a.b Int64, c Nullable(String), max_dynamic_paths=8)', 'json', ['c:STRING', 'a(b:INT64)']],
  ['Array(Tuple(a String, `r s` Array(Tuple(x Nullable(Float64)))))', 'nested', ['a:STRING', 'r s(x:FLOAT64)']],
  ['Nested(a String)', 'nested', ['a:STRING']],
  ['Tuple(a UInt8, r Tuple(x Bool))', 'nested', ['a:INT64', 'r(x:BOOL)']],
  ['Map(String, String)', 'map', []],
  ['String', 'text', []],
])('metadata %s is the layout %s', (type, layout, fields) => {
  const metadata = sourceOf({ table: 't', kind: 'logs' }, [{ name: 'metadata', type }]).columns[0];
  expect([metadata?.read.layout, fieldsOf(metadata?.type ?? { kind: 'DYNAMIC' })]).toEqual([layout, fields]);
});

test('the columns that a Nested column becomes are one record again', () => {
  const source = sourceOf({ table: 't', kind: 'logs' }, [
    { name: 'id', type: 'UInt64' },
    { name: 'metadata.a', type: 'Array(String)' },
    { name: 'metadata.r', type: 'Array(Array(Tuple(x Int64)))' },
  ]);
  expect([columnsOf(source), fieldsOf(source.columns[1]?.type ?? { kind: 'DYNAMIC' })]).toEqual([
    ['id INT64 column id', 'metadata ARRAY<RECORD> nested metadata'],
    ['a:STRING', 'r(x:INT64)'],
  ]);
});

const RECORD: readonly TableColumn[] = [{ name: 'metadata', type: 'Array(Tuple(a String))' }];
const STRUCTS = 'ARRAY<STRUCT<a STRING>>';

test.each<[what: unknown, name: string, type: string]>([
  [{}, 'shop', STRUCTS],
  [{ kind: 'table' }, 'shop', STRUCTS],
  [{ kind: 'logs' }, 'shop', 'ARRAY<RECORD>'],
  [{}, 'edge_logs', 'ARRAY<RECORD>'],
  [{ aliases: ['postgres_logs'] }, 'shop', 'ARRAY<RECORD>'],
  [{ kind: 'table' }, 'edge_logs', STRUCTS],
  [{ layout: 'nested' }, 'shop', 'ARRAY<RECORD>'],
  [{ records: 'one' }, 'shop', 'ARRAY<RECORD>'],
  [{ fields: { a: 'integer' } }, 'shop', 'ARRAY<RECORD>'],
])('%j of the source %s: its structs are %s', (what, name, type) => {
  const [definition] = readDefinitions({ value: { [name]: { table: 't', ...(what as object) } } });
  if (definition === undefined) throw new RangeError('a definition is read');
  const { columns } = sourceFromTable(definition, RECORD);
  expect(columns.filter((c) => c.name === 'metadata').map((c) => typeName(c.type))).toEqual([type]);
});

test.each([
  ['Array(Array(Int32))', 'BigQuery has no arrays of arrays'],
  ['Array(Map(String, String))', 'BigQuery has no arrays of maps, which are arrays'],
  ['Tuple(a Int32, b Tuple(c Array(Array(Int32))))', 'its field b: its field c: BigQuery has no arrays of arrays'],
  ['AggregateFunction(sum, Int64)', 'it holds aggregate states, which a view would have to merge'],
  ['Decimal(76, 50)', 'BIGNUMERIC has at most 38 digits after the point; a view can round it'],
  ['Array(Point)', 'GEOGRAPHY is not supported; a view can give it as text, with wkt'],
  ['QBit(Float32, 4)', 'BigQuery has no such type; a view can give it as another'],
  ['IntervalDay', 'BigQuery has no such type; a view can give it as another'],
])('a column of the type %s is not read, and it is said why', (type, why) => {
  for (const kind of ['table', 'logs']) {
    const { columns, unread } = sourceOf({ table: 't', kind }, [{ name: 'x', type }]);
    // Records of logs are read whatever they hold, and their numbers as before.
    if (kind === 'logs' && /^(?:Tuple|Decimal)/.test(type)) continue;
    expect([columns, unread]).toEqual([[], [{ name: 'x', stored: type, why }]]);
  }
});

test.each([
  [{ tabel: 'x' }, 'sources.logs.tabel is not a field of a source'],
  [{ columns: {} }, 'sources.logs names neither a table nor files'],
  [{ table: 'a.b.c' }, 'sources.logs.table: "a.b.c" is not table or database.table'],
  [{ table: 't', layout: 'xml' }, 'sources.logs.layout: "xml" is not one of: json, nested, map, text, flat'],
  [{ table: 't', kind: 'tables' }, 'sources.logs.kind: "tables" is not one of: logs, table'],
  [{ table: 't', kind: 'table', records: 'one' }, 'sources.logs.records only applies to records of log events'],
  [{ table: 't', records: 'many' }, 'sources.logs.records: "many" is not one of: one, several'],
  [{ table: 't', columns: { id: 'A[1]' } }, 'sources.logs.columns.id: "A[1]" is neither a column nor an entry of a map'],
  [{ table: 't', fields: { x: 'int' } }, 'sources.logs.fields.x: "int" is not one of: string, integer, float, boolean'],
  [{ table: 't', same_as: { project: 'project_ref' } }, 'sources.logs.same_as.project must be a field, such as metadata.project_ref'],
  [{ table: 't', schema: 7 }, 'sources.logs.schema must be a list of columns'],
  [{ table: 't', schema: 'a JSON' }, 'sources.logs.schema[0]: "a JSON" is not name:TYPE'],
  [{ table: 't', schema: 'a:JSON, A:INT64' }, 'sources.logs.schema has A twice'],
  [{ table: 't', schema: ['a:TEXT'] }, 'sources.logs.schema[0]: TEXT, the type of a, is not a type'],
  [
    { table: 't', schema: [{ name: 'a', type: 'JSON', mode: 'MANY' }] },
    'sources.logs.schema[0].mode: "MANY" is not one of: NULLABLE, REQUIRED, REPEATED',
  ],
  [
    { table: 't', schema: { fields: [{ name: 'a', type: 'RECORD', fields: [{ type: 'JSON' }] }] } },
    'sources.logs.schema.fields[0].fields[0] has no name',
  ],
  [{ table: 't', schema: [{ name: 'a', type: 'JSON', fields: [] }] }, 'sources.logs.schema[0].fields are for the type RECORD'],
  [{ table: 't', schema: [{ name: 'a', type: 'JSON', typ: 1 }] }, 'sources.logs.schema[0].typ is not a field of a column'],
  [{ table: 't', aliases: 'x' }, 'sources.logs.aliases must be a list of names'],
  [
    { table: 't', sharding_key: 'sleep(3)' },
    'sources.logs.sharding_key must be a column, or a hash of columns such as cityHash64(project)',
  ],
  [
    { table: 't', sharding_key: 'cityHash64(a)) --' },
    'sources.logs.sharding_key must be a column, or a hash of columns such as cityHash64(project)',
  ],
  [{ table: 't*', sharding_key: 'id' }, 'sources.logs.sharding_key only applies to a single table'],
  [7, 'sources.logs must be a mapping with a table or a file'],
])('%j is refused', async (raw, message) => {
  expect(await failureOf(Promise.resolve().then(() => readDefinitions({ value: { logs: raw } })))).toMatchObject({
    code: 'config',
    message,
  });
});

test.each([
  [{ table: 't', columns: { id: 'Idd' } }, 'sources.logs: the table t has no column Idd for id'],
  [{ table: 't', layout: 'nested' }, 'sources.logs: metadata is String, which is not the layout nested'],
  [
    { table: 't', kind: 'logs', columns: { project: "metadata['x']" } },
    'sources.logs.columns.project: metadata is String, which has no entries',
  ],
  [{ table: 't', same_as: { project: 'metadata.x' } }, 'sources.logs.same_as.project: the source has no column project'],
  [{ table: 't', schema: 'idd:JSON' }, 'sources.logs: the table t has no column idd for its schema'],
  [{ table: 't', schema: 'Id:INTERVAL' }, 'sources.logs.schema: Id: String cannot be INTERVAL: there is no conversion'],
  [
    { table: 't', schema: [{ name: 'Id', type: 'JSON', mode: 'REPEATED' }] },
    'sources.logs.schema: Id: String cannot be ARRAY<JSON>: there is no conversion',
  ],
  [{ table: 't', schema: 'Tags:STRING' }, 'sources.logs.schema: Tags: Array(String) cannot be STRING: its mode is REPEATED'],
  [
    { table: 't', schema: 'Seen:DATETIME' },
    "sources.logs.schema: Seen: DateTime('Asia/Tokyo') cannot be DATETIME: its time zone is not UTC",
  ],
  [
    { table: 't', schema: [{ name: 'Pair', type: 'RECORD', fields: [{ name: 'z', type: 'JSON' }] }] },
    'sources.logs.schema: Pair: it has no field z',
  ],
  [{ table: 't', kind: 'logs', schema: 'metadata:JSON' }, 'sources.logs.schema: metadata holds records of log events'],
])('%j does not fit its table', async (raw, message) => {
  const columns = [
    { name: 'Id', type: 'String' },
    { name: 'metadata', type: 'String' },
    { name: 'Tags', type: 'Array(String)' },
    { name: 'Seen', type: "DateTime('Asia/Tokyo')" },
    { name: 'Pair', type: 'Tuple(a String)' },
  ];
  expect(await failureOf(Promise.resolve().then(() => sourceOf(raw, columns)))).toMatchObject({ code: 'config', message });
});

test('a problem is shown at its place in quern.yaml', async () => {
  const folder = tempFolder();
  onTestFinished(() => folder.remove());
  folder.write('quern.yaml', 'timeout: 1m\nsources:\n  logs:\n    table: t\n    layout: xml\n');
  const { sections } = await loadSettings({ flags: {}, env: { HOME: folder.path }, cwd: folder.path });
  const error = await failureOf(Promise.resolve().then(() => readDefinitions(sections.sources ?? { value: {} })));
  expect(error).toMatchObject({ message: 'sources.logs.layout: "xml" is not one of: json, nested, map, text, flat', at: '5:13' });
});
