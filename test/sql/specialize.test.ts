// The SQL for given arguments: shorter, and the same rows. Random queries run in both forms on a real engine.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Random, seededRandom } from '../../src/cli/demo/random.ts';
import { type EmbeddedEngine, openEmbedded } from '../../src/engine/embedded/embedded.ts';
import type { BoundValue } from '../../src/engine/engine.ts';
import { decodeRows } from '../../src/execution/decode.ts';
import { BOOL, INT64, STRING } from '../../src/sql/base/types.ts';
import { bind } from '../../src/sql/compile/specialize.ts';
import { translateSpecializable } from '../../src/sql/index.ts';
import type { SourceCatalog } from '../../src/sql/source.ts';
import { printStatement } from '../../src/sql/target/print.ts';
import { readStatement } from '../../src/sql/target/stored-statement.ts';
import { type TempFolder, tempFolder } from '../support/temp-store.ts';
import { EVENT_SOURCES } from './events.ts';

const PARAMETERS = { s: STRING, t: STRING, n: INT64, b: BOOL };
type Arguments = Readonly<Record<keyof typeof PARAMETERS, BoundValue>>;
const NONE: Arguments = { s: null, t: null, n: null, b: null };

let folder: TempFolder;
let engine: EmbeddedEngine;
beforeAll(async () => {
  folder = tempFolder();
  engine = await openEmbedded({ path: folder.path });
});
afterAll(async () => {
  await engine.close();
  folder.remove();
});

const translated = (sql: string) => translateSpecializable(sql, { parameters: PARAMETERS, instant: 'parameter' });
const oneLine = (sql: string): string => sql.replace(/\s+/g, ' ');
const folded = (sql: string, given: Partial<Arguments>): string => oneLine(bind(translated(sql), { ...NONE, ...given }).sql);

async function rowsOf(translation: ReturnType<typeof translated>, form: Pick<typeof translation, 'sql' | 'parameters'>, given: Arguments) {
  const bindings = form.parameters.map(({ name, type }) => ({ name, type, value: given[name as keyof Arguments] }));
  return decodeRows(translation.columns, await engine.execute({ sql: form.sql, bindings, settings: translation.settings }));
}

/** Rows of both forms must be alike. Returns whether the form for these arguments is shorter. */
async function sameRows(sql: string, given: Arguments): Promise<boolean> {
  const translation = translated(sql);
  const form = bind(translation, given);
  const rows = await rowsOf(translation, form, given);
  expect([sql, given, rows]).toEqual([sql, given, await rowsOf(translation, translation, given)]);
  return form.sql.length < translation.sql.length;
}

const TABLE = "unnest([struct('a' as k, 1 as v, true as f), ('b', 2, false), ('', null, null), (null, 3, true)])";

const LOGS: SourceCatalog = {
  names: ['logs'],
  find: () => ({
    name: 'logs',
    table: 'logs',
    columns: [
      { name: 'k', type: STRING, read: { layout: 'column', column: 'k', clickhouseType: 'String' } },
      { name: 'v', type: INT64, read: { layout: 'column', column: 'v', clickhouseType: 'Int64' } },
      { name: 'e', type: STRING, read: { layout: 'column', column: 'm', clickhouseType: 'Nullable(String)', key: 'e' } },
    ],
  }),
};
const CHOICE = "select case @s when 'a' then v when 'b' then v + 1 else 0 end as x from logs";

