// Two shards return BigQuery's rows for queries that ClickHouse itself answers with others, or not at all, when their tables are spread over shards.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ClickHouseServer, freePort, startClickHouse } from '../support/clickhouse-server.ts';
import { cliHome } from '../support/run-cli.ts';

const home = cliHome();
let servers: readonly ClickHouseServer[];

/** The rows of both shards: t1 on each, t2 likewise, and events with records in arrays. */
const ROWS = {
  t1: [
    "(1, 10, 'a', '1970-01-01 00:00:01.500000', [1, 2]), (3, NULL, NULL, '2024-02-29 10:11:12.000000', [])",
    "(2, 10, 'b', '1969-12-31 23:59:59.250000', [3]), (4, 20, 'a', '2024-02-29 23:59:59.999999', [1, NULL])",
  ],
  t2: ["(1, 10, 'x', '2024-01-01 00:00:00.000000', [])", "(2, 30, 'y', '2024-01-01 00:00:00.000000', [5])"],
};
const COLUMNS = "id Int64, i Nullable(Int64), s Nullable(String), t DateTime64(6, 'UTC'), ai Array(Nullable(Int64))";
const RECORDS =
  'Array(Tuple(region LowCardinality(Nullable(String)), request Array(Tuple(method String, headers Array(Tuple(agent Nullable(String))), cf Array(Tuple(country String)))), response Array(Tuple(status Nullable(Int64)))))';
const EVENTS = [
  "('e1', [('eu', [('GET', [('curl')], [('DE')])], [(200)])]), ('e3', [('us', [], [])])",
  "('e2', [('eu', [('POST', [(NULL), ('x')], [('US'), ('DE')])], [])])",
];

const FORMS = {
  'Distributed tables on every node': (name: string) => `table: d.${name}`,
  'Distributed tables on the initiator': (name: string) => `table: i.${name}`,
  'tables of a cluster': (name: string) => `table: x.${name}, cluster: pair`,
  'tables that read Distributed ones': (name: string) => `table: m.${name}`,
};

const UNNESTED = 'from events e, e.metadata m, m.request r inner join unnest(r.headers) h with offset o on true';

