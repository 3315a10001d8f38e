// Values read from JSON texts, against a plain reading of the same trees: records as objects or arrays of one, each for itself, and whatever else stands there.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seededRandom } from '../../../src/cli/demo/random.ts';
import { type EmbeddedEngine, openEmbedded } from '../../../src/engine/embedded/embedded.ts';
import { arrayOf, INT64, recordOf, STRING } from '../../../src/sql/base/types.ts';
import { translate } from '../../../src/sql/index.ts';
import type { Source } from '../../../src/sql/source.ts';
import { tempFolder } from '../../support/temp-store.ts';
import { failureOf } from '../../support/told.ts';

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
type Path = readonly string[];

const DEEP = arrayOf(recordOf([{ name: 'd', type: STRING }]));
const BOX = arrayOf(
  recordOf([
    { name: 'b', type: STRING },
    { name: 'c', type: STRING },
    { name: 'deep', type: DEEP },
  ]),
);
const ODD = arrayOf(recordOf([{ name: '$[0]', type: STRING }]));
const METADATA = arrayOf(
  recordOf([
    { name: 'a', type: STRING },
    { name: 'box', type: BOX },
    { name: 'side', type: arrayOf(recordOf([{ name: 'e', type: STRING }])) },
    { name: 'o\'"`\\.d', type: ODD },
  ]),
);
const SOURCE: Source = {
  name: 'texts',
  database: 'default',
  table: 'texts',
  columns: [
    { name: 'id', type: INT64, read: { layout: 'column', column: 'id', clickhouseType: 'Int64' } },
    { name: 'metadata', type: METADATA, read: { layout: 'text', column: 'metadata' } },
  ],
};

const COLUMNS = {
  a: { sql: 'm.a', path: ['a'] },
  b: { sql: 'x.b', path: ['box', 'b'] },
  c: { sql: 'x.c', path: ['box', 'c'] },
  d: { sql: 'y.d', path: ['box', 'deep', 'd'] },
  e: { sql: 's.e', path: ['side', 'e'] },
} as const;
type Name = keyof typeof COLUMNS;
const NAMES: readonly Name[] = ['a', 'b', 'c', 'd', 'e'];
const JOINS = `left join unnest(metadata) m on true left join unnest(m.box) x on true left join unnest(x.deep) y on true
  left join unnest(m.side) s on true`;

// ---- texts ------------------------------------------------------------------------------------------------------------------------------

const random = seededRandom(41);
/** Values with what arrays, records, escapes and second elements look like. */
const VALUES: readonly Json[] = [
  ...[null, '', 's', '[', '[{"b": 1}, null]', 'like, null', 'x", {"y', '\\"', 'null', '5', 'é\n日本', 'x]', ', ['],
  ...[5, -1.5, true, false, {}, { b: 'in' }, [], ['x', null], [{ d: 'n' }, 'z'], { a: [1, 2] }],
];
/** What stands where a record is looked for: not one record as an object or in an array. */
const NO_RECORDS: readonly Json[] = [
  null,
  7,
  'text',
  true,
  [],
  [null],
  [7],
  ['text'],
  [[]],
  [[{ a: '1', b: '2', d: '3', e: '4' }]],
  [{}],
  {},
];

const leaf = (): Json => random.pick(VALUES);
/** Now and then absent. */
const member = (key: string, value: Json): readonly (readonly [string, Json])[] => (random.chance(0.2) ? [] : [[key, value]]);
const wrapped = (record: Json): Json => (random.chance(0.5) ? record : [record]);
const standing = (record: () => Json): Json => {
  if (random.chance(0.15)) return random.pick(NO_RECORDS);
  return wrapped(record());
};
const deep = (): Json => Object.fromEntries([...member('d', leaf()), ...member('tags', leaf())]);
const box = (): Json =>
  Object.fromEntries([...member('c', leaf()), ...member('tags', leaf()), ...member('deep', standing(deep)), ...member('b', leaf())]);
const side = (): Json => Object.fromEntries([...member('z', leaf()), ...member('e', leaf())]);
const event = (): Json =>
  Object.fromEntries([
    ...member('other', leaf()),
    ...member('box', standing(box)),
    ...member('a', leaf()),
    ...member('side', standing(side)),
  ]);