describe('what the arguments rule out is not written', () => {
  const over = (sql: string, given: Partial<Arguments>): string => {
    const translation = translateSpecializable(sql, { parameters: PARAMETERS, sources: LOGS });
    return oneLine(bind(translation, { ...NONE, ...given }).sql).replace(' FROM logs', '');
  };

  test.each<[Partial<Arguments>, string]>([
    [{ s: 'a' }, 'SELECT v AS x'],
    [{ s: 'b' }, "SELECT v + 1 - throwIf(ifNull(v > 9223372036854775806, false), 'the result of + is out of the range of INT64') AS x"],
    [{ s: 'c' }, 'SELECT toInt64(0) AS x'],
    [{}, 'SELECT toInt64(0) AS x'],
  ])(`${CHOICE}, with %j`, (given, expected) => {
    expect(over(CHOICE, given)).toBe(expected);
  });

  test.each<[string, Partial<Arguments>, string]>([
    ["coalesce(@s, '') = '' or k = @s", {}, ''],
    ["coalesce(@s, '') = '' or k = @s", { s: '' }, ''],
    ["coalesce(@s, '') = '' or k = @s", { s: 'x' }, ' WHERE k = {s:Nullable(String)}'],
    ['@n is null or v < @n', {}, ''],
    ['@n is null or v < @n', { n: 5 }, ' WHERE v < {n:Nullable(Int64)}'],
    ['v < @n', {}, ' WHERE false'],
    ['v < @n or k = "a"', {}, " WHERE v < {n:Nullable(Int64)} OR k = 'a'"],
    ["k like concat('%', @s, '%')", {}, ' WHERE false'],
    ['regexp_contains(k, @s)', { s: 'a\\.b' }, ' WHERE match(k, {s:Nullable(String)})'],
    ['regexp_contains(k, @s)', { s: 'a.b' }, " WHERE match(k, concat('(?-s)', {s:Nullable(String)}))"],
    ['regexp_contains(e, @s)', { s: 'a' }, " WHERE match(m['e'], {s:Nullable(String)})"],
    ['regexp_contains(e, @s)', { s: 'a.' }, " WHERE match(m['e'], concat('(?-s)', {s:Nullable(String)}))"],
    [
      'regexp_contains(e, @s)',
      { s: 'a*' },
      " WHERE match(if(m['e'] = '' AND NOT mapContains(m, 'e'), NULL, m['e']), {s:Nullable(String)})",
    ],
    ["@s in ('a', 'b') and v < 5", { s: 'b' }, ' WHERE v < 5'],
    ["@s in ('a', 'b') and v < 5", { s: 'c' }, ' WHERE false'],
    ["@s not in ('a', 'b') and v < 5", { s: 'c' }, ' WHERE v < 5'],
    ['@n >= 3 and v < 5', { n: 3 }, ' WHERE v < 5'],
    ['@n >= 3 and v < 5', { n: 2 }, ' WHERE false'],
    // What is neither is left to the engine.
    ['@s < "b" and v < 5', { s: 'a' }, " WHERE {s:Nullable(String)} < 'b' AND v < 5"],
    ['@b and v < 5', { b: true }, ' WHERE v < 5'],
    ["v < 5 and @b and k != 'x' and v > 1", { b: true }, " WHERE v < 5 AND k != 'x' AND v > 1"],
    ["(@s = 'a' or v < 5) and k != 'x'", {}, " WHERE ({s:Nullable(String)} = 'a' OR v < 5) AND k != 'x'"],
    ['not @b or v < 5', { b: true }, ' WHERE v < 5'],
  ])('where %s, with %j', (condition, given, expected) => {
    expect(over(`select v from logs where ${condition}`, given)).toBe(`SELECT v${expected}`);
  });
});

test('the parameters that nothing reads any more are not bound', () => {
  const translation = translated("select k from (select 'x' as k) where if(@s = 'a', @t, 'm') < k");
  expect(translation.parameters.map(({ name }) => name).sort()).toEqual(['s', 't']);
  expect(bind(translation, { ...NONE, s: 'b' })).toMatchObject({ sql: "SELECT 'x' AS k\nWHERE 'm' < 'x'", parameters: [] });
  expect(bind(translation, { ...NONE, s: 'a', t: 'm' }).parameters.map(({ name }) => name)).toEqual(['t']);
});

test('a name in WITH that is called like a function of ClickHouse is no call of it', async () => {
  const repeated = 'abs(safe_cast(k as float64) + v)';
  const sql = `select abs(v) as x from ${TABLE} where @s is null
    union all select ${repeated} from ${TABLE} where ${repeated} > 2 or v is null order by 1`;
  expect(translated(sql).sql).toMatch(/text_to_float64\(.*\).* AS abs\n/);
  expect(folded(sql, {})).toContain('AS text_to_float64');
  await sameRows(sql, NONE);
});

test('a text that is not whole is left to the engine', () => {
  expect(folded("select if(@s = 'a', 1, 2) as x", { s: 'a\ud800' })).toBe(oneLine(translated("select if(@s = 'a', 1, 2) as x").sql));
});

