// What the playground begins with, and what else it shows.
import type { Workspace } from './playground-address.ts';

interface Example extends Workspace {
  readonly name: string;
}

const HITS = `-- The tables that the query reads, as SHOW CREATE TABLE prints them
CREATE TABLE web.hits
(
    path String,
    time DateTime64(6, 'UTC'),
    status Nullable(UInt16),
    country LowCardinality(String),
    tags Array(Tuple(key String, value String))
)
ENGINE = MergeTree
ORDER BY time`;

const LOGS = `CREATE TABLE otel.logs
(
    Timestamp DateTime64(9),
    TimestampTime DateTime DEFAULT toDateTime(Timestamp),
    Body String,
    ResourceAttributes Map(LowCardinality(String), String),
    LogAttributes Map(LowCardinality(String), String)
)
ENGINE = MergeTree
ORDER BY TimestampTime`;

export const EXAMPLES: readonly [Example, ...Example[]] = [
  {
    name: 'Requests by hour',
    sql: `-- Write BigQuery SQL here; the ClickHouse SQL appears next to it as you type
select
  timestamp_trunc(time, hour) as hour,
  countif(status >= 500) as failed,
  count(*) as requests,
  safe_divide(countif(status >= 500), count(*)) as share
from web.hits
where time >= timestamp_sub(current_timestamp(), interval 1 day)
  and regexp_contains(path, @path)
group by hour
order by hour`,
    tables: HITS,
    parameters: {},
  },
  {
    name: 'Windows and QUALIFY',
    sql: `select country, path, count(*) as hits
from web.hits
group by country, path
qualify row_number() over (partition by country order by count(*) desc, path) <= 3
order by country, hits desc`,
    tables: HITS,
    parameters: {},
  },
  {
    name: 'Arrays of structs',
    sql: `select h.path, t.value as campaign, count(*) as hits
from web.hits as h
cross join unnest(h.tags) as t
where t.key = 'campaign' and h.path not in unnest(@ignored)
group by 1, 2
having count(*) > 10`,
    tables: HITS,
    parameters: { ignored: 'ARRAY<STRING>' },
  },
  {
    name: 'Log records (OpenTelemetry)',
    sql: `select l.timestamp, l.event_message, m.level
from logs as l
cross join unnest(l.metadata) as m
where m.level = 'error'
order by l.timestamp desc
limit 100`,
    tables: LOGS,
    parameters: {},
  },
  {
    name: 'A Supabase log query',
    sql: `select timestamp_trunc(t.timestamp, hour) as hour, request.path, count(*) as requests
from edge_logs as t
cross join unnest(metadata) as m
cross join unnest(m.request) as request
cross join unnest(m.response) as response
where response.status_code >= 400 and t.timestamp > @since
group by 1, 2
order by 1 desc, 3 desc
limit 100`,
    tables: '',
    parameters: { since: 'TIMESTAMP' },
    product: 'supabase',
    values: { since: '2026-01-15T00:00:00Z' },
  },
  {
    name: 'Pipe syntax',
    sql: `from web.hits
|> where status is not null
|> aggregate count(*) as hits, approx_quantiles(status, 100)[offset(95)] as p95 group by country
|> where hits > 100
|> order by hits desc`,
    tables: HITS,
    parameters: {},
  },
];
