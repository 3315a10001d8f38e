// Text that is not UTF-8 fails the query that reads it, with its line, and is never shown with other characters.
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { type FilesHome, filesHome } from './support.ts';

const home: FilesHome = filesHome();
afterAll(() => home.remove());

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');
const project = (settings: string) => home.write('quern.yaml', `sources:\n  t: ${settings}\n`);
const failure = async (sql = 'select * from t') => {
  const { stderr, stdout } = await home.query(sql);
  expect(stdout).toBe('');
  return stderr.split('\n')[0];
};

test('of CSV, plain, compressed, and in one of several files', async () => {
  home.write('l.csv', latin(`id,text\n1,a\n2,"\n\xdf"\n3,b\n`));
  project('{ file: l.csv }');
  expect(await failure()).toBe('error[data]: l.csv:4: not UTF-8');
  expect(await failure("select count(*) as n from t where text = 'b'")).toBe('error[data]: l.csv:4: not UTF-8');
  expect(await home.rows('select sum(id) as s from t')).toBe('{"s":6}\n');
  home.write('l.csv.gz', gzipSync(latin('id,text\n1,\xdf\n')));
  project('{ file: l.csv.gz }');
  expect(await failure()).toBe('error[data]: l.csv.gz:2: not UTF-8');
  home.write('many/a.csv', 'id,text\n1,ä\n');
  home.write('many/b.csv', latin('id,text\n2,\xdf\n'));
  project('{ file: many/*.csv }');
  expect(await failure()).toBe('error[data]: many/b.csv:2: not UTF-8');
  expect(await home.rows("select text from t where _FILE_NAME = 'many/a.csv'")).toBe('{"text":"ä"}\n');
  const { stderr } = await home.query('select * from t');
  expect(stderr).toContain('name the encoding of the file, such as encoding: ISO-8859-1');
});

test('of JSON, in texts, lists, objects, and halves of characters', async () => {
  for (const bad of ['"\xdf"', '["a","\xdf"]', '{"s":"\xdf"}', '[{"n":1,"s":"\xdf"}]']) {
    const good = bad.replace('\xdf', 'ok');
    home.write('j.ndjson', latin(`{"id":1,"v":${good}}\n{"id":2,"v":${bad}}\n`));
    project('{ file: j.ndjson }');
    expect([bad, await failure('select v from t')]).toEqual([bad, 'error[data]: j.ndjson:2: not UTF-8']);
    expect(await home.rows('select sum(id) as s from t')).toBe('{"s":3}\n');
  }
  home.write('j.ndjson', '{"id":1,"v":"a"}\n\n{"id":2,"v":"\\ud800"}\n');
  project('{ file: j.ndjson, schema: "id:INT64, v:STRING" }');
  expect((await home.query('select v from t')).stderr).toContain('j.ndjson:3: v: a text is not UTF-8: it has half of a character');
});

test('of a header', async () => {
  home.write('h.csv', latin('id,gr\xfc\xdfe\n1,a\n'));
  project('{ file: h.csv }');
  expect(await failure('select id from t')).toContain('h.csv:1: not UTF-8');
  home.write('h.csv', 'id,gr\ufffd\n1,a\n');
  expect(await home.rows('select * from t')).toBe('{"id":1,"gr\ufffd":"a"}\n');
});

test('of log events, of JSON that is declared, and of a path in FROM', async () => {
  home.write('e.ndjson', latin('{"id":"1","timestamp":"2026-01-02T03:04:05Z","event_message":"\xdf","metadata":{"a":"b"}}\n'));
  home.write('quern.yaml', 'sources:\n  edge_logs: { file: e.ndjson }\n');
  expect(await failure('select event_message from edge_logs')).toBe('error[data]: e.ndjson:1: not UTF-8');
  home.write('d.ndjson', latin('{"v":{"a":"\xdf"}}\n'));
  project('{ file: d.ndjson, schema: v:JSON }');
  expect(await failure('select v from t')).toBe('error[data]: d.ndjson:1: not UTF-8');
  const { stderr } = await home.run(['query', 'select * from `l.csv`']);
  expect(stderr).toContain('l.csv:4: not UTF-8');
  expect(stderr).toContain('--encoding ISO-8859-1');
});