test.each([
  // A key of GROUP BY that becomes a constant, in every place where it stands.
  `select case @s when 'a' then k else 'all' end as g, count(*) as n from ${TABLE} group by g having g is null or g != 'z' order by g`,
  `select case @s when 'a' then k else 'all' end as g, count(*) as n from ${TABLE} where v > 100 group by g`,
  `select if(@s = 'a', k, 'all') as g, sum(v) as n from ${TABLE} group by rollup(g) order by g, n`,
  `select distinct if(@s = 'a', k, 'all') as g from ${TABLE} order by g`,
  `select k, sum(v) over (partition by if(@s = 'a', k, 'all') order by v) as n from ${TABLE} order by k, n`,
  `select (f and @s = 'a') as g, countif(f and @s = 'a') as n from ${TABLE} group by f and @s = 'a' having (f and @s = 'a') or count(*) > 0 order by g`,
  `select a.k, b.v from ${TABLE} as a join ${TABLE} as b on a.k = b.k and (@s = 'a' or a.v > 1) order by 1, 2`,
  `select a.k, b.v from ${TABLE} as a left join ${TABLE} as b on (@s = 'a' or a.v > 1) and a.k = b.k order by 1, 2`,
  `select k from ${TABLE} where exists (select 1 from unnest([1, 2]) as x where x = v and (@s = 'a' or x > 1)) order by k`,
  `select to_json_string(f and @s != 'c') as x, cast((f or @s = 'c') as string) as y from ${TABLE} order by x, y`,
  `select array_agg(if(@s = 'a', v, 0) ignore nulls order by v) as x from ${TABLE}`,
  `select if(@s = 'a', 1, v) - 2 as x, if(@s = 'a', 1, 0.5) / 2 as y, if(@s = 'a', [1], [v]) as z from ${TABLE} where v is not null order by 1, 2`,
  `select k from ${TABLE} order by case @s when 'a' then k when 'b' then cast(v as string) end, v limit 2`,
  // NULL keeps the type of the branches that are gone.
  `select if(@s = 'a', struct(v as x), null).x as n, if(@s = 'a', v, null) + 1 as m from ${TABLE} order by 1, 2`,
  `select if(@s = 'a', null, v) as n, sum(if(@s = 'a', null, v)) as m, approx_quantiles(if(@s = 'a', null, v), 2) as q from ${TABLE} group by n order by n`,
  `select a.k, b.v from ${TABLE} as a left join ${TABLE} as b on a.k = if(@s = 'a', null, b.k) order by 1, 2`,
  `select if(@s = 'a', null, v) as n from ${TABLE} union all select if(@s = 'b', null, v + 1) from ${TABLE} order by n`,
  `select if(@s = 'a', null, v) as n, lag(if(@s = 'a', null, k)) over (order by v) as m from ${TABLE} order by n, m`,
  `select ifnull(if(@s = 'a', cast(null as bool), f), false) as x from ${TABLE} order by x`,
  // A comparison with what is not there.
  `select k, countif(k like concat('%', nullif(@s, 'a'), '%')) as n from ${TABLE} where k like concat('%', nullif(@s, 'a'), '%') group by k order by k`,
  `select count(*) as n, countif(v < nullif(@n, 0)) as m from ${TABLE} where v < nullif(@n, 0)`,
  `select a.k, b.v from ${TABLE} as a left join ${TABLE} as b on a.k = b.k and b.k = @s order by 1, 2`,
  `select a.k, b.v from ${TABLE} as a join ${TABLE} as b on a.k = b.k and b.k != nullif(@s, 'a') order by 1, 2`,
  `select a.k, b.v from ${TABLE} as a full join ${TABLE} as b on a.k = b.k and b.v > @n order by 1, 2`,
  // A text that is read as something else, and is not there.
  `select k from ${TABLE} where (timestamp(nullif(nullif(nullif(@s, 'a'), 'b'), 'c')) is null or timestamp(nullif(@t, '')) > timestamp '2026-01-01') order by k`,
  `select k, cast(nullif(nullif(nullif(@s, 'a'), 'b'), 'c') as int64) as i, cast(@t as float64) as f, cast(@t as date) as d from ${TABLE} where cast(@t as int64) is null order by k`,
  `select if(@s = 'a', date '2026-01-02', null) as d, if(@s = 'a', timestamp '2026-01-02 03:04:05', timestamp_trunc(current_timestamp(), day)) > timestamp '2026-01-01' as later`,
])('the rows are those of the SQL for all: %s', async (sql) => {
  for (const s of ['a', 'b', 'c', null])
    await sameRows(sql.replace('current_timestamp()', "timestamp '2026-05-06 07:08:09'"), { ...NONE, s });
});

