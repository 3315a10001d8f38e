// Fills the tables of an embedded store with generated logs for the benchmarks, inside the engine: 50 projects, 8 days, one project with 8 %.
// Edge requests: three of four under /rest, /storage, /auth or /realtime. Function calls: log-normal times, a few errors.

/** Instant that the generated data ends at; queries run as of it. */
export const BENCH_INSTANT = '2026-03-10 12:00:00.000000';
/** The project that has 8 % of the rows. */
export const BENCH_PROJECT = 'project00';

const DAYS = 8;
const EXPR = {
  // xxHash64 of the row number, salted: the same rows on every machine.
  random: (salt, below) => `(xxHash64(number, ${salt}) % ${below})`,
};
const { random } = EXPR;
const project = `if(${random(1, 100)} < 8, 'project00', concat('project', leftPad(toString(1 + ${random(2, 49)}), 2, '0')))`;
const at = (rows) =>
  `addMicroseconds(toDateTime64('${BENCH_INSTANT}', 6, 'UTC'), -toInt64((number + ${random(3, 1000)} / 1000) * ${DAYS * 86400} * 1000000 / ${rows}))`;
const path = `arrayElement(['/rest/v1/items','/rest/v1/orders','/storage/v1/object/a.png','/auth/v1/token','/realtime/v1/websocket','/rest/v1/rpc/f','/health','/favicon.ico'], 1 + ${random(4, 8)})`;

/** SQL statements that insert `edges` edge requests and `calls` function calls. */
export function generateSql(edges, calls) {
  const status = `arrayElement([200,200,200,200,200,201,204,304,400,401,404,500], 1 + ${random(5, 12)})`;
  const edgeJson = `concat('{"request":{"method":"', arrayElement(['GET','GET','GET','POST','PATCH'], 1 + ${random(6, 5)}), '","path":"', path, '","url":"https://', project, '.example.co', path, '?select=', toString(${random(7, 1000)}), '","host":"', project, '.example.co","headers":{"user_agent":"agent/', toString(${random(8, 200)}), '","x_real_ip":"203.0.113.', toString(${random(9, 250)}), '"},"cf":{"country":"', arrayElement(['DE','US','FR','JP','BR'], 1 + ${random(10, 5)}), '"}},"response":{"status_code":', toString(${status}), ',"origin_time":', toString(${random(11, 900)}), '}}')`;
  const callJson = `concat('{"project_ref":"', project, '","function_id":"fn', toString(${random(12, 20)}), '","execution_id":"', toString(number), '","execution_time_ms":', toString(round(exp(3 + ${random(13, 1000)} / 250), 2)), ',"deployment_id":"d', toString(${random(14, 40)}), '","version":"', toString(${random(15, 9)}), '","request":{"method":"POST","pathname":"/fn"},"response":{"status_code":', toString(${status}), '}}')`;
  const insert = (table, rows, json, records) =>
    `INSERT INTO quern.${table} (id, timestamp, project, event_message, metadata, metadata_records, metadata_text)
     SELECT concat('${table}-', toString(number)), ts, project, concat('GET | ', path), json, [${records}], ''
     FROM (SELECT number, ${project} AS project, ${path} AS path, ${at(rows)} AS ts, ${json} AS json FROM numbers_mt(${rows}))
     SETTINGS max_insert_threads = 2, input_format_try_infer_dates = 0, json_type_escape_dots_in_keys = 1`;
  return [
    insert('edge_logs', edges, edgeJson, "'request', 'request.headers', 'request.cf', 'response'"),
    insert('function_edge_logs', calls, callJson, "'request', 'response'"),
  ];
}
