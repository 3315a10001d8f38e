// The formats that programs read.
import { describe, expect, test } from 'vitest';
import { columnNames } from '../../src/base/column-names.ts';
import { csv, tsv } from '../../src/output/delimited.ts';
import { formatAskedFor } from '../../src/output/index.ts';
import { json, ndjson } from '../../src/output/json.ts';
import { markdown } from '../../src/output/markdown.ts';
import { awkward, result, text } from './sample-result.ts';

describe('ndjson', () => {
  test('keeps all digits, names struct fields, and writes what JSON numbers cannot say as text', () => {
    expect(text(ndjson(awkward))).toMatchInlineSnapshot(`
      "{"timestamp":"2026-01-02T03:04:05.678901Z","n":9007199254740993,"f0_":"a,\\"b\\"\\n\\tc\\\\","n_1":0.1,"s":{"a":1,"_field_2":["x","y"]}}
      {"timestamp":null,"n":null,"f0_":null,"n_1":null,"s":null}
      {"timestamp":"2026-01-02T00:00:00Z","n":-1,"f0_":"","n_1":"NaN","s":{"a":null,"_field_2":[]}}
      {"timestamp":"2026-01-02T00:00:00Z","n":0,"f0_":"NULL","n_1":"-Infinity","s":{"a":9223372036854775807,"_field_2":["日本語"]}}
      {"timestamp":"2026-01-02T00:00:00Z","n":0,"f0_":"\\u001B[31mred‮ | *x*","n_1":-0,"s":{"a":0,"_field_2":["\\""]}}
      "
    `);
  });

  test('JSON columns are JSON, on one line', () => {
    expect(text(ndjson(result({ j: 'JSON', d: 'NUMERIC', b: 'BOOL' }, [['{"a":\n[1, 2]}', '12345678901234567890.10', true]])))).toBe(
      '{"j":{"a": [1, 2]},"d":12345678901234567890.10,"b":true}\n',
    );
  });

  test('records are arrays of objects, with the digits of their integers', () => {
    const record = { kind: 'ARRAY', element: { kind: 'RECORD', fields: [] } } as const;
    const row = [[{ request: [{ path: '/a', bytes: 9007199254740993n }], tags: ['x', null] }]];
    expect(text(ndjson({ columns: [{ name: 'metadata', type: record }], rows: [row], truncated: false }))).toBe(
      '{"metadata":[{"request":[{"path":"/a","bytes":9007199254740993}],"tags":["x",null]}]}\n',
    );
  });
});

describe('json', () => {
  test('is one document with the rows under result', () => {
    expect(text(json(result({ a: 'INT64' }, [[1], [2]])))).toBe('{"result": [\n{"a":1},\n{"a":2}\n]}\n');
  });

  test('parses back to the values', () => {
    expect(JSON.parse(text(json(awkward))).result[3]).toEqual({
      timestamp: '2026-01-02T00:00:00Z',
      n: 0,
      f0_: 'NULL',
      n_1: '-Infinity',
      s: { a: Number(2n ** 63n), _field_2: ['日本語'] },
    });
  });

  test('without rows is an empty list', () => {
    expect(text(json(result({ a: 'INT64' }, [])))).toBe('{"result": []}\n');
  });
});

test('csv quotes all text and nothing else; NULL is nothing and the empty string is ""', () => {
  expect(text(csv(awkward))).toMatchInlineSnapshot(`
    "timestamp,n,f0_,n_1,s
    2026-01-02T03:04:05.678901Z,9007199254740993,"a,""b""
    	c\\",0.1,"{""a"":1,""_field_2"":[""x"",""y""]}"
    ,,,,
    2026-01-02T00:00:00Z,-1,"",NaN,"{""a"":null,""_field_2"":[]}"
    2026-01-02T00:00:00Z,0,"NULL",-Infinity,"{""a"":9223372036854775807,""_field_2"":[""日本語""]}"
    2026-01-02T00:00:00Z,0,"[31mred‮ | *x*",-0,"{""a"":0,""_field_2"":[""\\""""]}"
    "
  `);
});

test('tsv escapes with backslashes; NULL is \\N', () => {
  expect(text(tsv(awkward))).toMatchInlineSnapshot(`
    "timestamp	n	f0_	n_1	s
    2026-01-02T03:04:05.678901Z	9007199254740993	a,"b"\\n\\tc\\\\	0.1	{"a":1,"_field_2":["x","y"]}
    \\N	\\N	\\N	\\N	\\N
    2026-01-02T00:00:00Z	-1		NaN	{"a":null,"_field_2":[]}
    2026-01-02T00:00:00Z	0	NULL	-Infinity	{"a":9223372036854775807,"_field_2":["日本語"]}
    2026-01-02T00:00:00Z	0	[31mred‮ | *x*	-0	{"a":0,"_field_2":["\\\\""]}
    "
  `);
});