/** A condition or value over parameters and columns, so deep at most. */
function randomCondition(random: Random, depth: number): string {
  const inner = (): string => randomCondition(random, depth - 1);
  const text = random.pick(['@s', '@t', "coalesce(@s, '')", "ifnull(@t, 'b')", "''", "'a'", "'b'", 'k', 'k']);
  const number = random.pick(['@n', 'coalesce(@n, 0)', 'v', 'v', '1', '-3', '9007199254740993']);
  switch (random.below(depth > 0 ? 14 : 7)) {
    case 0:
      return `${text} ${random.pick(['=', '!=', '<'])} ${random.pick(['@s', "'a'", "''", 'k'])}`;
    case 1:
      return `${number} ${random.pick(['=', '!=', '<', '<=', '>', '>='])} ${random.pick(['@n', '1', 'v'])}`;
    case 2:
      return `${text} is ${random.pick(['', 'not '])}null`;
    case 3:
      return random.pick(['@b', 'f', 'true', 'false']);
    case 4:
      return `${text} ${random.pick(['', 'not '])}in ('a', ${random.pick(["''", "'b'", '@t', 'k'])})`;
    case 5:
      return `${number} ${random.pick(['', 'not '])}in (1, ${random.pick(['2', '@n', 'null'])})`;
    case 6:
      return `@b is ${random.pick(['', 'not '])}${random.pick(['true', 'false', 'null'])}`;
    case 7:
    case 8:
      return `(${inner()} and ${inner()})`;
    case 9:
    case 10:
      return `(${inner()} or ${inner()})`;
    case 11:
      return `not (${inner()})`;
    case 12:
      return `if(${inner()}, ${inner()}, ${inner()})`;
    default:
      return `case when ${inner()} then ${inner()} when ${inner()} then ${inner()} end`;
  }
}

test('random conditions on parameters choose the same rows and values in both forms', { timeout: 120_000 }, async () => {
  const random = seededRandom(20261);
  let shorter = 0;
  for (let i = 0; i < 120; i++) {
    const [a, b, c] = [randomCondition(random, 3), randomCondition(random, 2), randomCondition(random, 1)];
    const sql = `select k, ${a} as x, case when ${b} then 'yes' when ${c} then k else 'no' end as y from ${TABLE} where ${b} or ${c} or v is null order by v`;
    const given: Arguments = {
      s: random.pick([null, '', 'a', 'b', "o'b"]),
      t: random.pick([null, '', 'a', 'b']),
      n: random.pick([null, 0, 1, 2, -3, 9007199254740993n]),
      b: random.pick([null, true, false]),
    };
    if (await sameRows(sql, given)) shorter++;
  }
  expect(shorter).toBeGreaterThan(50);
});

test('numbers and texts of every kind are the same SQL after the tree was stored as text', () => {
  const sql =
    "select v - -1 as a, 0.5 * -0.0 as b, cast('nan' as float64) + cast('-inf' as float64) as c, 9223372036854775807 as d, -9007199254740993 - v as e, if(@s = 'a', v, -9007199254740993) as f, if(@n = 7, 1, 2) as h, 'it\\'s \\x01\\u2028 ☃' as g from unnest([1]) as v";
  const translation = translated(sql);
  expect(printStatement(readStatement(translation.statement ?? ''))).toBe(translation.sql);
  expect(bind(translation, { ...NONE, n: '7' }).sql).toBe(bind(translation, { ...NONE, n: 7n }).sql);
  expect(bind(translation, { ...NONE, n: '7' }).sql).not.toContain('{n:');
});

test('a key of shards is hidden and its groups are counted only where the arguments may make it constant', () => {
  const sql = `select case @n when 1 then timestamp_trunc(moment, hour) when 2 then moment end as h, count(*) as c
    from all_events group by h order by h`;
  const translation = translateSpecializable(sql, { sources: EVENT_SOURCES, parameters: PARAMETERS, instant: 'parameter' });
  expect(oneLine(translation.sql)).toContain('materialize(');
  for (const n of [1, 2]) expect(oneLine(bind(translation, { ...NONE, n }).sql)).not.toMatch(/materialize|HAVING/);
  expect(oneLine(bind(translation, { ...NONE, n: 3 }).sql)).toMatch(/materialize.*HAVING count\(\) > 0/);
});
