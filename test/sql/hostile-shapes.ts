// Texts that a hostile caller could send: each construct of the grammar repeated, chained, or put inside itself until the text is as long as asked for.

/** A text of about `size` characters. */
export type Shape = (size: number) => string;

/** `unit` as often as fits between `before` and `after`. */
const filled =
  (before: string, unit: string | ((i: number) => string), after = '', by = ''): Shape =>
  (size) => {
    const units: string[] = [];
    for (let left = size - before.length - after.length, i = 0; ; i++) {
      const text = typeof unit === 'string' ? unit : unit(i);
      left -= text.length + by.length;
      if (left < 0) break;
      units.push(text);
    }
    return before + units.join(by) + after;
  };

/** `open` and `close` as often as fits around `core`. */
const nested =
  (before: string, open: string, core: string, close: string, after = ''): Shape =>
  (size) => {
    const times = Math.floor((size - before.length - core.length - after.length) / (open.length + close.length));
    return before + open.repeat(times) + core + close.repeat(times) + after;
  };

const pipes = (unit: string | ((i: number) => string), from = 'from numbers'): Shape => filled(`${from} `, unit, '', ' ');
const items = (unit: string | ((i: number) => string), from = ' from numbers'): Shape => filled('select ', unit, from, ', ');
const conditions = (unit: string | ((i: number) => string), by: string): Shape =>
  filled('select n from numbers where ', unit, '', ` ${by} `);
const inside = (open: string, close: string, core = 'n', from = ' from numbers'): Shape =>
  nested('select ', open, core, close, ` as v${from}`);
/** WITH tables c0, c1, …, each made of the one before. */
const chain = (first: string, link: (before: string, i: number) => string, last = 'select * from'): Shape =>
  filled(`with c0 as (${first})`, (i) => `, c${i + 1} as (${link(`c${i}`, i)})`, `${' '.repeat(8)}${last} c0`);

export const PIPE_SHAPES: Readonly<Record<string, Shape>> = {
  'pipes: where true': pipes('|> where true', 'from logs'),
  'pipes: where a column': pipes('|> where n > 1'),
  'pipes: where a field': pipes('|> where m.x = 1', 'from logs, unnest(metadata) as m'),
  'pipes: where exists': pipes('|> where exists (select 1 from numbers)'),
  'pipes: extend': pipes((i) => `|> extend n + 1 as a${i}`),
  'pipes: extend what was extended': pipes((i) => `|> extend ${i === 0 ? 'n' : `a${i - 1}`} + 1 as a${i}`),
  'pipes: extend twice what was extended': pipes((i) => `|> extend ${i === 0 ? 'n + n' : `a${i - 1} + a${i - 1}`} as a${i}`),
  'pipes: set': pipes('|> set n = n + 1'),
  'pipes: set twice': pipes('|> set n = n + n'),
  'pipes: rename': pipes((i) => `|> rename ${i === 0 ? 'n' : `a${i - 1}`} as a${i}`),
  'pipes: drop': pipes('|> extend 1 as x |> drop x'),
  'pipes: as': pipes((i) => `|> as a${i}`),
  'pipes: select': pipes('|> select n'),
  'pipes: select *': pipes('|> select *'),
  'pipes: select *, more': pipes((i) => `|> select *, 1 as a${i}`),
  'pipes: select distinct': pipes('|> select distinct n'),
  'pipes: distinct': pipes('|> distinct'),
  'pipes: aggregate': pipes('|> aggregate count(*) as n'),
  'pipes: aggregate by group': pipes('|> aggregate sum(n) as s group by n |> select s as n'),
  'pipes: order by': pipes('|> order by n'),
  'pipes: limit': pipes('|> limit 10'),
  'pipes: order by and limit': pipes('|> order by n |> limit 10'),
  'pipes: join': pipes('|> join numbers using (n)'),
  'pipes: left join': pipes((i) => `|> left join numbers as a${i} on a${i}.n = 1`),
  'pipes: cross join': pipes('|> cross join numbers |> select 1 as n'),
  'pipes: unnest': pipes((i) => `|> cross join unnest([1, 2]) as a${i}`),
  'pipes: unnest a record': pipes((i) => `|> cross join unnest(metadata) as a${i}`, 'from logs'),
  'pipes: union': pipes('|> union all (select 1)'),
  'pipes: union with itself': pipes('|> union all (from numbers)'),
  'pipes: intersect': pipes('|> intersect distinct (select 1)'),
  'pipes: assert': pipes('|> assert n > 0'),
  'pipes: window': pipes((i) => `|> window sum(n) over (order by n) as a${i}`),
  'pipes: with': pipes((i) => `|> with w${i} as (select 1 as x) |> where n in (select x from w${i})`),
  'pipes: pivot': pipes('|> pivot(max(n) for n in (1)) |> extend 1 as n'),
  'pipes: unpivot': pipes('|> unpivot(v for k in (n)) |> select v as n'),
  'pipes: tablesample': pipes('|> tablesample system (10 percent)'),
};

