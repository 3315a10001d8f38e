// Queries that fail, of every kind of thing that can: what each of them is to say stands in failing-queries.txt.

/** What the engine says is for --verbose. */
export const ENGINES_TEXT = /ClickHouse answered|DB::Exception|Code: \d|while executing|[Ii]n scope|__table\d|FUNCTION \w+\(/;

interface FailingQuery {
  readonly sql: string;
  /** Lines below `params:` of its header, and the arguments that are given. */
  readonly params?: readonly string[];
  readonly given?: Readonly<Record<string, string>>;
  readonly flags?: readonly string[];
  readonly exit: number;
  /** Status of the same query over HTTP; absent where flags make it fail. */
  readonly http?: number;
}

const data = (sql: string): FailingQuery => ({ sql, exit: 1, http: 422 });
/** Of a text that cannot be translated, the server lists no endpoint: whoever starts it is told. */
const refused = (sql: string): FailingQuery => ({ sql, exit: 2 });
const argument = (sql: string, type: string, given: string): FailingQuery => ({
  sql,
  params: [`x: { type: ${type} }`],
  given: { x: given },
  exit: 2,
  http: 400,
});

export const FAILING_QUERIES: readonly FailingQuery[] = [
  // casts
  data("select cast(s as int64) as v from unnest(['12x']) as s"),
  data("select cast(s as float64) as v from unnest(['abc']) as s"),
  data("select cast(s as numeric) as v from unnest(['1..2']) as s"),
  data("select cast(s as bool) as v from unnest(['perhaps']) as s"),
  data("select cast(s as date) as v from unnest(['2026-02-30']) as s"),
  data("select cast(s as time) as v from unnest(['25:00:00']) as s"),
  data("select cast(s as datetime) as v from unnest(['yesterday']) as s"),
  data("select cast(s as timestamp) as v from unnest(['yesterday']) as s"),
  data("select cast(b as string) as v from unnest([b'\\xff']) as b"),
  data('select cast(f as int64) as v from unnest([1e300]) as f'),
  // numbers
  data('select 10 / (n - 1) as v from unnest([1]) as n'),
  data('select mod(10, n - 1) as v from unnest([1]) as n'),
  data('select div(10, n - 1) as v from unnest([1]) as n'),
  data('select n + 9223372036854775807 as v from unnest([1]) as n'),
  data('select n * 9223372036854775807 as v from unnest([2]) as n'),
  data('select sum(n) as v from unnest([9223372036854775807, 1]) as n'),
  data('select abs(n - 1) as v from unnest([-9223372036854775807]) as n'),
  data('select sqrt(n) as v from unnest([-1]) as n'),
  data('select ln(n) as v from unnest([0]) as n'),
  data('select log(n, 1) as v from unnest([2]) as n'),
  data('select exp(n) as v from unnest([1000]) as n'),
  data('select pow(f, 400.0) as v from unnest([1e300]) as f'),
  data("select cast(n as numeric) * numeric '99999999999999999999999999999' as v from unnest([99]) as n"),
  data('select 1 << n as v from unnest([-1]) as n'),
  data('select range_bucket(n, [3, 1]) as v from unnest([2]) as n'),
  // texts and bytes
  data("select repeat('a', n) as v from unnest([1000000000]) as n"),
  data("select lpad('a', n) as v from unnest([-1]) as n"),
  data("select substr('a', 1, n) as v from unnest([-1]) as n"),
  data('select chr(n) as v from unnest([-5]) as n'),
  data('select code_points_to_string([n]) as v from unnest([99999999]) as n'),
  data("select from_base64(s) as v from unnest(['###']) as s"),
  data("select from_hex(s) as v from unnest(['zz']) as s"),
  data("select net.ip_from_string(s) as v from unnest(['300.1.1.1']) as s"),
  data("select regexp_contains(s, concat('(', s)) as v from unnest(['a']) as s"),
  data("select s like p as v from unnest([struct('a' as s, 'b\\\\' as p)])"),
  // dates and times
  data("select parse_date('%F', s) as v from unnest(['soon']) as s"),
  data("select parse_timestamp('%F %T', s) as v from unnest(['soon']) as s"),
  data('select date(2026, 2, n) as v from unnest([30]) as n'),
  data("select date_add(date '9999-12-31', interval n day) as v from unnest([1]) as n"),
  data("select timestamp_add(timestamp '9999-12-31', interval n day) as v from unnest([1]) as n"),
  // arrays, JSON, subqueries
  data('select [1, 2][offset(n)] as v from unnest([5]) as n'),
  data('select [1, 2][ordinal(n)] as v from unnest([0]) as n'),
  data('select generate_array(1, n) as v from unnest([1000000000000]) as n'),
  data('select [n, null] as v from unnest([1]) as n'),
  data("select parse_json(s) as v from unnest(['{a']) as s"),
  data("select int64(parse_json(s)) as v from unnest(['[]']) as s"),
  data("select bool(parse_json(s)) as v from unnest(['1']) as s"),
  data('select (select x from unnest([n, 2]) as x) as v from unnest([1]) as n'),
  data("select error(s) as v from unnest(['my own words']) as s"),
  data("select error('my own words') as v"),
  // arguments
  argument('select cast(@x as int64) as v', 'string', '12x'),
  argument('select timestamp(@x) as v', 'string', 'yesterday'),
  argument("select parse_date('%F', @x) as v", 'string', 'soon'),
  argument('select parse_json(@x) as v', 'string', '{a'),
  argument("select regexp_contains('abc', @x) as v", 'string', '(?=a)'),
  argument("select datetime(timestamp '2026-01-01', @x) as v", 'string', 'Mars/Phobos'),
  argument('select 10 / @x as v', 'integer', '0'),
  argument('select mod(5, @x) as v', 'integer', '0'),
  argument('select div(n, @x) as v from unnest([1]) as n', 'integer', '0'),
  argument('select 9223372036854775807 + @x as v', 'integer', '1'),
  argument('select [1, 2, 3][offset(@x)] as v', 'integer', '7'),
  argument('select n as v from unnest([1, 2]) as n order by n limit @x', 'integer', '-1'),
  argument('select @x as v', 'integer', '1.5'),
  argument('select @x as v', 'float', 'much'),
  argument('select @x as v', 'boolean', 'perhaps'),
  argument('select @x as v', 'timestamp', 'yesterday'),
  argument('select @x as v', 'date', '2026-02-30'),
  argument('select @x as v', 'array of integer', '1,b'),
  argument('select @x as v', 'string, enum: [hour, day]', 'week'),
  argument('select @x as v', 'string, format: regexp', '('),
  // texts that are not translated
  refused('select starts_wiht(s, s) as v from unnest(["a"]) as s'),
  refused('select nothing as v from unnest([struct(1 as n)])'),
  refused('select 1 as v from nowhere'),
  refused("select 1 + 'a' as v"),
  refused('select 1 as v from'),
  refused('select count(*) as v from unnest([1]) as n where n = null'),
  refused('select * as v from unnest([1]) as n'),
  refused('delete from t where true'),
  // limits
  {
    sql: 'select count(*) as v from unnest(generate_array(1, 200000)) as a, unnest(generate_array(1, 200000)) as b where a * b = 7',
    flags: ['--timeout', '500ms'],
    exit: 4,
  },
  { sql: 'select array_agg(n) as v from unnest(generate_array(1, 3000000)) as n', flags: ['--max-memory', '20MB'], exit: 1 },
];
