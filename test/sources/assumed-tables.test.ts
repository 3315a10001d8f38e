// Tables sketched from the queries that read them.
import { expect, test } from 'vitest';
import { assumeTables } from '../../src/sources/assumed-tables.ts';
import { createdTables } from '../../src/sources/created-tables.ts';
import { typeName } from '../../src/sql/base/types.ts';
import { translate } from '../../src/sql/index.ts';

const sketched = (text: string): string => {
  const { sources, tables } = assumeTables(text, {});
  translate(text, { sources });
  return tables.map((table) => `${table.name}(${table.text})`).join('; ');
};

test.each([
  ['select a.y from shop.t as a where a.n > 5 order by z', 'shop.t(n INT64, y STRING, z STRING)'],
  [
    'select user_id, sum(price * qty) as total, max(created_at) from `my-proj.shop.orders` where date(created_at) >= "2026-01-01" and status in ("paid") group by user_id having total > 100',
    'my-proj.shop.orders(created_at TIMESTAMP, status STRING, user_id STRING, price INT64, qty INT64)',
  ],
  [
    'select o.id, i.sku, i.qty * i.price as v from shop.orders as o, unnest(o.items) as i where i.qty > 2 and array_length(o.tags) > 1',
    'shop.orders(items ARRAY<STRUCT<qty INT64, sku STRING, price INT64>>, tags ARRAY<STRING>, id STRING)',
  ],
  [
    'select o.id, i.sku from shop.orders o, o.items i left join shop.skus s on s.sku = i.sku where s.active',
    'shop.orders(items ARRAY<STRUCT<sku STRING>>, id STRING); shop.skus(sku STRING, active BOOL)',
  ],
  [
    'with x as (select id, event.params.key as k from raw) select k, count(distinct id) from x join shop.names using (id) group by k',
    'raw(id STRING, event STRUCT<params STRUCT<key STRING>>); shop.names(id STRING)',
  ],
  ['select (select max(p.v) from b.p as p where p.k = q.k) from b.q as q', 'b.q(k STRING); b.p(k STRING, v STRING)'],
  ['from shop.t |> where n > 3 |> aggregate sum(v) as s group by g |> order by s', 'shop.t(n INT64, v INT64, g STRING)'],
  [
    'select event_name, (select value.int_value from unnest(event_params) where key = "session") as s from `p.analytics.events_*` where _table_suffix > "20260101"',
    'p.analytics.events_*(event_name STRING, event_params ARRAY<STRUCT<key STRING, value STRUCT<int_value STRING>>>)',
  ],
  [
    'with p as (select amount, created from shop.t where status = "paid") select date(created) as d, sum(amount) as s, avg(p.amount) as a from p group by 1',
    'shop.t(status STRING, amount INT64, created STRING)',
  ],
  [
    'select cf.country, count(*) as n from logs left join unnest(metadata) as m on true left join unnest(m.request) as r on true left join unnest(r.cf) as cf on true group by cf.country',
    'logs(metadata ARRAY<STRUCT<request ARRAY<STRUCT<cf ARRAY<STRUCT<country STRING>>>>>>)',
  ],
  [
    "select * from shop.t where d > date '2026-01-01' and e between current_datetime() and at_end and n = 1.5",
    'shop.t(d DATE, e DATETIME, at_end DATETIME, n FLOAT64)',
  ],
  ['with orders as (select * from orders) select sum(amount) as s from orders', 'orders(amount INT64)'],
  ['with recursive r as (select n from shop.t union all select n + 1 from r where n < 3) select sum(n) as s from r', 'shop.t(n INT64)'],
  ['select x.m + 1 as m from (select n as m from shop.t) as x', 'shop.t(n INT64)'],
  [
    'with orders as (select * from shop.t), paid as (select * from orders where ok) select sum(amount) as s, max(p.at_hour) as h from paid as p where p.amount > 1.5',
    'shop.t(ok BOOL, amount FLOAT64, at_hour STRING)',
  ],
  ['select id from (select id, case when id > 1 then v end as v from shop.t) where v between 0 and 5', 'shop.t(id INT64, v INT64)'],
  [
    'select o.id from shop.orders o join shop.skus s using (sku) join shop.names n on n.id = s.id',
    'shop.orders(sku STRING, id STRING); shop.skus(sku STRING, id STRING); shop.names(id STRING)',
  ],
  ['select sum(price) as s from (select * from shop.a union all select * from shop.a) where ok', 'shop.a(ok BOOL, price INT64)'],
  ['select sum(n) over (partition by mod(p, p)) as s from shop.t', 'shop.t(n INT64, p INT64)'],
  ['select count(*) from shop.t', 'shop.t()'],
])('%s', (text, expected) => {
  expect(sketched(text)).toBe(expected);
});

test('what the query does not say stays an error', () => {
  expect(() => sketched('select * from shop.t')).toThrow('* leaves no columns');
  expect(() => sketched('select nothing(x) from shop.t')).toThrow('nothing');
});

test.each([
  ['select sum(amount) as s from shop.t where amount > @least', 'least INT64?'],
  ['select sum(amount) as s from shop.t where amount > @least limit @n', 'least INT64?, n INT64'],
  ['select x from shop.t where amount > @least', 'least STRING?'],
  ['select upper(@w) as w, @u as u from shop.t where x like @pattern', 'w STRING, u STRING?, pattern STRING'],
  ['select x from shop.t where total > 5 and total between @low and @high and @flag', 'low INT64?, high INT64?, flag BOOL'],
  ['select x from shop.t where status in unnest(@states) and x || "a" = status', 'states ARRAY<STRING>'],
  ['select a from known where n = @n and f >= @f and f < @g and a in unnest(@list)', 'n INT64, f FLOAT64, g FLOAT64, list ARRAY<STRING>'],
  [
    'select a from shop.t where date(b) between @since and @until and timestamp(c) < @at_end and @word = a',
    'since DATE, until DATE, at_end TIMESTAMP, word STRING?',
  ],
  ['select nothing(@x) as x from shop.t where n > 5 limit @n', 'x STRING?, n STRING?'],
])('parameters of %s', (text, expected) => {
  const names = [...new Set([...text.matchAll(/@(\w+)/g)].map(([, name = '']) => name))];
  const sources = createdTables('CREATE TABLE known (n Int64, f Float64, a String) ENGINE = MergeTree ORDER BY n');
  const { parameters } = assumeTables(text, { sources }, names);
  expect([...parameters].map(([name, { type, isGuess }]) => `${name} ${typeName(type)}${isGuess ? '?' : ''}`).join(', ')).toBe(expected);
});