export const EXPRESSION_SHAPES: Readonly<Record<string, Shape>> = {
  parentheses: inside('(', ')'),
  'sums in parentheses': inside('(1 + ', ')'),
  'few sums in parentheses': (size) =>
    `select ${filled('', `${'(1 + '.repeat(400)}n${')'.repeat(400)}`, '', ', ')(size - 30)} from numbers`,
  sums: filled('select 1', ' + n', ' from numbers'),
  products: filled('select 1', ' * n', ' from numbers'),
  'sums, many short ones': items('n+1+1+1+1'),
  texts: filled("select ''", " || 'a'"),
  'texts of columns': filled("select ''", ' || event_message', ' from logs'),
  'concat of many': filled('select concat(', 'event_message', ') from logs', ', '),
  'concat inside concat': inside("concat('a', ", ')', 'event_message', ' from logs'),
  'concat inside concat, twice': inside('concat(event_message, ', ', event_message)', 'event_message', ' from logs'),
  'AND of conditions': conditions('n = 1', 'and'),
  'AND of conditions that differ': conditions((i) => `n = ${i}`, 'and'),
  'OR of conditions': conditions('n = 1', 'or'),
  'OR of conditions that differ': conditions((i) => `n = ${i}`, 'or'),
  'AND and OR': conditions('n = 1 and n = 2', 'or'),
  'AND of fields': filled('select 1 from logs, unnest(metadata) as m where ', (i) => `m.x${i} = 'a'`, '', ' and '),
  'OR of fields': filled('select 1 from logs, unnest(metadata) as m where ', (i) => `m.x${i} = 'a'`, '', ' or '),
  'AND of patterns over fields': filled('select 1 from logs, unnest(metadata) as m where ', "m.x like '%abc%'", '', ' and '),
  'AND of times': filled('select 1 from logs where ', "timestamp > '2026-01-01'", '', ' and '),
  'AND of OR in parentheses': conditions('(n = 1 or n = 2)', 'and'),
  'AND inside OR inside AND': nested('select n from numbers where ', '(n = 1 or (n = 2 and ', 'true', '))'),
  NOT: filled('select ', 'not ', 'true'),
  'NOT in parentheses': inside('not (', ')', 'true'),
  minus: filled('select ', '- ', 'n from numbers'),
  bits: filled('select 1', ' | n', ' from numbers'),
  'comparisons in parentheses': inside('(', ' = true)', 'true'),
  'IN of numbers': filled('select n in (', '1', ') from numbers', ', '),
  'IN of texts': filled('select event_message in (', "'a'", ') from logs', ', '),
  'IN of expressions': filled('select n in (', 'n + 1', ') from numbers', ', '),
  'IN inside IN': inside('(', ' in (true))', 'true'),
  'many IN': conditions('n in (1, 2)', 'and'),
  'NOT IN of a field': filled('select 1 from logs, unnest(metadata) as m where m.x not in (', "'a'", ')', ', '),
  BETWEEN: conditions('n between 1 and 2', 'and'),
  'LIKE ANY': filled('select event_message like any (', "'%a%'", ') from logs', ', '),
  CASE: inside('case when n > 1 then ', ' end'),
  'CASE in ELSE': inside('case when n = 1 then 2 else ', ' end'),
  'CASE in the condition': inside('case when ', ' then true end', 'true'),
  'CASE of many': filled('select case ', (i) => `when n = ${i} then ${i}`, ' end from numbers', ' '),
  'CASE of an operand': filled('select case n + n ', (i) => `when ${i} then ${i}`, ' end from numbers', ' '),
  'CASE of texts': filled('select case event_message ', (i) => `when 'a${i}' then 'b'`, ' end from logs', ' '),
  IF: inside('if(n > 1, ', ', n)'),
  'IF on both sides': inside('if(n > 1, n, ', ')'),
  COALESCE: inside('coalesce(', ', n)'),
  'COALESCE of many': filled('select coalesce(', 'n', ') from numbers', ', '),
  IFNULL: inside('ifnull(', ', 1)'),
  NULLIF: inside('nullif(', ', 1)'),
  'GREATEST of many': filled('select greatest(', 'n', ') from numbers', ', '),
  SUBSTR: inside('substr(', ', n)', 'event_message', ' from logs, numbers'),
  'SUBSTR of constants': inside('substr(', ', 2)', "'abc'", ''),
  LOWER: inside('lower(', ')', 'event_message', ' from logs'),
  REPLACE: inside('replace(', ", 'a', 'b')", 'event_message', ' from logs'),
  DIV: inside('div(', ', n)'),
  MOD: inside('mod(', ', 3)'),
  ABS: inside('abs(', ')'),
  ROUND: inside('round(', ', 2)'),
  SAFE_DIVIDE: inside('safe_divide(', ', n)'),
  'SAFE.': inside('safe.sqrt(', ')'),
  LPAD: inside('lpad(', ", 3, 'x')", 'event_message', ' from logs'),
  FORMAT: inside("format('%s', ", ')', 'event_message', ' from logs'),
  'FORMAT of many': filled("select format('%d', n)", ", format('%d %s', n, 'a')", ' from numbers'),
  CAST: inside('cast(', ' as int64)'),
  'CAST there and back': inside('cast(cast(', ' as string) as int64)'),
  SAFE_CAST: inside('safe_cast(', ' as string)'),
  '::': filled('select n', '::text::int64', ' from numbers'),
  'types in types': nested('select cast(null as ', 'array<struct<a ', 'int64', '>>', ')'),
  'types of many fields': filled('select cast(null as struct<', (i) => `a${i} int64`, '>)', ', '),
  TIMESTAMP_ADD: inside('timestamp_add(', ', interval 1 day)', 'timestamp', ' from logs'),
  TIMESTAMP_TRUNC: inside('timestamp_trunc(', ', day)', 'timestamp', ' from logs'),
  'DATE_TRUNC and back': inside('timestamp(datetime_trunc(datetime(', '), day))', 'timestamp', ' from logs'),
  intervals: filled('select timestamp', ' + interval 1 day', ' from logs'),
  EXTRACT: inside('timestamp_seconds(extract(year from ', '))', 'timestamp', ' from logs'),
  REGEXP_REPLACE: inside('regexp_replace(', ", 'a', 'b')", 'event_message', ' from logs'),
  'a regular expression of many groups': filled("select regexp_contains(event_message, r'", '(a|b)*', "') from logs"),
  'a regular expression of groups in groups': nested("select regexp_contains(event_message, r'", '(a', '', ')*', "') from logs"),
  'a regular expression of classes': filled("select regexp_extract(event_message, r'", '[^a-z]+', "') from logs"),
  JSON_VALUE: inside('json_value(', ", '$.a')", 'event_message', ' from logs'),
  'a JSON path': filled("select json_value(event_message, '$", '.a', "') from logs"),
  'a JSON path of indexes': filled("select json_value(event_message, '$", '[0]', "') from logs"),
  'JSON subscripts': filled("select parse_json('{}')", '.a', ''),
  'JSON subscripts in brackets': filled("select parse_json('{}')", "['a']", ''),
  'a JSON literal': nested("select json '", '[', '1', ']', "'"),
  'array subscripts': filled('select [[1]]', '[0]', ''),
  'array subscripts in subscripts': inside('[1, 2][offset(', ')]'),
  'a list of array subscripts': items('list[safe_offset(0)]', ' from lists'),
  'fields of fields': filled('select m', '.a', ' from logs, unnest(metadata) as m'),
  'many fields': filled('select ', (i) => `m.a${i}`, ' from logs, unnest(metadata) as m', ', '),
  'many paths': filled('select ', (i) => `m.a.b.c${i}`, ' from logs, unnest(metadata) as m', ', '),
  'a path of many names': filled('select n', '.n', ' from numbers'),
  STRUCT: inside('struct(', ' as a)'),
  'STRUCT twice': inside('struct(n as b, ', ' as a)'),
  'STRUCT of many': filled('select struct(', (i) => `n as a${i}`, ') from numbers', ', '),
  'STRUCT of many of one name': filled('select struct(', 'n as a', ') from numbers', ', '),
  'struct fields of structs': nested('select ', 'struct(', '1 as a', ' as a)', `${'.a'.repeat(100)}`),
  'compared structs': filled('select (', 'n', `) = (${Array(100).fill('n').join(', ')}) from numbers`, ', '),
  'equal structs': (size) => {
    const side = filled('(', 'n', ')', ', ')(size / 2 - 20);
    return `select ${side} = ${side} from numbers`;
  },
  arrays: items('[n, 1]'),
  'arrays in structs': inside('[struct(', ' as a)]'),
  'an array': filled('select [', 'n', '] from numbers', ', '),
  'an array of texts': filled('select [', "'abc'", ']', ', '),
  'an array of structs': filled('select [', '(n, 1)', '] from numbers', ', '),
  'an array of NULL': filled('select [', 'null', ']', ', '),
  ARRAY_CONCAT: inside('array_concat(', ', [n])', '[n]'),
  'ARRAY_CONCAT of many': filled('select array_concat(', '[n]', ') from numbers', ', '),
  lambdas: inside('array_length(array_filter([1, 2], e -> e > ', '))'),
  'lambdas in arrays': inside('array_transform(', ', e -> e + 1)', '[n]'),
  'WITH in an expression': (size) => {
    const names = Math.floor(size / 32);
    return `select with(${Array.from({ length: names }, (_, i) => `x${i + 1} as ${i === 0 ? 'n' : `x${i}`} + 1`).join(', ')}, x${names}) from numbers`;
  },
  'WITH in an expression, twice': (size) => {
    const names = Math.floor(size / 32);
    return `select with(${Array.from({ length: names }, (_, i) => `x${i + 1} as ${i === 0 ? 'n + n' : `x${i} + x${i}`}`).join(', ')}, x${names}) from numbers`;
  },
  'chained calls': filled('select event_message', '.lower()', ' from logs'),
  'calls in calls of two': inside('pow(2, ', ')'),
  GENERATE_ARRAY: inside('array_length(generate_array(1, ', '))'),
  'aggregates in arrays': items('array_agg(n order by n limit 3)'),
  HASH: inside('to_hex(sha256(', '))', 'event_message', ' from logs'),
  parameters: conditions('@project = @day', 'or'),
  CURRENT_TIMESTAMP: items('current_timestamp()', ''),
  'unknown names': items((i) => `unknown${i}`),
  'an unknown function': items((i) => `fun${i}(1)`),
};