/** A query, and its rows as NDJSON; in any order where the query has none. */
const CASES: readonly (readonly [why: string, sql: string, ...rows: readonly string[]])[] = [
  // https://github.com/ClickHouse/ClickHouse/issues/33408
  [
    'RIGHT JOIN',
    'select a.id as a, b.id as b from t1 a right join t2 b on a.i = b.i',
    '{"a":1,"b":1}',
    '{"a":2,"b":1}',
    '{"a":null,"b":2}',
  ],
  ['FULL JOIN', 'select count(*) as n, count(a.id) as a, count(b.id) as b from t1 a full join t2 b on a.i = b.i', '{"n":5,"a":4,"b":3}'],
  [
    'CROSS JOIN',
    'select a.id, c.n from t1 a cross join (select count(*) as n from t2) c order by id',
    '{"id":1,"n":2}',
    '{"id":2,"n":2}',
    '{"id":3,"n":2}',
    '{"id":4,"n":2}',
  ],
  [
    'LEFT JOIN',
    'select a.id, b.s from t1 a left join t2 b on a.i = b.i order by id',
    '{"id":1,"s":"x"}',
    '{"id":2,"s":"x"}',
    '{"id":3,"s":null}',
    '{"id":4,"s":null}',
  ],
  ['INNER JOIN of a table with itself', 'select count(*) as n from t1 a join t1 b on a.i = b.i', '{"n":5}'],
  [
    'a join without an equality',
    'select a.id as a, b.id as b from t1 a left join t2 b on a.id > b.id and a.i < b.i order by a, b',
    '{"a":1,"b":null}',
    '{"a":2,"b":null}',
    '{"a":3,"b":null}',
    '{"a":4,"b":2}',
  ],
  ['IN over two tables', 'select id from t1 where i in (select a.i from t1 a join t2 b on a.i = b.i) order by id', '{"id":1}', '{"id":2}'],
  [
    'IN inside of IN',
    'select id from t1 where i in (select i from t1 where id in (select id from t2 where i = 30)) order by id',
    '{"id":1}',
    '{"id":2}',
  ],
  ['EXISTS', 'select id from t1 where exists (select 1 from t2 where t2.i = t1.i) order by id', '{"id":1}', '{"id":2}'],
  [
    'EXISTS of nothing outside',
    'select id, exists (select 1 from t2 where i = 31) as found from t1 where id = 2',
    '{"id":2,"found":false}',
  ],
  [
    'a correlated count',
    'select id, (select count(*) from t2 where t2.i = t1.i) as n from t1 order by id',
    '{"id":1,"n":1}',
    '{"id":2,"n":1}',
    '{"id":3,"n":0}',
    '{"id":4,"n":0}',
  ],
  [
    'a recursive WITH',
    'with recursive w as (select 1 as n union all select n + 1 from w join t1 on t1.id = w.n where n < 9) select max(n) as n from w',
    '{"n":5}',
  ],
  [
    'NTILE beside PERCENTILE_CONT',
    'select id, ntile(3) over (order by id) as g, percentile_cont(id, 0.5) over () as p from t1 order by id',
    '{"id":1,"g":1,"p":2.5}',
    '{"id":2,"g":1,"p":2.5}',
    '{"id":3,"g":2,"p":2.5}',
    '{"id":4,"g":3,"p":2.5}',
  ],
  ['a TIME', "select id, time '10:11:12' as t from t1 where time(t) = time '10:11:12'", '{"id":3,"t":"10:11:12"}'],
  ['a TIME in an array', "select [time '10:11:12'][safe_offset(0)] as t, count(*) as n from t1 group by t", '{"t":"10:11:12","n":4}'],
  // https://github.com/ClickHouse/ClickHouse/issues/94612
  [
    'a TIMESTAMP near 1970',
    "select id, timestamp '1970-01-01 00:00:01' as t from t1 where t > timestamp '1970-01-01 00:00:01' and t < timestamp '1970-01-01 02:00:00'",
    '{"id":1,"t":"1970-01-01T00:00:01Z"}',
  ],
  [
    'times in a list with NULL',
    "select datetime(t) in unnest([datetime '2000-01-01', null, datetime '1970-01-01 00:00:01.5', datetime '1969-12-31 23:59:59.25']) as found from t1 order by id",
    '{"found":true}',
    '{"found":true}',
    '{"found":null}',
    '{"found":null}',
  ],
  [
    'a time that equals one of several',
    "select t = '2001-01-01' or t = '2002-02-02' or t = '2024-02-29 10:11:12' as found from t1 order by id",
    '{"found":false}',
    '{"found":false}',
    '{"found":true}',
    '{"found":false}',
  ],
  [
    'a number that equals none of several',
    "select i + numeric '1.5' != 11 and i + numeric '1.5' != 11.5 and i + numeric '1.5' != 12 as other from t1 where id > 2 order by id",
    '{"other":null}',
    '{"other":true}',
  ],
  ['the opposite of a BIGNUMERIC', 'select -cast(id as bignumeric) as b from t1 where id = 4', '{"b":-4}'],
  ['a TIMESTAMP before 1970', "select id from t1 where t < timestamp '1969-12-31 23:59:59.500000'", '{"id":2}'],
  [
    'a DATETIME before 1970 above an UNNEST',
    "select y from (select x as id, datetime(a.t) as y from t1 a cross join unnest(a.ai) x) where y = datetime '1969-12-31 23:59:59.250000'",
    '{"y":"1969-12-31T23:59:59.250000"}',
  ],
  ['a long text', `select count(*) as n from t1 where s in ('${'x'.repeat(300_000)}', 'a')`, '{"n":2}'],
  ['a text as long', `select count(*) as n from t1 where concat(s, '${'x'.repeat(300_000)}') > 'b'`, '{"n":1}'],
  [
    'a filter above a join',
    "select a.id from t1 a full join t2 b on a.i = b.i where time(a.t) = time '10:11:12' and a.t > timestamp '1970-01-01 00:00:01'",
    '{"id":3}',
  ],
  [
    'BIGNUMERIC',
    "select bignumeric '-5789604461865809771178549250434395392.66349923328202820197287920039565648199' as b from t1 where id = 4",
    '{"b":-5789604461865809771178549250434395392.66349923328202820197287920039565648199}',
  ],
  ['a constant key', "select 'all' as k, 1.5 as f, sum(i) as n from t1 group by k, f", '{"k":"all","f":1.5,"n":40}'],
  ['a key that is constant for no rows', 'select if(id > 9, i, null) as k, count(*) as n from t1 where id > 8 group by k, i is null', ''],
  ['no rows and a constant key', "select 'x' as k, s is null or true as t, count(*) as n from t1 where id > 8 group by k, t", ''],
  [
    'a STRUCT with a constant as key',
    'select s.y, count(*) as n from (select struct(1 as x, i as y) as s from t1) group by s order by y',
    '{"y":null,"n":1}',
    '{"y":10,"n":2}',
    '{"y":20,"n":1}',
  ],
  [
    'whole records of the first rows',
    'select id, metadata, concat(id, "!") as x from events order by id desc limit 2',
    '{"id":"e3","metadata":[{"region":"us"}],"x":"e3!"}',
    '{"id":"e2","metadata":[{"region":"eu","request":[{"method":"POST","headers":[{},{"agent":"x"}],"cf":[{"country":"US"},{"country":"DE"}]}]}],"x":"e2!"}',
  ],
  [
    'first groups of a value that is cast',
    'select cast(id as string) as k, count(*) as n from t1 group by k order by k limit 2',
    '{"k":"1","n":1}',
    '{"k":"2","n":1}',
  ],
  [
    'two UNNESTs',
    'select a.id, x, y from t1 a cross join unnest(a.ai) x left join unnest(a.ai) y on 2 in unnest(a.ai) where a.id < 3 order by id, x, y',
    '{"id":1,"x":1,"y":1}',
    '{"id":1,"x":1,"y":2}',
    '{"id":1,"x":2,"y":1}',
    '{"id":1,"x":2,"y":2}',
    '{"id":2,"x":3,"y":null}',
  ],
  [
    'UNNESTs of records',
    `select e.id, h.agent, c.country, s.status ${UNNESTED} cross join unnest(r.cf) c left join unnest(m.response) s on true order by id, o, country`,
    '{"id":"e1","agent":"curl","country":"DE","status":200}',
    '{"id":"e2","agent":null,"country":"DE","status":null}',
    '{"id":"e2","agent":null,"country":"US","status":null}',
    '{"id":"e2","agent":"x","country":"DE","status":null}',
    '{"id":"e2","agent":"x","country":"US","status":null}',
  ],
  [
    'groups of UNNESTs by what stands above them',
    'select m.region, r.method, count(*) as n, count(s.status) as s from events e, e.metadata m, m.request r left join unnest(m.response) s on true group by 1, 2 order by 2',
    '{"region":"eu","method":"GET","n":1,"s":1}',
    '{"region":"eu","method":"POST","n":1,"s":0}',
  ],
  [
    'UNNESTs without elements, and a condition on a record above them',
    "select e.id, m.region, r.method, c.country from events e, e.metadata m left join unnest(m.request) r on true left join unnest(r.cf) c on true where m.region != 'as' order by id, country",
    '{"id":"e1","region":"eu","method":"GET","country":"DE"}',
    '{"id":"e2","region":"eu","method":"POST","country":"DE"}',
    '{"id":"e2","region":"eu","method":"POST","country":"US"}',
    '{"id":"e3","region":"us","method":"","country":""}',
  ],
  [
    'UNNEST of constants, and of what is computed of a record',
    'select r.method, h.agent, x, y from events e, e.metadata m, m.request r cross join unnest([1, null]) x, unnest(split(r.method, "E")) y, r.headers h where y != "" order by method, agent, x',
    '{"method":"GET","agent":"curl","x":null,"y":"G"}',
    '{"method":"GET","agent":"curl","x":null,"y":"T"}',
    '{"method":"GET","agent":"curl","x":1,"y":"G"}',
    '{"method":"GET","agent":"curl","x":1,"y":"T"}',
    '{"method":"POST","agent":null,"x":null,"y":"POST"}',
    '{"method":"POST","agent":null,"x":1,"y":"POST"}',
    '{"method":"POST","agent":"x","x":null,"y":"POST"}',
    '{"method":"POST","agent":"x","x":1,"y":"POST"}',
  ],
  [
    'offsets of all UNNESTs',
    'select e.id, a, b, c, h.agent from events e, e.metadata m with offset a, m.request r with offset b left join unnest(r.headers) h with offset c order by id, c',
    '{"id":"e1","a":0,"b":0,"c":0,"agent":"curl"}',
    '{"id":"e2","a":0,"b":0,"c":0,"agent":null}',
    '{"id":"e2","a":0,"b":0,"c":1,"agent":"x"}',
  ],
  [
    'arrays of arrays that stay arrays',
    'select r.method, array_length(m.response) as s, array_length(r.cf) as c, h.agent from events e, e.metadata m, m.request r, r.headers h order by method, agent',
    '{"method":"GET","s":1,"c":1,"agent":"curl"}',
    '{"method":"POST","s":0,"c":2,"agent":null}',
    '{"method":"POST","s":0,"c":2,"agent":"x"}',
  ],
  [
    'COUNT(DISTINCT …) over UNNESTs',
    `select count(distinct concat(e.id, ifnull(h.agent, '-'), c.country)) as n ${UNNESTED} cross join unnest(r.cf) c`,
    '{"n":5}',
  ],
  [
    'a subquery over two UNNESTs',
    "select e.id from events e where exists (select 1 from unnest(e.metadata) m, unnest(m.request) r, unnest(r.cf) c where c.country = 'US')",
    '{"id":"e2"}',
  ],
  ['UNION ALL', 'select sum(i) as n from (select i from t1 union all select i from t2)', '{"n":80}'],
  ['DISTINCT and LIMIT', 'select distinct i from t1 order by i desc limit 2', '{"i":20}', '{"i":10}'],
];

