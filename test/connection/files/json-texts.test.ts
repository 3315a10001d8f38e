// Columns of NDJSON and JSON that are declared as JSON: each value is the JSON that the file has, texts among them.
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { type FilesHome, filesHome } from './support.ts';

const home: FilesHome = filesHome();
afterAll(() => home.remove());

const project = (settings: string) => home.write('quern.yaml', `sources:\n  t: ${settings}\n`);
const rows = async (columns = 'id, doc'): Promise<readonly unknown[]> =>
  (await home.rows(`select ${columns} from t order by id`))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const VALUES = ['"text"', '1.50', '{"a": "1"}', 'null', '"7"', '7', '"{\\"a\\":1}"', '[1,"x"]', 'true', '""', '"two\\nlines"'];
const LINES = VALUES.map((value, id) => `{"id":${id},"doc":${value}}\n`).join('');
const READ = VALUES.map((value, id) => ({ id, doc: JSON.parse(value) }));
const TYPES = 'id, json_type(doc) as kind';
const KINDS = ['string', 'number', 'object', null, 'string', 'number', 'string', 'array', 'boolean', 'string', 'string'];

test.each([
  ['lines', 'a.ndjson', LINES],
  ['lines that are compressed', 'a.ndjson.gz', gzipSync(LINES)],
  ['a document', 'a.json', `[${LINES.trim().replaceAll('\n', ',\n').replaceAll('"doc":', '"doc": \n')}]`],
])('%s', async (_, name, content) => {
  home.write(name, content);
  project(`{ file: ${name}, schema: "doc:JSON" }`);
  expect(await rows()).toEqual(READ);
  expect(await rows(TYPES)).toEqual(KINDS.map((kind, id) => ({ id, kind })));
});

test('of records and lists, and under a name that is written with escapes', async () => {
  home.write('n.ndjson', '{"id":1,"o":{"j":"1","n":2},"docs":["1",1,{"a":"b"}],"gr\\u00f6\\u00dfe":"5"}\n{"id":2,"o":null,"docs":[]}\n');
  project('{ file: n.ndjson, schema: "o:STRUCT<j JSON, n INT64>, docs:ARRAY<JSON>, größe:JSON" }');
  expect(await rows('*')).toEqual([
    { id: 1, o: { j: '1', n: 2 }, docs: ['1', 1, { a: 'b' }], größe: '5' },
    { id: 2, o: null, docs: [], größe: null },
  ]);
});

test('a file that has changed since, and one of a project that reads nothing outside of its folder', async () => {
  home.write('c.ndjson', '{"id":1,"doc":"1"}\n');
  project('{ file: c.ndjson, schema: "doc:JSON" }');
  expect(await rows()).toEqual([{ id: 1, doc: '1' }]);
  home.write('c.ndjson', '{"id":1,"doc":1}\n{"id":2,"doc":"two"}\n');
  expect(await rows()).toEqual([
    { id: 1, doc: 1 },
    { id: 2, doc: 'two' },
  ]);
});

test('a line that is not UTF-8 is told by both', async () => {
  project('{ file: b.ndjson, schema: "doc:JSON" }');
  home.write('b.ndjson', Buffer.from('{"id":1,"doc":"1"}\n{"id":2,"doc":"Gr\xf6\xdfe"}\n', 'latin1'));
  const { stderr } = await home.query('select * from t');
  expect(stderr).toContain('b.ndjson:2: not UTF-8');
  const load = await home.run(['load', 'bad', 'b.ndjson', '--schema', 'doc:JSON']);
  expect([load.exitCode, load.stderr]).toEqual([1, expect.stringContaining('b.ndjson:2: not UTF-8')]);
});