/** JSON text with white space between any two signs. */
function spaced(value: Json): string {
  const space = (): string => random.pick(['', '', ' ', '\n', ' \t']);
  const list = (items: readonly string[]): string => items.map((item) => `${space()}${item}${space()}`).join(',');
  if (Array.isArray(value)) return `[${list(value.map(spaced))}]`;
  if (typeof value !== 'object' || value === null) return random.chance(0.2) ? escaped(value) : JSON.stringify(value);
  return `{${list(Object.entries(value).map(([key, held]) => `${JSON.stringify(key)}${space()}:${space()}${spaced(held)}`))}}`;
}
const escaped = (value: Json): string =>
  JSON.stringify(value).replaceAll(/n(?=[^"]*"$)/g, (letter, at, all) => (all[0] === '"' && all[at - 1] !== '\\' ? '\\u006e' : letter));

interface Text {
  readonly text: string | null;
  readonly tree: Json;
}
const EVENTS: readonly Text[] = [
  ...[null, '', ' ', 'no JSON', '{"a": "1"', '{"a": 1} {"a": 2}', '[{"a": 1}', '{"a": 1}, null', '\u00a0[{"a": 1}]'].map((text) => ({
    text,
    tree: null,
  })),
  ...NO_RECORDS.map((tree) => ({ text: spaced(tree), tree })),
  ...Array.from({ length: 600 }, () => {
    const tree = wrapped(event());
    return { text: random.pick(['', '', ' ', '\n\t ']) + (random.chance(0.5) ? JSON.stringify(tree) : spaced(tree)), tree };
  }),
];
const SECONDS: readonly Json[] = [null, 7, 'text', {}, [], { a: '8', b: '8', d: '8', e: '8' }];
/** Events in which one of the records holds several elements. */
const SEVERAL: readonly Json[] = ([[], ['box'], ['box', 'deep'], ['side']] as const).flatMap((place) =>
  SECONDS.flatMap((second) => [
    ...[[second], [null, { a: '9', b: '9', d: '9', e: '9' }], ['x', second]].map((more) =>
      withSeveral(place, { a: '1', b: '2', d: '3', e: '4' }, more),
    ),
    withSeveral(place, second, [second]),
  ]),
);
function withSeveral(place: Path, first: Json, more: readonly Json[]): Json {
  const at = (here: Path): Json => {
    if (here.length === place.length) return [first, ...more];
    return wrapped({ a: 'a', b: 'b', e: 'e', [place[here.length] ?? '']: at(place.slice(0, here.length + 1)) });
  };
  return at([]);
}

// ---- the plain reading ------------------------------------------------------------------------------------------------------------------

const isObject = (value: Json | undefined): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const only = (value: Json | undefined): Json | undefined => (Array.isArray(value) ? value[0] : value);

function reading(tree: Json, path: Path): string | null {
  const value = path.reduce<Json | undefined>((at, key) => {
    const record = only(at);
    return isObject(record) ? record[key] : undefined;
  }, tree);
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The path of the first record on the way to one of `paths` that holds several elements. */
function firstSeveral(tree: Json, paths: readonly Path[]): Path | undefined {
  const records = paths.flatMap((path) => path.map((_key, i) => path.slice(0, i))).sort((x, y) => x.length - y.length);
  return records.find((record) => {
    const found = record.reduce<Json | undefined>(
      (at, key) => (isObject(only(at)) ? (only(at) as { [key: string]: Json })[key] : undefined),
      tree,
    );
    return Array.isArray(found) && found.length > 1;
  });
}

// ---- the engine -------------------------------------------------------------------------------------------------------------------------

const folder = tempFolder();
let engine: EmbeddedEngine;
beforeAll(async () => {
  engine = await openEmbedded({ path: folder.path });
  await engine.command('CREATE TABLE texts (id Int64, metadata Nullable(String)) ENGINE = MergeTree ORDER BY id');
});
afterAll(async () => {
  await engine.close();
  folder.remove();
});

async function fill(texts: readonly (string | null)[]): Promise<void> {
  await engine.command('TRUNCATE TABLE texts');
  const value = (text: string | null): string => (text === null ? 'NULL' : `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`);
  await engine.command(`INSERT INTO texts VALUES ${texts.map((text, id) => `(${id}, ${value(text)})`).join(', ')}`);
}

async function query(sql: string): Promise<readonly (readonly unknown[])[]> {
  const translated = translate(sql, { sources: { names: ['texts'], find: (name) => (name === 'texts' ? SOURCE : undefined) } });
  const { rows } = await engine.execute({ sql: translated.sql, bindings: [], settings: translated.settings });
  return rows;
}
const values = (names: readonly Name[], rest = '') =>
  query(`select ${names.map((name) => `${COLUMNS[name].sql} as ${name}`).join(', ')} from texts ${JOINS} ${rest} order by id`);

const GROUPS = ['a', 'b', 'd', 'ab', 'bc', 'bd', 'abcde'] as const;
const namesIn = (group: (typeof GROUPS)[number]): readonly Name[] => NAMES.filter((name) => group.includes(name));
const told = (path: Path): string =>
  `the query failed: ${['metadata', ...path].join('.')} holds several records: set "records: several" for its source in quern.yaml`;

describe('the values are those of a plain reading', () => {
  beforeAll(() => fill(EVENTS.map(({ text }) => text)));

  test.each(GROUPS)('%s', async (group) => {
    const names = namesIn(group);
    const expected = EVENTS.map(({ text, tree }) => ({ text, values: names.map((name) => reading(tree, COLUMNS[name].path)) }));
    const rows = await values(names);
    expect(EVENTS.map(({ text }, i) => ({ text, values: rows[i] }))).toEqual(expected);
  });

  test.each(GROUPS)('%s, where the first one filters', async (group) => {
    const names = namesIn(group);
    const [first = 'a'] = names;
    const read = (tree: Json): (string | null)[] => names.map((name) => reading(tree, COLUMNS[name].path));
    const expected = EVENTS.map(({ tree }) => read(tree)).filter(([value]) => value != null && value !== '5');
    expect(await values(names, `where id >= 0 and ${COLUMNS[first].sql} != '5'`)).toEqual(expected);
  });
});

describe('a record of several elements fails where it is on the way to a value', () => {
  const texts = SEVERAL.map((tree) => (random.chance(0.5) ? JSON.stringify(tree) : spaced(tree)));
  beforeAll(() => fill(texts));

  test.each(GROUPS)('%s', async (group) => {
    const names = namesIn(group);
    const paths: readonly Path[] = names.map((name) => COLUMNS[name].path);
    for (const [id, tree] of SEVERAL.entries()) {
      const several = firstSeveral(tree, paths);
      const rows = values(names, `where id = ${id}`);
      if (several === undefined) expect(await rows, texts[id]).toEqual([paths.map((path) => reading(tree, path))]);
      else expect(await failureOf(rows), texts[id]).toMatchObject({ code: 'data', message: told(several) });
    }
  });
});

test('the first of equal keys counts', async () => {
  await fill(['{"a":"1","a":"2","box":{"b":"3"},"box":{"b":"4"}}', '[{"box":[{"b":"3","b":"5"}],"box":{"b":"4"}}]']);
  expect(await values(['a', 'b'])).toEqual([
    ['1', '3'],
    [null, '3'],
  ]);
});

test('no key of a text is mistaken for something else', async () => {
  const record = { '\\xFF': { b: 'x' }, 1: { b: 'x' }, b: 'right' };
  await fill([
    JSON.stringify({ box: record, '\\xFF': { box: record } }),
    JSON.stringify([{ box: [record] }]),
    JSON.stringify({ box: { '\\xFF': { b: 'x' } } }),
  ]);
  expect(await values(['b'])).toEqual([['right'], ['right'], [null]]);
});

describe('keys with signs', () => {
  const sql =
    'select o.`$[0]` as v from texts left join unnest(metadata) m on true left join unnest(m.`o\'"\\`\\\\.d`) o on true order by id';
  const key = 'o\'"`\\.d';
  test('are read', async () => {
    await fill([JSON.stringify({ [key]: { '$[0]': 'x' } }), JSON.stringify([{ [key]: [{ '$[0]': 'y' }] }])]);
    expect(await query(sql)).toEqual([['x'], ['y']]);
  });
  test('are told', async () => {
    await fill([JSON.stringify({ [key]: [{ '$[0]': 'x' }, null] })]);
    expect(await failureOf(query(sql))).toMatchObject({ code: 'data', message: told([key]) });
  });
});
