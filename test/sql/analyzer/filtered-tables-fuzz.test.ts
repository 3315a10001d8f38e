// Random WITH tables that are said to be filtered by a parameter: they show the same whatever rows of other projects there are.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { QuernError } from '../../../src/base/errors.ts';
import { type EmbeddedEngine, openEmbedded } from '../../../src/engine/embedded/embedded.ts';
import { INT64, STRING } from '../../../src/sql/base/types.ts';
import { translateSpecializable } from '../../../src/sql/index.ts';
import type { Source, SourceCatalog } from '../../../src/sql/source.ts';
import { type Random, seeded } from '../fuzz/random.ts';

const NAMES = ['logs', 'errors'];
/** `here` and `there` differ in the rows of projects other than mine. */
const sourcesOf = (place: string): SourceCatalog => ({
  names: NAMES,
  find: (name): Source | undefined =>
    NAMES.includes(name)
      ? {
          name,
          database: 'default',
          table: `${place}_${name}`,
          columns: [
            { name: 'id', type: INT64, read: { layout: 'column', column: 'id', clickhouseType: 'Int64' } },
            { name: 'project', type: STRING, read: { layout: 'column', column: 'project', clickhouseType: 'Nullable(String)' } },
          ],
        }
      : undefined,
});
const mine = (name: string) => (name === 'logs' ? [1, 2, 3] : [2, 3, 4]).map((id) => `(${id}, 'mine')`);
const ROWS: Readonly<Record<string, (name: string) => readonly string[]>> = {
  here: (name) => [...mine(name), "(1, 'other')", "(5, 'third')", '(2, NULL)', "(9, '')"],
  there: (name) => [...mine(name), "(3, 'another')", "(7, 'another')", "(2, 'minet')"],
};

/** A condition on the columns of `t`; some hold `project` to the parameter. */
function condition(random: Random, t: string, other: string | undefined): string {
  const test = (): string =>
    random.pick([
      `${t}.project = @p`,
      `@p = ${t}.project`,
      `${t}.project in (@p)`,
      `(@p is null or ${t}.project = @p)`,
      `(@q is null or ${t}.project = @p)`,
      `(${t}.project = @p or @p = '')`,
      `lower(${t}.project) = @p`,
      `if(@p = '', true, ${t}.project = @p)`,
      `ifnull(${t}.project = @p, ${random.pick(['true', 'false'])})`,
      `${t}.project = (select wanted from params)`,
      `not ${t}.project != @p`,
      `${t}.project != @p`,
      `(${t}.project = @p or ${t}.id = 2)`,
      `${t}.id > 1`,
      'true',
      `exists (select 1 from ${random.pick([...NAMES, 'w0'])} as s where s.id = ${t}.id and ${random.pick([`s.project = ${t}.project`, 's.project = @p', 'true'])})`,
      ...(other === undefined ? [] : [`${t}.project = ${other}.project`, `${t}.id = ${other}.id`, `${other}.project = @p`]),
    ]);
  return Array.from({ length: 1 + random.below(3) }, test).join(random.chance(0.85) ? ' and ' : ' or ');
}

