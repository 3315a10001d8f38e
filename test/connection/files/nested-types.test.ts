// Dates, exact numbers and bytes inside of records and lists of NDJSON, whose types `schema:` says.
import { afterAll, expect, test } from 'vitest';
import { type FilesHome, filesHome } from './support.ts';

const home: FilesHome = filesHome();
afterAll(() => home.remove());

const project = (settings: string) => home.write('quern.yaml', `sources:\n  t: ${settings}\n`);

test('are read as in columns of their own', async () => {
  home.write(
    'a.ndjson',
    '{"id":1,"o":{"n":"1.0000000005","b":"YWJj","d":"0999-12-31","s":"x"},"l":["2026-01-31T00:00:00+01:00"]}\n{"id":2,"o":{"n":2}}\n{"id":3}\n',
  );
  project('{ file: "*.ndjson", schema: "o:STRUCT<n NUMERIC, b BYTES, d DATE, s STRING>, l:ARRAY<TIMESTAMP>" }');
  expect(
    await home.rows('select id, o.n + 1 as n, to_hex(o.b) as b, o.d, o.s, l[safe_offset(0)] as w, _FILE_NAME as f from t order by id'),
  ).toBe(
    '{"id":1,"n":2.000000001,"b":"616263","d":"0999-12-31","s":"x","w":"2026-01-30T23:00:00Z","f":"a.ndjson"}\n' +
      '{"id":2,"n":3,"b":null,"d":null,"s":null,"w":null,"f":"a.ndjson"}\n' +
      '{"id":3,"n":null,"b":null,"d":null,"s":null,"w":null,"f":"a.ndjson"}\n',
  );
});

test('a value that is none of its type fails a query that reads it, and no other', async () => {
  home.write('a.ndjson', '{"id":1,"o":{"n":"many","d":"2026-01-31"}}\n');
  project('{ file: a.ndjson, schema: "o:STRUCT<n NUMERIC, d DATE>" }');
  expect(await home.rows('select id from t')).toBe('{"id":1}\n');
  expect((await home.query('select o from t')).stderr).toContain('the text is not a NUMERIC');
});

test('texts that are not UTF-8 are refused where a column beside them is made of texts', async () => {
  home.write('a.ndjson', Buffer.from('{"id":1,"o":{"n":"1"},"text":"Gr\xf6\xdfe"}\n', 'latin1'));
  project('{ file: a.ndjson, schema: "o:STRUCT<n NUMERIC>" }');
  expect(await home.rows('select id, o.n from t')).toBe('{"id":1,"n":1}\n');
  expect((await home.query('select * from t')).stderr).toContain('a.ndjson:1: not UTF-8');
});