test('markdown shows data literally; NULL is in italics', () => {
  expect(text(markdown(awkward))).toMatchInlineSnapshot(`
    "| timestamp | n | f0\\_ | n\\_1 | s |
    | --- | ---: | --- | ---: | --- |
    | 2026-01-02T03:04:05.678901Z | 9007199254740993 | a,"b"<br>	c\\\\ | 0.1 | {"a":1,"\\_field\\_2":\\["x","y"\\]} |
    | *NULL* | *NULL* | *NULL* | *NULL* | *NULL* |
    | 2026-01-02T00:00:00Z | -1 |  | NaN | {"a":null,"\\_field\\_2":\\[\\]} |
    | 2026-01-02T00:00:00Z | 0 | NULL | -Infinity | {"a":9223372036854775807,"\\_field\\_2":\\["日本語"\\]} |
    | 2026-01-02T00:00:00Z | 0 | \\[31mred‮ \\| \\*x\\* | -0 | {"a":0,"\\_field\\_2":\\["\\\\""\\]} |
    "
  `);
});

test('large results come in chunks that join to the whole', () => {
  const rows = Array.from({ length: 20_000 }, (_, i) => [i, `row ${i}`]);
  const chunks = [...ndjson(result({ i: 'INT64', s: 'STRING' }, rows))];
  expect(chunks.length).toBeGreaterThan(3);
  expect(
    chunks
      .join('')
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line).i),
  ).toEqual(rows.map(([i]) => i));
});

describe('column names', () => {
  test.each([
    [
      ['a', 'a', 'a'],
      ['a', 'a_1', 'a_2'],
    ],
    [
      ['', ''],
      ['f0_', 'f1_'],
    ],
    [
      ['', 'f0_'],
      ['f1_', 'f0_'],
    ],
    [
      ['a', 'a_1', 'a'],
      ['a', 'a_1', 'a_2'],
    ],
  ])('%j are shown as %j', (given, shown) => {
    expect(columnNames(given.map((name) => ({ name })))).toEqual(shown);
  });
});

describe('the choice of a format', () => {
  test.each([
    ['a.csv', 'csv'],
    ['b/c.JSONL', 'ndjson'],
    ['x.md', 'markdown'],
    ['x.tsv', 'tsv'],
    ['x', undefined],
  ])('%s is written as %s', (file, format) => {
    expect(formatAskedFor(undefined, file)).toBe(format);
    expect(formatAskedFor('json', file)).toBe('json');
  });

  test('an extension that stands for no format is refused', () => {
    expect(() => formatAskedFor(undefined, 'rows.xlsx')).toThrow(
      expect.objectContaining({
        code: 'usage',
        message: 'rows.xlsx: no output format has the extension .xlsx',
        details: {
          hint: 'name the format with --format, or end the file with .txt, .json, .ndjson, .csv, .tsv, .md, .html, .svg, .png, .parquet, .arrow, optionally followed by .gz or .zst to compress it',
        },
      }),
    );
  });

  test('an unknown format is refused with the nearest one', () => {
    expect(() => formatAskedFor('jsn', undefined)).toThrow(
      expect.objectContaining({
        code: 'usage',
        message: 'jsn is not an output format',
        details: {
          hint: 'did you mean json? The formats are table, chart, json, ndjson, csv, tsv, markdown, html, svg, png, parquet, arrow',
        },
      }),
    );
  });
});

describe('text as the engine spells it, which prints large results itself', () => {
  test('JSON escapes control characters with capital digits, and line separators', () => {
    const controls = result({ s: 'STRING' }, [['\v\u001b\\u001b\\\u001f\u0001 \u2028\u2029']]);
    expect(text(ndjson(controls))).toBe('{"s":"\\u000B\\u001B\\\\u001b\\\\\\u001F\\u0001 \\u2028\\u2029"}\n');
    expect(JSON.parse(text(ndjson(controls)))).toEqual({ s: '\v\u001b\\u001b\\\u001f\u0001 \u2028\u2029' });
  });

  test('large floats have an exponent without a plus sign', () => {
    const floats = result({ f: 'FLOAT64' }, [[1e21], [-1.5e300], [1e20], [1e-7]]);
    expect(text(ndjson(floats))).toBe('{"f":1e21}\n{"f":-1.5e300}\n{"f":100000000000000000000}\n{"f":1e-7}\n');
    expect(text(csv(floats))).toBe('f\n1e21\n-1.5e300\n100000000000000000000\n1e-7\n');
  });

  test('csv quotes names only where they need it', () => {
    const names = result({ 'a b': 'STRING', ' a': 'BYTES', 'a,': 'JSON', '"': 'INT64' }, [['x', 'eA==', '{}', 1]]);
    expect(text(csv(names))).toBe('a b," a","a,",""""\n"x","eA==","{}",1\n');
  });

  test('csv never quotes numbers, booleans and times', () => {
    const bare = result({ n: 'NUMERIC', b: 'BOOL', d: 'DATE', t: 'TIME', i: 'INTERVAL' }, [
      ['1.5', true, '2026-01-02', '12:00:00', '0-0 1 0:0:0'],
    ]);
    expect(text(csv(bare))).toBe('n,b,d,t,i\n1.5,true,2026-01-02,12:00:00,0-0 1 0:0:0\n');
  });
});

test('json tells that rows were cut off', () => {
  expect(text(json({ ...result({ a: 'INT64' }, [[1]]), truncated: true }))).toBe(
    '{"result": [\n{"a":1}\n], "meta": {"truncated": true, "rows": 1}}\n',
  );
  expect(text(json({ ...result({ a: 'INT64' }, []), truncated: true }))).toBe('{"result": [], "meta": {"truncated": true, "rows": 0}}\n');
});
