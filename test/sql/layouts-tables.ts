// A table of each layout, and how it holds the metadata of an event.

type Fields = { readonly [name: string]: unknown };

const EDGE_NESTED = `Array(Tuple(
  request Array(Tuple(method Nullable(String), path Nullable(String), url Nullable(String), host Nullable(String), search Nullable(String),
    headers Array(Tuple(user_agent Nullable(String), content_length Nullable(Int64), x_custom Nullable(String))),
    cf Array(Tuple(country LowCardinality(Nullable(String)), colo Nullable(String))),
    sb Array(Tuple(auth_user Nullable(String), jwt Array(Tuple(apikey Array(Tuple(payload Array(Tuple(role Nullable(String), issuer Nullable(String))))))))))),
  response Array(Tuple(status_code Nullable(Int64), origin_time Nullable(Float64))),
  region Nullable(String), weight Nullable(String), context Array(Tuple(user Array(Tuple(name Nullable(String)))))))`;
const FUNCTION_NESTED = `Array(Tuple(project_ref Nullable(String), function_id Nullable(String), execution_time_ms Nullable(Float64),
  response Array(Tuple(status_code Nullable(Int64))),
  request Array(Tuple(method Nullable(String), pathname Nullable(String), url Nullable(String)))))`;
const EDGE_JSON =
  'JSON(request.method Nullable(String), request.path Nullable(String), request.url Nullable(String), response.status_code Nullable(Int64), response.origin_time Nullable(Float64))';
const FUNCTION_JSON =
  'JSON(project_ref Nullable(String), function_id Nullable(String), execution_time_ms Nullable(Float64), response.status_code Nullable(Int64))';
/** The leaves of both, by path. */
const EDGE_LEAVES = {
  ...leaves('request.', 'method path url host search', 'Nullable(String)'),
  ...leaves('request.headers.', 'user_agent x_custom', 'Nullable(String)'),
  ...leaves('request.cf.', 'country colo', 'LowCardinality(Nullable(String))'),
  ...leaves('request.sb.', 'auth_user jwt.apikey.payload.role jwt.apikey.payload.issuer', 'Nullable(String)'),
  ...leaves('', 'region weight context.user.name', 'Nullable(String)'),
  ...leaves('', 'request.headers.content_length response.status_code', 'Nullable(Int64)'),
  ...leaves('', 'response.origin_time', 'Nullable(Float64)'),
};
const FUNCTION_LEAVES = {
  ...leaves('', 'project_ref function_id request.method request.pathname request.url', 'Nullable(String)'),
  ...leaves('', 'execution_time_ms', 'Nullable(Float64)'),
  ...leaves('', 'response.status_code', 'Nullable(Int64)'),
};

function leaves(prefix: string, names: string, type: string): Readonly<Record<string, string>> {
  return Object.fromEntries(names.split(' ').map((name) => [prefix + name, type]));
}

interface Table {
  /** The columns that hold metadata. */
  readonly edge: string;
  readonly functions: string;
  /** The metadata as values of JSONEachRow, by column. */
  readonly columns: (value: unknown) => Fields;
  /** What quern.yaml says of the source. */
  readonly options?: Fields;
}

/** One column of a type, and the values in it. */
const oneColumn = (edge: string, functions: string, held: (value: unknown) => unknown): Table => ({
  edge: `metadata ${edge}`,
  functions: `metadata ${functions}`,
  columns: (value) => ({ metadata: held(value) }),
});

export const LAYOUTS = {
  'json, typed': oneColumn(EDGE_JSON, FUNCTION_JSON, (value) => plain(value) ?? {}),
  'json, untyped': oneColumn('JSON', 'JSON', (value) => plain(value) ?? {}),
  nested: oneColumn(EDGE_NESTED, FUNCTION_NESTED, repeated),
  'nested, one element': { ...oneColumn(EDGE_NESTED, FUNCTION_NESTED, repeated), options: { records: 'one' } },
  map: oneColumn('Map(LowCardinality(String), String)', 'Map(String, String)', (value) => entries(plain(value) ?? {})),
  text: oneColumn('String', 'String', (value) => JSON.stringify(value)),
  'text, with NULLs': oneColumn('Nullable(String)', 'Nullable(String)', (value) =>
    value === null ? null : JSON.stringify(value, undefined, 1),
  ),
  'text, several': { ...oneColumn('String', 'String', (value) => JSON.stringify(value)), options: { records: 'several' } },
  'flat, dotted names': flat((path) => `metadata.${path}`, {}),
  'flat, underscored names': flat((path) => `log_${path.replaceAll('.', '_')}`, {
    prefix: 'log_',
    fields: {
      'request.headers.x_custom': 'string',
      'context.user.name': 'string',
      'request.sb.auth_user': 'string',
      'request.sb.jwt.apikey.payload.role': 'string',
      'request.sb.jwt.apikey.payload.issuer': 'string',
    },
  }),
} satisfies Readonly<Record<string, Table>>;
export type LayoutName = keyof typeof LAYOUTS;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Arrays of one record as that record, without NULLs. */
function plain(value: unknown): Fields | undefined {
  const record = Array.isArray(value) ? value[0] : value;
  if (!isFields(record)) return undefined;
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, field]) => (field === null ? [] : [[name, typeof field === 'object' ? plain(field) : field]])),
  );
}

/** Every record as an array. */
function repeated(value: unknown): unknown {
  const list = Array.isArray(value) ? value : isFields(value) ? [value] : [];
  return list.map((record: Fields) =>
    Object.fromEntries(
      Object.entries(record).flatMap(([name, field]) =>
        field === null ? [] : [[name, typeof field === 'object' ? repeated(field) : field]],
      ),
    ),
  );
}

/** A column for each leaf of the nested tables. */
function flat(columnOf: (path: string) => string, more: Fields): Table {
  const columns = (leaves: Readonly<Record<string, string>>): string =>
    Object.entries(leaves)
      .map(([path, type]) => `\`${columnOf(path)}\` ${type}`)
      .join(', ');
  return {
    edge: columns(EDGE_LEAVES),
    functions: columns(FUNCTION_LEAVES),
    columns: (value) => Object.fromEntries(Object.entries(entries(plain(value) ?? {})).map(([path, leaf]) => [columnOf(path), leaf])),
    options: { layout: 'flat', ...more },
  };
}

function entries(record: Fields, prefix = ''): Fields {
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, field]): [string, unknown][] =>
      isFields(field) ? Object.entries(entries(field, `${prefix}${name}.`)) : [[`${prefix}${name}`, String(field)]],
    ),
  );
}
