// Fields of nested records that the arguments make unread are not read: the SQL, and its rows beside those of the SQL for all arguments.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EmbeddedEngine, openEmbedded } from '../../src/engine/embedded/embedded.ts';
import { decodeRows } from '../../src/execution/decode.ts';
import { STRING } from '../../src/sql/base/types.ts';
import { bind } from '../../src/sql/compile/specialize.ts';
import { translateSpecializable } from '../../src/sql/index.ts';
import type { Translation } from '../../src/sql/translation.ts';
import { type TempFolder, tempFolder } from '../support/temp-store.ts';
import { createEvents, EVENT_SOURCES } from './events.ts';

let folder: TempFolder;
let engine: EmbeddedEngine;
beforeAll(async () => {
  folder = tempFolder();
  engine = await openEmbedded({ path: folder.path });
  await createEvents(engine);
});
afterAll(async () => {
  await engine.close();
  folder.remove();
});

const translated = (sql: string) => translateSpecializable(sql, { sources: EVENT_SOURCES, parameters: { s: STRING } });

test('an element of a record that no condition asks for any more', () => {
  const translation = translated(
    'select v.id, m.number from visits as v, unnest(v.metadata) as m where @s is null or m.owner = @s order by 1',
  );
  expect(bind(translation, { s: null })).toMatchObject({
    sql: `SELECT id, number_2 AS number
FROM default.visits
ARRAY JOIN arrayResize(metadata.number, greatest(length(metadata.number), 1)) AS number_2
ORDER BY id`,
    parameters: [],
  });
});

test('of elements that nobody reads one stays for the number of rows', () => {
  const translation = translated(
    "select v.id from visits as v, unnest(v.metadata) as m, unnest(m.request) as r where @s is null or r.path = @s or r.verb = 'PUT' order by 1",
  );
  expect(bind(translation, { s: null }).sql.split('\n').slice(-2)).toEqual(['ARRAY JOIN path AS path_2', 'ORDER BY id']);
});

test.each([
  'select v.id, m.number from visits as v, unnest(v.metadata) as m where @s is null or m.owner = @s order by 1, 2',
  "select v.id, r.verb from visits as v, unnest(v.metadata) as m, unnest(m.request) as r where coalesce(@s, '') = '' or r.path = @s order by 1, 2",
  'select v.id from visits as v, unnest(v.metadata) as m left join unnest(m.request) as r on true where @s is null or r.path = @s or m.owner = @s order by 1',
  "select count(*) as n from visits as v, unnest(v.metadata) as m, unnest(m.request) as r where @s is null or r.path = @s or r.verb = 'PUT'",
  'select v.id, nth from visits as v, unnest(v.metadata) as m with offset as nth where @s is null or m.owner = @s order by 1, 2',
])('the rows are those of the SQL for all: %s', async (sql) => {
  const translation = translated(sql);
  for (const s of ['bob', '/a', '/b', '', null]) {
    const rows = await rowsOf(translation, bind(translation, { s }), s);
    expect([s, rows]).toEqual([s, await rowsOf(translation, translation, s)]);
  }
});

async function rowsOf({ columns, settings }: Translation, form: Pick<Translation, 'sql' | 'parameters'>, s: string | null) {
  const bindings = form.parameters.map(({ name, type }) => ({ name, type, value: s }));
  return decodeRows(columns, await engine.execute({ sql: form.sql, bindings, settings }));
}