beforeAll(async () => {
  const ports = [await freePort(), await freePort()];
  const clusters = { pair: ports.map((port) => ({ host: '127.0.0.1', port })) };
  const config = { query_log: { database: 'system', table: 'query_log', engine: 'ENGINE = Memory' } };
  const profiles = { default: { log_queries: 1 } };
  servers = await Promise.all(ports.map((tcpPort) => startClickHouse({ tcpPort, clusters, config, profiles })));
  for (const [i, server] of servers.entries()) {
    const tables = [
      ...Object.entries(ROWS).map(([name, rows]) => [name, COLUMNS, rows[i]] as const),
      ['events', `id String, metadata ${RECORDS}`, EVENTS[i]] as const,
    ];
    await server.run('CREATE DATABASE x;\nCREATE DATABASE d;\nCREATE DATABASE i;\nCREATE DATABASE m');
    for (const [name, columns, rows] of tables) {
      await server.run(`CREATE TABLE x.${name} (${columns}) ENGINE = MergeTree ORDER BY id;\nINSERT INTO x.${name} VALUES ${rows}`);
      await server.run(`CREATE TABLE m.${name} AS x.${name} ENGINE = Merge('d', '^${name}$')`);
      for (const database of i === 0 ? ['d', 'i'] : ['d'])
        await server.run(`CREATE TABLE ${database}.${name} AS x.${name} ENGINE = Distributed('pair', 'x', '${name}')`);
    }
  }
});

afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  home.remove();
});

describe.each(Object.entries(FORMS))('%s', (_, source) => {
  beforeAll(() => {
    const events = `${source('events')}, kind: logs, records: several`;
    home.write('quern.yaml', `sources:\n  t1: { ${source('t1')} }\n  t2: { ${source('t2')} }\n  events: { ${events} }\n`);
  });
  test.each(CASES)('%s', async (_why, sql, ...rows) => {
    const { stdout, stderr } = await home.run(['query', sql, '--url', servers[0]?.url ?? '', '--timeout', '60s']);
    const lines = stdout.trimEnd().split('\n');
    const sorted = (all: readonly string[]) => (/order by/.test(sql) ? all : [...all].sort());
    expect([stderr, sorted(lines)]).toEqual(['', sorted(rows)]);
  });

  test.each([
    ['a constant', 0, 8, ''],
    ['a column', 1, 8, ''],
    ['a column of several rows', 1, 0, '{"k":null,"n":1}\n{"k":10,"n":2}\n{"k":20,"n":1}\n'],
    ['a function of a column', 2, 8, ''],
    ['a function of a column of several rows', 2, 0, '{"k":-4,"n":1}\n{"k":-3,"n":1}\n{"k":-2,"n":1}\n{"k":-1,"n":1}\n'],
  ])('a key of which a parameter makes %s', async (_, n, least, stdout) => {
    const sql = `select case when @n > 1 then -id when @n = 1 then i end as k, count(*) as n from t1 where id > ${least} group by k having n > 0 order by k`;
    expect(await home.run(['query', sql, '-p', `n:INT64:${n}`, '--url', servers[0]?.url ?? ''])).toEqual({
      stdout,
      stderr: '',
      exitCode: 0,
    });
  });
});

test.each([
  ['1970-01-01T00:00:00Z', '1,3,4'],
  ['1969-12-31T23:59:59Z', '1,2,3,4'],
  ['2024-02-29T20:00:00Z', '4'],
  ['', '1,2,3,4'],
])('rows since %s, by a parameter', async (since, ids) => {
  const [first] = servers as readonly [ClickHouseServer];
  home.write('quern.yaml', 'sources:\n  t1: { table: d.t1 }\n');
  const sql =
    "select string_agg(cast(id as string), ',' order by id) as ids from t1 where (nullif(@since, '') is null or t > timestamp(nullif(@since, '')))";
  expect(await home.run(['query', sql, '-p', `since:STRING:${since}`, '--url', first.url])).toEqual({
    stdout: `{"ids":"${ids}"}\n`,
    stderr: '',
    exitCode: 0,
  });
});

test('groups of two UNNESTs are made on the shards', async () => {
  const [first, second] = servers as readonly [ClickHouseServer, ClickHouseServer];
  home.write('quern.yaml', 'sources:\n  events: { table: d.events, kind: logs, records: several }\n');
  const sql = 'select r.method, count(*) as n from events e, e.metadata m, m.request r group by 1';
  expect(await home.run(['query', sql, '--url', first.url])).toMatchObject({ exitCode: 0 });
  const logged = "SELECT query FROM system.query_log WHERE type = 'QueryFinish' AND NOT is_initial_query ORDER BY event_time_microseconds";
  const sent = `${logged} DESC LIMIT 1`;
  expect(await second.run(`SYSTEM FLUSH LOGS;\n${sent}`)).toContain('GROUP BY');
});