export const QUERY_SHAPES: Readonly<Record<string, Shape>> = {
  'subqueries in FROM': nested('', 'select n from (', 'select n from numbers', ')'),
  'subqueries in FROM with a filter': nested('', 'select n from (', 'select n from numbers', ') where n > 1'),
  'subqueries in FROM with a column': nested('', 'select n + 1 as n from (', 'select n from numbers', ')'),
  'subqueries in FROM, twice the column': nested('', 'select n + n as n from (', 'select n from numbers', ')'),
  'subqueries in FROM with *': nested('', 'select * from (', 'select n from numbers', ')'),
  'subqueries of groups': nested('', 'select max(n) as n from (', 'select n from numbers', ') group by n'),
  'subqueries in SELECT': inside('(select ', ')'),
  'subqueries in SELECT with FROM': inside('(select max(n) + ', ' from numbers)', '1'),
  'subqueries beside each other': items('(select max(n) from numbers)'),
  'correlated subqueries beside each other': items('(select count(*) from numbers as i where i.n = o.n)', ' from numbers as o'),
  'correlated subqueries in each other': nested('select (', 'select count(*) from numbers where n > (', 'select 1', ')', ')'),
  'EXISTS inside EXISTS': nested('select 1 from numbers where ', 'exists (select 1 from numbers where ', 'true', ')'),
  'EXISTS beside EXISTS': conditions('exists (select 1 from numbers as i where i.n = numbers.n)', 'and'),
  'IN a query inside IN': nested('select 1 from numbers where ', 'n in (select n from numbers where ', 'true', ')'),
  'IN a query beside IN': conditions('n in (select n from numbers)', 'or'),
  'ARRAY of a query': inside('array_length(array(select ', ' from numbers))', '1'),
  'queries in parentheses': nested('', '(', 'select 1', ')'),
  'tables in parentheses': nested('select 1 from ', '(', 'numbers', ')'),
  unions: filled('', 'select n from numbers', '', ' union all '),
  'unions of constants': filled('', 'select 1', '', ' union all '),
  'unions of DISTINCT': filled('', 'select 1', '', ' union distinct '),
  'unions of *': filled('', 'select * from logs', '', ' union all '),
  'unions in parentheses': nested('', 'select 1 union all (', 'select 1', ')'),
  'unions of many columns': filled('select ', '1', ` union all select ${Array(1000).fill('1').join(', ')}`, ', '),
  'unions by name': filled('', (i) => `select 1 as a${i}`, '', ' full union all by name '),
  'unions of records': filled('', 'select metadata from logs', '', ' union all '),
  EXCEPT: filled('', 'select 1', '', ' except distinct '),
  'WITH tables': filled('with ', (i) => `c${i} as (select 1 as x)`, ' select * from c0', ', '),
  'WITH tables that read the one before': chain('select n from numbers', (c) => `select n from ${c}`),
  'WITH tables that read the one before with a filter': chain('select n from numbers', (c) => `select n from ${c} where n > 1`),
  'WITH tables that read the one before and are read': (size) => {
    const count = Math.floor(size / 34);
    const tables = Array.from({ length: count }, (_, i) => `c${i + 1} as (select n from c${i})`);
    return `with c0 as (select n from numbers), ${tables.join(', ')} select * from c${count}`;
  },
  'WITH tables that filter and are read': (size) => {
    const count = Math.floor(size / 46);
    const tables = Array.from({ length: count }, (_, i) => `c${i + 1} as (select n from c${i} where n > 1)`);
    return `with c0 as (select n from numbers), ${tables.join(', ')} select * from c${count}`;
  },
  'WITH tables that join the one before with itself': (size) => {
    const count = Math.floor(size / 60);
    const tables = Array.from({ length: count }, (_, i) => `c${i + 1} as (select a.n from c${i} a join c${i} b using (n))`);
    return `with c0 as (select n from numbers), ${tables.join(', ')} select * from c${count}`;
  },
  'WITH tables that are the one before twice': (size) => {
    const count = Math.floor(size / 70);
    const tables = Array.from({ length: count }, (_, i) => `c${i + 1} as (select n from c${i} union all select n from c${i})`);
    return `with c0 as (select n from numbers), ${tables.join(', ')} select * from c${count}`;
  },
  'WITH tables that add the column of the one before': (size) => {
    const count = Math.floor(size / 40);
    const tables = Array.from({ length: count }, (_, i) => `c${i + 1} as (select n + n as n from c${i})`);
    return `with c0 as (select n from numbers), ${tables.join(', ')} select * from c${count}`;
  },
  'WITH tables of a row': (size) => {
    const count = Math.floor(size / 60);
    const tables = Array.from({ length: count }, (_, i) => `c${i} as (select ${i} as x${i})`);
    return `with ${tables.join(', ')} select 1 as a from ${Array.from({ length: count }, (_, i) => `c${i}`).join(', ')} where x0 = 1`;
  },
  'WITH in WITH': nested('', 'with a as (', 'select 1', ') select * from a'),
  'WITH tables that all read one': (size) => {
    const count = Math.floor(size / 40);
    const tables = Array.from({ length: count }, (_, i) => `c${i + 1} as (select n from c0)`);
    return `with c0 as (select n from numbers where n > 1), ${tables.join(', ')} select * from ${tables
      .map((_, i) => `c${i + 1}`)
      .join(' join ')
      .replace(/(c\d+)(?= join|$)/g, '$1')
      .replace(/ join /g, ', ')}`;
  },
  'recursive tables': filled(
    'with recursive ',
    (i) => `c${i} as (select 1 as x union all select x + 1 from c${i} where x < 3)`,
    ' select * from c0',
    ', ',
  ),
  'recursive tables in order of use': filled(
    'with recursive ',
    (i) => `c${i} as (select x from c${i + 1})`,
    ', last as (select 1 as x) select * from c0',
    ', ',
  ),
  'a recursive table of many unions': filled(
    'with recursive c as (select 1 as x union all select x + 1 from c where ',
    'x < 3',
    ') select * from c',
    ' and ',
  ),
  'joins with commas': filled('select 1 from numbers as a', (i) => `, numbers as a${i}`),
  'joins ON': filled('select 1 from numbers as a', (i) => ` join numbers as a${i} on a${i}.n = a.n`),
  'joins ON the one before': filled('select 1 from numbers as a0', (i) => ` join numbers as a${i + 1} on a${i + 1}.n = a${i}.n`),
  'left joins': filled('select 1 from numbers as a', (i) => ` left join numbers as a${i} on a${i}.n = a.n`),
  'full joins': filled('select 1 from numbers as a', (i) => ` full join numbers as a${i} using (n)`),
  'joins USING': filled('select 1 from numbers as a', (i) => ` join numbers as a${i} using (n)`),
  'joins of wide tables': filled('select 1 from logs as a', (i) => ` join logs as a${i} using (id)`),
  '* of joins': filled('select * from numbers as a', (i) => `, logs as a${i}`),
  'joins in parentheses': nested('select 1 from ', '(numbers join ', 'numbers', ' using (n))'),
  'joins with conditions at the end': nested('select 1 from ', 'numbers a join ', 'numbers b', ' on true'),
  'joins of subqueries': filled('select 1 from numbers as a', (i) => ` join (select n from numbers where n > 1) as a${i} on a${i}.n = a.n`),
  'joins with unnested numbers': filled('select 1 from numbers as a', (i) => ` cross join unnest([1, 2]) as a${i}`),
  'joins with unnested constants': filled('select 1 from numbers as a', (i) => `, unnest([${i}]) as a${i}`),
  'joins with series': filled('select 1 from numbers as a', (i) => ` left join unnest(generate_array(1, 9)) as a${i} on a${i} = a.n`),
  'joins with unnested lists': filled('select 1 from lists as a', (i) => ` cross join unnest(a.list) as a${i}`),
  'unnest: records': filled('select 1 from logs', (i) => ` cross join unnest(metadata) as a${i}`),
  'unnest: records in records': filled(
    'select 1 from logs cross join unnest(metadata) as a0',
    (i) => ` cross join unnest(a${i}.request) as a${i + 1}`,
  ),
  'unnest: left, records in records': filled(
    'select 1 from logs cross join unnest(metadata) as a0',
    (i) => ` left join unnest(a${i}.request) as a${i + 1} on true`,
  ),
  'unnest: left': filled('select 1 from logs', (i) => ` left join unnest(metadata) as a${i} on true`),
  'unnest: with filters between': nested(
    '',
    'select * from (',
    'select 1 as n from logs, unnest(metadata) as m',
    '), unnest([1]) as x where n > 1',
  ),
  '*': filled('select ', '*', ' from numbers', ', '),
  '* of a wide table': filled('select ', '*', ' from logs', ', '),
  'r.*': filled('select ', 'r.*', ' from numbers as r', ', '),
  'r.* of a wide table': filled('select ', 'r.*', ' from logs as r', ', '),
  '* EXCEPT': items('* except (n)'),
  '* EXCEPT of many': filled('select * except (', (i) => `a${i}`, ') from numbers', ', '),
  '* REPLACE': items('* replace (n + 1 as n)'),
  '* of *': chain('select 1 as a, 2 as b', (c) => `select x.*, y.* from ${c} x, ${c} y`),
  columns: items('n'),
  'columns with a name': items((i) => `n as a${i}`),
  'columns of one name': items('n as a'),
  constants: items('1', ''),
  aggregates: items((i) => `sum(n + ${i})`),
  'equal aggregates': items('sum(n)'),
  'aggregates of DISTINCT': items('count(distinct n)'),
  'aggregates of conditions': items((i) => `countif(n = ${i})`),
  quantiles: items('approx_quantiles(n, 100)[offset(95)]'),
  'quantiles that differ': items((i) => `approx_quantiles(n, 100)[offset(${i % 100})]`),
  array_agg: items((i) => `array_agg(n + ${i})`),
  'GROUP BY': filled('select 1 from numbers group by ', (i) => `n + ${i}`, '', ', '),
  'GROUP BY positions': (size) => {
    const count = Math.floor(size / 18);
    const all = Array.from({ length: count }, (_, i) => i + 1);
    return `select ${all.map((i) => `n + ${i}`).join(', ')} from numbers group by ${all.join(', ')}`;
  },
  'GROUP BY ALL': filled('select ', (i) => `n + ${i}`, ', count(*) from numbers group by all', ', '),
  'GROUPING SETS': filled('select count(*) from numbers group by grouping sets (', 'n', ')', ', '),
  'GROUPING SETS of lists': filled('select count(*) from logs group by grouping sets (', '(id, project, event_message)', ')', ', '),
  ROLLUP: filled('select count(*) from numbers group by rollup (', (i) => `n + ${i}`, ')', ', '),
  CUBE: filled('select count(*) from numbers group by cube (', (i) => `n + ${i}`, ')', ', '),
  'CUBE of the same': filled('select count(*) from numbers group by grouping sets (', 'cube(n, n, n, n)', ')', ', '),
  HAVING: filled('select n from numbers group by n having ', 'sum(n) > 1', '', ' and '),
  'HAVING that differ': filled('select n from numbers group by n having ', (i) => `sum(n + ${i}) > 1`, '', ' and '),
  QUALIFY: filled('select n from numbers qualify ', 'row_number() over (order by n) = 1', '', ' and '),
  windows: items('sum(n) over (order by n)'),
  'windows that differ': items((i) => `sum(n + ${i}) over (partition by n + ${i} order by n)`),
  'windows over windows': nested('', 'select sum(n) over (order by n) as n from (', 'select n from numbers', ')'),
  'named windows': filled('select sum(n) over w0 from numbers window w0 as (order by n)', (i) => `, w${i + 1} as (w${i})`),
  frames: items('max(n) over (order by n rows between 3 preceding and 4 following)'),
  'ORDER BY': filled('select n from numbers order by ', 'n', '', ', '),
  'ORDER BY expressions': filled('select n from numbers order by ', (i) => `n + ${i}`, '', ', '),
  'ORDER BY with LIMIT in each other': nested('', 'select n from (', 'select n from numbers', ' order by n limit 9)'),
  DISTINCT: nested('', 'select distinct n from (', 'select n from numbers', ')'),
  'PIVOT of PIVOT': filled('select * from numbers', ' pivot(max(n) for n in (1 as n))'),
  PIVOT: filled('select * from numbers pivot(max(n) for n in (', (i) => `${i} as a${i}`, '))', ', '),
  'PIVOT of many aggregates': (size) => {
    const side = Math.floor(size / 22);
    return `select * from logs pivot(${Array.from({ length: side }, (_, i) => `max(id) as a${i}`).join(', ')} for event_message in (${Array.from({ length: Math.floor(side / 3) }, (_, i) => `'${i}'`).join(', ')}))`;
  },
  UNPIVOT: filled('select * from (select 1 as n) unpivot(v for k in (', (i) => `n as 'k${i}'`, '))', ', '),
  'UNPIVOT of UNPIVOT': filled('select * from numbers', ' unpivot(n for k in (n))'),
  TABLESAMPLE: filled('select 1 from numbers', ' tablesample system (10 percent)'),
  'AS STRUCT': nested('', 'select as struct * from (', 'select n from numbers', ')'),
  'AS STRUCT of AS STRUCT': nested('', 'select as struct s from (select as value ', '(select as struct 1 as a)', ' as s) as s'),
};

