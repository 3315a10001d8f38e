// Random queries of callers who try to see more than `requests` and `minutes` show: joins, unions, subqueries, aggregates, windows, and errors that tell values.
import type { Random } from '../sql/fuzz/random.ts';

const REQUESTS = 'requests';

function value(random: Random, t: string): string {
  return random.pick([
    `${t}.id`,
    `${t}.project`,
    `${t}.message`,
    `length(${t}.message)`,
    `upper(${t}.message)`,
    `concat(${t}.project, ' ', ${t}.message)`,
    `to_json_string(struct(${t}.project, ${t}.message))`,
    `(select max(s.message) from ${REQUESTS} as s)`,
    `(select string_agg(distinct s.project, ',') from ${REQUESTS} as s where s.id != ${t}.id)`,
    `array_length(array(select s.message from ${REQUESTS} as s where s.project != ${t}.project))`,
    `count(*) over (partition by ${t}.project)`,
    `max(${t}.message) over (order by ${t}.moment rows between unbounded preceding and unbounded following)`,
    `lag(${t}.message) over (order by ${t}.moment)`,
    // Errors that would tell a value, or that there is one
    `cast(${t}.message as int64)`,
    `if(${t}.message like 'c%', error(${t}.message), 'fine')`,
    `1 / (length(${t}.message) - 100)`,
    `div(1, if(${t}.project = 'mine', 1, 0))`,
    `parse_timestamp('%Y', ${t}.message)`,
    `json_value(${t}.message, '$.a')`,
  ]);
}

function condition(random: Random, t: string): string {
  return random.pick([
    'true',
    `${t}.project != 'mine'`,
    `${t}.project = @project or ${t}.project != @project`,
    `${t}.project is not null or true`,
    `${t}.message like '%s%'`,
    `cast(${t}.message as int64) >= 0`,
    `1 / if(${t}.project = 'mine', 1, 0) > 0`,
    `if(${t}.id > 100000, error(${t}.message), 1) = 1`,
    `parse_timestamp('%s', ${t}.message) is not null`,
    `${t}.id in (select id from ${REQUESTS})`,
    `exists (select 1 from ${REQUESTS} as o where o.message > ${t}.message and cast(o.message as int64) > 0)`,
    `regexp_contains(${t}.message, '[a-z]')`,
    `${t}.moment > timestamp '2026-01-02 00:10:00'`,
  ]);
}

function rows(random: Random, depth: number): string {
  const from = (): string => (depth > 0 && random.chance(0.5) ? `(${rows(random, depth - 1)})` : REQUESTS);
  const where = (t: string): string => (random.chance(0.7) ? ` where ${condition(random, t)}` : '');
  switch (random.below(6)) {
    case 0:
      return `select a.* from ${from()} as a${where('a')}`;
    case 1:
      return `select ${random.pick(['a', 'b'])}.* from ${from()} as a ${random.pick(['join', 'left join', 'right join', 'full join'])} ${from()} as b on a.id = b.id${random.chance(0.4) ? ` and ${condition(random, 'b')}` : ''}${where('a')}`;
    case 2:
      return `(select * from ${from()}) ${random.pick(['union all', 'union distinct', 'except distinct', 'intersect distinct'])} (select * from ${REQUESTS}${where(REQUESTS)})`;
    case 3:
      return `select a.* from ${from()} as a${where('a')} order by a.moment desc limit 50`;
    case 4:
      return `select distinct a.* from ${from()} as a cross join (select max(n) as most from minutes) as m${where('a')}`;
    default:
      return `select a.* from ${from()} as a${where('a')} qualify row_number() over (partition by a.project order by a.id desc) <= 20`;
  }
}

export function callersQuery(random: Random): string {
  const inner = rows(random, random.below(2));
  switch (random.below(6)) {
    case 0:
      return `select array_agg(${random.pick(['t.message', 't.project', 'to_json_string(t)', 'concat(t.message, t.project)'])}) as v from (${inner}) as t`;
    case 1:
      return `select t.project, count(*) as n, min(t.message) as a, max(t.message) as b from (${inner}) as t group by rollup(t.project)`;
    case 2:
      return `with requests as (${inner}) select * from requests order by id desc limit 100`;
    case 3:
      return `select string_agg(distinct t.project, ',') as p, approx_top_count(t.message, 50) as m from (${inner}) as t`;
    case 4:
      return `from (${inner}) as t |> extend ${value(random, 't')} as v |> order by id desc |> limit 60`;
    default:
      return `select ${value(random, 't')} as v, ${value(random, 't')} as w from (${inner}) as t limit 200`;
  }
}
