// `records: one`: fields are read from the one record of each array, and a second record anywhere is a failure, never a lost value.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EmbeddedEngine, openEmbedded } from '../../src/engine/embedded/embedded.ts';
import { arrayOf, INT64, recordOf, STRING } from '../../src/sql/base/types.ts';
import { translate } from '../../src/sql/index.ts';
import type { NestedField } from '../../src/sql/layouts/nested/read.ts';
import type { Source } from '../../src/sql/source.ts';
import { tempFolder } from '../support/temp-store.ts';
import { failureOf } from '../support/told.ts';

const leaf = (clickhouseType: string): NestedField => ({ kind: 'leaf', clickhouseType });
const record = (fields: Readonly<Record<string, NestedField>>): NestedField => ({ kind: 'record', repeated: true, fields });
const DEEP = { text: leaf('LowCardinality(Nullable(String))'), tags: leaf('Array(String)') };
const INNER = { size: leaf('Int32'), deep: record(DEEP) };
const TABLE: Source = {
  name: 'chests',
  database: 'default',
  table: 'chests',
  columns: [
    {
      name: 'metadata',
      type: arrayOf(
        recordOf([
          { name: 'name', type: STRING },
          {
            name: 'inner',
            type: arrayOf(
              recordOf([
                { name: 'size', type: INT64 },
                {
                  name: 'deep',
                  type: arrayOf(
                    recordOf([
                      { name: 'text', type: STRING },
                      { name: 'tags', type: arrayOf(STRING) },
                    ]),
                  ),
                },
              ]),
            ),
          },
        ]),
      ),
      read: {
        layout: 'nested',
        column: 'metadata',
        oneElement: true,
        record: { kind: 'record', repeated: true, fields: { name: leaf('Nullable(String)'), inner: record(INNER) } },
      },
    },
  ],
};

const folder = tempFolder();
let engine: EmbeddedEngine;
beforeAll(async () => {
  engine = await openEmbedded({ path: folder.path });
  await engine.command(
    `CREATE TABLE chests (metadata Array(Tuple(name Nullable(String), inner Array(Tuple(size Int32, deep Array(Tuple(text LowCardinality(Nullable(String)), tags Array(String))))))))
     ENGINE = MergeTree ORDER BY tuple()`,
  );
});
afterAll(async () => {
  await engine.close();
  folder.remove();
});

const FIELDS = {
  name: 'm.name',
  size: 'i.size',
  text: 'd.text',
  tags: "array_to_string(d.tags, '+')",
  record: 'd',
} as const;

async function read(field: keyof typeof FIELDS, value: string): Promise<unknown> {
  await engine.command('TRUNCATE TABLE chests');
  await engine.command(`INSERT INTO chests VALUES ([('other', [(1, [('x', ['y'])])])]), (${value})`);
  const joins = 'left join unnest(metadata) m on true left join unnest(m.inner) i on true left join unnest(i.deep) d on true';
  const { sql, settings } = translate(`select ${FIELDS[field]} as v from chests ${joins}`, {
    sources: { names: ['chests'], find: (name) => (name === 'chests' ? TABLE : undefined) },
  });
  const { rows } = await engine.execute({ sql, bindings: [], settings: { ...settings, max_threads: 1 } });
  return rows[1]?.[0];
}

describe('a value', () => {
  test.each([
    ['name', "[('a', [])]", 'a'],
    ['name', '[]', null],
    ['name', '[(NULL, [])]', null],
    ['size', "[('a', [(7, [])])]", 7],
    ['size', "[('a', [])]", null],
    ['text', "[('a', [(7, [('t', [])])])]", 't'],
    ['text', "[('a', [(7, [])])]", null],
    ['text', "[('a', [])]", null],
    ['text', '[]', null],
    ['tags', "[('a', [(7, [('t', ['u', 'v'])])])]", 'u+v'],
    ['tags', "[('a', [(7, [])])]", ''],
    ['record', "[('a', [(7, [(NULL, ['u'])])])]", '{"tags":["u"]}'],
  ] as const)('%s of %s', async (field, value, expected) => {
    expect(await read(field, value)).toEqual(expected);
  });
});

const DENIED = 'a record has several elements, but quern.yaml says "records: one"';

describe('a second record is told', () => {
  test.each([
    ['name', 'metadata.name', "[('a', []), ('b', [])]"],
    ['size', 'metadata.inner.size', "[('a', [(7, []), (8, [])])]"],
    ['size', 'metadata.inner.size', "[('a', [(7, [])]), ('b', [])]"],
    ['size', 'metadata.inner.size', "[('a', []), ('b', [])]"],
    ['text', 'metadata.inner.deep.text', "[('a', [(7, [('t', []), ('u', [])])])]"],
    ['text', 'metadata.inner.deep.text', "[('a', [(7, []), (8, [])])]"],
    ['text', 'metadata.inner.deep.text', "[('a', []), ('b', [(7, [('t', [])])])]"],
    ['tags', 'metadata.inner.deep.tags', "[('a', [(7, [('t', []), ('u', [])])])]"],
    ['tags', 'metadata.inner.deep.tags', "[('a', [(7, [('t', [])]), (8, [])])]"],
    ['record', 'metadata.inner.deep', "[('a', [(7, [('t', []), ('u', [])])])]"],
    ['record', 'metadata.inner.deep', "[('a', [(7, [('t', [])]), (8, [])])]"],
    ['record', 'metadata.inner.deep', "[('a', [(7, [('t', [])])]), ('b', [])]"],
  ] as const)('reading %s (%s) of %s', async (field, path, value) => {
    expect(await failureOf(read(field, value))).toMatchObject({ code: 'data', message: `the query failed: ${path}: ${DENIED}` });
  });
});