export const TEXT_SHAPES: Readonly<Record<string, Shape>> = {
  'a long name': filled('select 1 as ', 'abcdefgh'),
  'a long name in quotes': filled('select 1 as `', 'abc d', '`'),
  'a long unknown name': filled('select ', 'abcdefgh', ' from numbers'),
  'long names in many places': (size) => {
    const name = 'n'.repeat(Math.floor(size / 40));
    return `select ${Array.from({ length: 30 }, (_, i) => `${name}.${name}${i}`).join(', ')} from numbers as ${name}`;
  },
  'names with dashes': filled('select * from a', '-a'),
  'names with dashes and digits': filled('select * from a', '-1'),
  'names with dashes and dots': filled('select * from a', '-1a.b'),
  dashes: filled('select n', '-1a', ' from numbers'),
  comments: filled('select 1 ', '/* a */'),
  'comments of lines': filled('select 1 ', '-- a\n'),
  'a comment': filled('select 1 /*', '* /', '*/'),
  'comments that are not closed': filled('select 1 ', '/* '),
  'a comment of stars': filled('select 1 /*', '*', ''),
  blanks: filled('select 1', ' '),
  'blanks, then a mistake': filled('select 1', ' ', '?'),
  'blank lines': filled('select 1', '\r\n\t'),
  'a string': filled("select '", 'abc', "'"),
  'a string of escapes': filled("select '", '\\n\\x41\\u00e9', "'"),
  'a string of quotes': filled("select '", "\\'", "'"),
  'a string of backslashes': filled("select '", '\\\\', "'"),
  'a string of lines': filled("select '''", "a'\n", "'''"),
  'a raw string': filled("select r'", '\\d', "'"),
  'strings that are not closed': filled('select ', "'abc \n"),
  'strings in a row': filled('select ', "'a' "),
  'triple quotes': filled('select ', "'''"),
  bytes: filled("select b'", '\\xff', "'"),
  'a number': filled('select ', '1234567890'),
  'a number with a point': filled('select 1.', '1234567890'),
  'a number in NUMERIC': filled("select numeric '", '1234567890', "'"),
  'a hexadecimal number': filled('select 0x', 'abcdef01'),
  'numbers and points': filled('select ', '1.'),
  exponents: filled('select 1e', '9'),
  'opening parentheses': filled('select ', '('),
  'opening brackets': filled('select ', '['),
  'opening angles': filled('select cast(1 as ', 'array<'),
  'closing parentheses': filled('select 1', ')'),
  commas: filled('select 1', ','),
  dots: filled('select n', '.'),
  semicolons: filled('select 1', ';'),
  select: filled('', 'select '),
  from: filled('', 'from '),
  case: filled('select ', 'case when '),
  'lambda heads': filled('select f(', '(a, b, ', ''),
  'lambda heads inside each other': filled('select f(', '(a, (b, ', ''),
  'parameters without an end': filled('select ', '@a '),
  'back quotes': filled('select ', '`a`.'),
  'letters of other alphabets': filled("select '", 'é日本😀', "'"),
  'at signs': filled('select ', '@'),
  'dollar signs': filled('select ', '$'),
  'null characters': filled("select '", '\u0000', "'"),
  'null characters outside of strings': filled('select 1', '\u0000'),
  with: filled('', 'with a as ('),
  functions: filled('', 'create temp function f(x int64) as (x); '),
  'pipes without operators': filled('from numbers', ' |> '),
  'unions without queries': filled('select 1', ' union all '),
};
