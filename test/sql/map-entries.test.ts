// Entries of maps: of each type that such a column may have, there, empty, NULL and not there.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EmbeddedEngine, openEmbedded } from '../../src/engine/embedded/embedded.ts';
import { arrayOf, BOOL, FLOAT64, INT64, recordOf, STRING } from '../../src/sql/base/types.ts';
import { translate } from '../../src/sql/index.ts';
import type { Source, SourceCatalog } from '../../src/sql/source.ts';
import { type TempFolder, tempFolder } from '../support/temp-store.ts';

const TYPES = {
  plain: 'Map(String, String)',
  'keys of low cardinality': 'Map(LowCardinality(String), String)',
  'all of low cardinality': 'Map(LowCardinality(String), LowCardinality(String))',
  'values that may be NULL': 'Map(String, Nullable(String))',
  'values of low cardinality that may be NULL': 'Map(LowCardinality(String), LowCardinality(Nullable(String)))',
};
const MAPS = ["map('word', 'a', 'n', '7', 'x', '0.5', 'b', 'true')", "map('word', '', 'n', '', 'x', '', 'b', '')", 'map()'];

let data: TempFolder;
let engine: EmbeddedEngine;
beforeAll(async () => {
  data = tempFolder();
  engine = await openEmbedded({ path: data.path });
});
afterAll(async () => {
  await engine.close();
  data.remove();
});

function eventsIn(table: string): Source {
  const fields = Object.entries({ word: STRING, n: INT64, x: FLOAT64, b: BOOL }).map(([name, type]) => ({ name, type }));
  return {
    name: 'events',
    database: 'default',
    table,
    columns: [
      { name: 'id', type: INT64, read: { layout: 'column', column: 'id', clickhouseType: 'Int64' } },
      { name: 'owner', type: STRING, read: { layout: 'column', column: 'm', clickhouseType: 'Nullable(String)', key: 'word' } },
      { name: 'metadata', type: arrayOf(recordOf(fields)), read: { layout: 'map', column: 'm' } },
    ],
  };
}

