// The logs that the query benchmark generates inside the engine: 50 projects, 8 days, one project with 8 % of the rows, every record's
// fields as ClickHouse expressions of a row number. xxHash64 of the number, salted, so that they are the same on every machine.

/** Instant that the generated logs end at; queries run as of it. */
export const BENCH_INSTANT = '2026-03-10 12:00:00.000000';
/** The project that has 8 % of the rows. */
export const BENCH_PROJECT = 'project00';

const DAYS = 8;
const random = (salt, below) => `(xxHash64(number, ${salt}) % ${below})`;
const oneOf = (salt, values) =>
  `arrayElement([${values.map((v) => (typeof v === 'number' ? v : `'${v}'`)).join(', ')}], 1 + ${random(salt, values.length)})`;

const project = `if(${random(1, 100)} < 8, '${BENCH_PROJECT}', concat('project', leftPad(toString(1 + ${random(2, 49)}), 2, '0')))`;
/** No two rows have the same time, so that the newest 100 are the same for every SQL. */
const timestamp = (rows) =>
  `addMicroseconds(toDateTime64('${BENCH_INSTANT}', 6, 'UTC'), -toInt64((number + ${random(3, 1000)} / 1000) * ${DAYS * 86400} * 1000000 / ${rows}))`;
/** Three of four requests are in one of the areas that usage.api-counts counts. */
const path = oneOf(4, [
  '/rest/v1/items',
  '/rest/v1/orders',
  '/storage/v1/object/a.png',
  '/auth/v1/token',
  '/realtime/v1/websocket',
  '/rest/v1/rpc/f',
  '/health',
  '/favicon.ico',
]);
const status = oneOf(5, [200, 200, 200, 200, 200, 201, 204, 304, 400, 401, 404, 500]);

const text = (sql) => ({ sql, type: 'String' });
const label = (sql) => ({ sql, type: 'LowCardinality(String)' });
const integer = (sql) => ({ sql, type: 'Int64' });
const float = (sql) => ({ sql, type: 'Float64' });

const edgeFields = {
  request: {
    method: label(oneOf(6, ['GET', 'GET', 'GET', 'POST', 'PATCH'])),
    path: text('path'),
    url: text(`concat('https://', project, '.example.co', path, search)`),
    host: label(`concat(project, '.example.co')`),
    search: text('search'),
    protocol: label(`'https:'`),
    headers: {
      user_agent: text(`concat('Mozilla/5.0 (X11; Linux x86_64) agent/', toString(${random(8, 200)}))`),
      x_real_ip: text(`concat('203.0.113.', toString(${random(9, 250)}))`),
      content_type: label(`'application/json'`),
    },
    cf: { country: label(oneOf(10, ['DE', 'US', 'FR', 'JP', 'BR'])), colo: label(oneOf(16, ['FRA', 'IAD', 'CDG', 'NRT', 'GRU'])) },
  },
  response: {
    status_code: integer(status),
    origin_time: float(random(11, 900)),
    headers: { cf_cache_status: label(oneOf(17, ['DYNAMIC', 'HIT', 'MISS'])) },
  },
};

const functionFields = {
  project_ref: label('project'),
  function_id: label(`concat('fn', toString(${random(12, 20)}))`),
  execution_id: text(`concat('execution-', toString(number))`),
  // Log-normal, in quarters of a millisecond: sums of these are exact, so that an average does not depend on the order of adding.
  execution_time_ms: float(`round(exp(3 + ${random(13, 1000)} / 250) * 4) / 4`),
  deployment_id: label(`concat('d', toString(${random(14, 40)}))`),
  version: label(`toString(${random(15, 9)})`),
  request: { method: label(`'POST'`), pathname: text(`'/fn'`), url: text(`concat('https://', project, '.example.co/fn')`) },
  response: { status_code: integer(status) },
};

/** The two sources, by the share of `--rows` that they have. */
export const GENERATED = [
  { name: 'edge_logs', share: 1, fields: edgeFields },
  { name: 'function_edge_logs', share: 0.5, fields: functionFields },
];

/** Rows that are generated one by one; more are copies of these in earlier times, which takes a fraction of the time. */
const DISTINCT_ROWS = 10e6;

/** The parts that `rows` rows are made in, newest first: how many rows, and how many microseconds before the first part. */
export function partsOf(rows) {
  const parts = [];
  for (let made = 0; made < rows; made += DISTINCT_ROWS)
    parts.push({ count: Math.min(rows - made, DISTINCT_ROWS), earlierBy: microseconds(made, rows) });
  return parts;
}

/** What `count` of `rows` rows take. */
export const microseconds = (count, rows) => Math.round((count / rows) * DAYS * 86400 * 1e6);

export const isLeaf = (field) => typeof field.sql === 'string';

/** A subquery with number, project, ts, path, search of the newest `count` of `rows` rows: what the fields' expressions use. */
export const generatedRows = (count, rows) =>
  `(SELECT number, ${project} AS project, ${path} AS path, concat('?select=', toString(${random(7, 1000)})) AS search, ${timestamp(rows)} AS ts FROM numbers_mt(${count}))`;