/** A query with the columns `id` and `project`. */
function query(random: Random, tables: readonly string[], depth: number): string {
  const from = (): string => (depth > 0 && random.chance(0.55) ? `(${query(random, tables, depth - 1)})` : random.pick(tables));
  const where = (): string => (random.chance(0.6) ? ` where ${condition(random, 'a', undefined)}` : '');
  switch (random.below(11)) {
    case 0:
    case 1:
    case 2:
      return `select a.id, a.project from ${from()} as a${where()}`;
    case 3: {
      const side = random.pick(['a', 'b']);
      const join = random.pick(['join', 'left join', 'right join', 'full join']);
      const on = condition(random, 'a', 'b');
      return `select ${side}.id, ${random.pick(['a', 'b'])}.project from ${from()} as a ${join} ${from()} as b on ${on}${where()}`;
    }
    case 4:
      return `select a.id, project from ${from()} as a ${random.pick(['join', 'left join'])} ${from()} as b using (project)${where()}`;
    case 5:
      return `select count(*) as id, a.project from ${from()} as a${where()} group by a.project${random.chance(0.5) ? ' having project = @p' : ''}`;
    case 6:
      return `select count(*) as id, ${random.pick(['max(a.project)', '@p'])} as project from ${from()} as a${where()}`;
    case 7: {
      const partition = random.pick(['partition by a.project', 'partition by a.id', '', 'partition by a.project, a.id']);
      return `select count(*) over (${partition}) as id, a.project from ${from()} as a${where()}`;
    }
    case 8:
      return `select distinct a.id, a.project from ${from()} as a${where()}`;
    case 9:
      return `select a.id, a.project from ${from()} as a${where()} order by a.id, a.project limit 2`;
    default: {
      const operator = random.pick(['union all', 'union distinct', 'except distinct', 'intersect distinct']);
      return `(${query(random, tables, depth - 1)}) ${operator} (${query(random, tables, depth - 1)})`;
    }
  }
}

function savedQuery(random: Random): string {
  const tables = ["params as (select @p as wanted, 'mine' as id, @p as project)"];
  const names: string[] = [...NAMES];
  for (let i = 0; i < 1 + random.below(3); i++) {
    const text = query(random, names, 1 + random.below(3)).replaceAll('w0', i > 0 ? 'w0' : 'logs');
    tables.push(`w${i} as (${text})`);
    names.push(`w${i}`, `w${i}`);
  }
  return `with ${tables.join(',\n')}\nselect to_json_string(array_agg(struct(id, project) order by id, project)) as rows_of_all from ${names.at(-1)}`;
}

let folder: string;
let engine: EmbeddedEngine;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quern-filtered-'));
  engine = await openEmbedded({ path: join(folder, 'data') });
  for (const [place, rows] of Object.entries(ROWS)) {
    for (const name of NAMES) {
      await engine.command(`CREATE TABLE default.${place}_${name} (id Int64, project Nullable(String)) ENGINE = MergeTree ORDER BY id`);
      await engine.command(`INSERT INTO default.${place}_${name} VALUES ${rows(name).join(', ')}`);
    }
  }
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Undefined where the engine, or the translator, does not take the query. */
async function answer(text: string, place: string) {
  const { sql, parameters, settings, filteredBy } = translateSpecializable(
    text,
    { sources: sourcesOf(place), parameters: { p: STRING, q: STRING } },
    { sandbox: true },
  );
  const bindings = parameters.map(({ name, type }) => ({ name, type, value: name === 'p' ? 'mine' : null }));
  const { rows } = await engine.execute({ sql, bindings, settings });
  return { isFiltered: filteredBy?.includes('p') === true, rows: JSON.stringify(rows) };
}

test('no row of another project has a part in them', async () => {
  const first = Number(process.env['FIRST_SEED'] ?? 1);
  const count = Number(process.env['SEEDS'] ?? 60);
  const tally = { filtered: 0, differing: 0, refused: 0 };
  for (let seed = first; seed < first + count; seed++) {
    const text = savedQuery(seeded(seed));
    try {
      const [here, there] = [await answer(text, 'here'), await answer(text, 'there')];
      if (here.rows !== there.rows) tally.differing++;
      if (!here.isFiltered) continue;
      tally.filtered++;
      expect(here.rows, `seed ${seed}: ${text}`).toBe(there.rows);
    } catch (error) {
      if (!(error instanceof QuernError)) throw error;
      tally.refused++;
    }
  }
  if (process.env['SEEDS'] !== undefined) console.log(tally);
  expect(tally.filtered).toBeGreaterThan(count / 8);
  expect(tally.differing).toBeGreaterThan(count / 8);
});