describe.each(Object.entries(TYPES))('%s', (name, type) => {
  const table = name.replaceAll(' ', '_');
  const mayBeNull = type.includes('Nullable');
  const sources: SourceCatalog = { names: ['events'], find: () => eventsIn(table) };
  const rows = async (sql: string): Promise<readonly (readonly unknown[])[]> => {
    const translation = translate(sql, { sources });
    return (await engine.execute({ ...translation, bindings: [] })).rows;
  };
  beforeAll(async () => {
    await engine.command(`CREATE TABLE default.${table} (id Int64, m ${type}) ENGINE = MergeTree ORDER BY id`);
    const maps = mayBeNull ? [...MAPS, "map('word', NULL, 'n', NULL, 'x', NULL, 'b', NULL)"] : MAPS;
    await engine.command(`INSERT INTO default.${table} VALUES ${maps.map((map, i) => `(${i + 1}, ${map})`).join(', ')}`);
  });

  test('a condition that does not hold for an empty text does not ask whether the entry is there', async () => {
    const where = (condition: string) => `select e.id from events e where ${condition} order by e.id`;
    expect(await rows(where("e.owner = 'a' or e.owner in ('b', 'c')"))).toEqual([[1]]);
    expect(await rows(where("e.owner = '' or e.owner in ('', 'b')"))).toEqual([[2]]);
    expect(await rows(where("not (e.owner = 'b')"))).toEqual([[1], [2]]);
    expect(translate(where("e.owner = 'a' or e.owner in ('b', 'c')"), { sources }).sql).not.toContain('mapContains');
    expect(translate(where("not (e.owner = 'a')"), { sources }).sql).toContain('mapContains');
  });

  test.each([
    ["'a'", 1, 0],
    ["'^b|a'", 1, 0],
    ["r'^\\.?a'", 1, 0],
    ["'^.$'", 1, 0],
    ["'a+$'", 1, 0],
    ["''", 1, 1],
    ["'b|'", 1, 1],
    ["'b*'", 1, 1],
    ["'b?'", 1, 1],
    ["'^$'", 0, 1],
    ["'b{0,2}'", 1, 1],
    ["'(b|)'", 1, 1],
    ["'[b]*'", 1, 1],
    ["'^|b'", 1, 1],
  ])('an empty text that is there counts where %s finds it', async (pattern, inA, inEmpty) => {
    const found = `regexp_contains(e.owner, ${pattern})`;
    const sql = `select countif(${found}), sum(if(${found}, 1, 10)), sum(case when ${found} then 1 when e.owner is null then 100 end) from events e`;
    const absent = mayBeNull ? 2 : 1;
    const n = inA + inEmpty;
    expect(await rows(sql)).toEqual([[n, n + 10 * (2 + absent - n), n + 100 * absent]]);
  });

  test('conditions of counts and of CASE do not ask for the key either', () => {
    const asks = (value: string) => translate(`select ${value} from events e`, { sources }).sql.includes('mapContains');
    for (const condition of [
      "regexp_contains(e.owner, '^a|b')",
      "e.owner like 'a%'",
      "starts_with(e.owner, 'a')",
      "ends_with(e.owner, 'a')",
    ]) {
      expect([condition, asks(`countif(${condition})`), asks(`if(${condition}, 1, 2)`)]).toEqual([condition, false, false]);
      expect([condition, asks(`countif(not ${condition})`), asks(condition)]).toEqual([condition, true, true]);
    }
    const named = (condition: string) =>
      translate(
        `select n, countif(${condition}), countif(not ${condition}) from (select owner as o, id as n from events limit 9) group by 1`,
        {
          sources,
        },
      ).sql;
    expect(named("o like 'a%'")).toContain('mapContains');
    const repeated = translate(
      "with r as (select e.owner as o, m.n from events e, unnest(e.metadata) m) select n, countif(o like 'a%'), countif(o like 'b%') from r group by 1",
      { sources },
    ).sql;
    expect(repeated).not.toContain('mapContains');
    expect(repeated).not.toContain(' AS o');
    for (const condition of ["regexp_contains(e.owner, 'a|')", "e.owner like '%'", "starts_with(e.owner, '')"])
      expect([condition, asks(`countif(${condition})`)]).toEqual([condition, true]);
  });

  test('an empty text is there, one that is absent or NULL is NULL, and neither is a number or a boolean', async () => {
    expect(await rows('select e.id, e.owner, m.word, m.n, m.x, m.b from events e, unnest(metadata) m order by e.id')).toEqual([
      [1, 'a', 'a', 7, 0.5, true],
      [2, '', '', null, null, null],
      [3, null, null, null, null, null],
      ...(mayBeNull ? [[4, null, null, null, null, null]] : []),
    ]);
  });

  test('filters tell them apart', async () => {
    const ids = async (condition: string) =>
      (await rows(`select e.id from events e, unnest(metadata) m where ${condition} order by e.id`)).flat();
    expect(await ids("m.word = ''")).toEqual([2]);
    expect(await ids("owner = ''")).toEqual([2]);
    expect(await ids("m.word != 'a'")).toEqual([2]);
    expect(await ids('m.word is null')).toEqual(mayBeNull ? [3, 4] : [3]);
    expect(await ids("regexp_contains(m.word, '')")).toEqual([1, 2]);
    expect(await ids('m.n is null and m.x is null and m.b is null')).toEqual(mayBeNull ? [2, 3, 4] : [2, 3]);
  });

  test('an entry is read without the others', async () => {
    const { sql } = translate('select max(m.n) as n from events e, unnest(metadata) m', { sources });
    expect(sql).toBe(`SELECT maxOrNull(toInt64OrNull(m['n'])) AS n\nFROM default.${table}`);
    const tree = (await engine.rows(`EXPLAIN QUERY TREE dump_tree = 0, dump_ast = 1 ${sql}`)).flat().join('\n');
    expect(/`m\.[^`]*`/g.exec(tree)?.[0]).toBe('`m.key_n`');
  });
});
