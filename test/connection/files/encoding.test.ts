// Text in other encodings than UTF-8: with `encoding:` it is decoded once, and without it a file is refused, never shown with other characters.
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { decodeFile } from '../../../src/files/decode.ts';
import { type FilesHome, filesHome } from './support.ts';

const home: FilesHome = filesHome();
afterAll(() => home.remove());

const TEXT = 'id,text\n1,Größe\n2,€ 日本 😀\n';
const wide = (text: string, order: 'le' | 'be'): Buffer => {
  const bytes = Buffer.from(text, 'utf16le');
  return order === 'le' ? bytes : bytes.swap16();
};
const project = (settings: string) => home.write('quern.yaml', `sources:\n  t: ${settings}\n`);
const failure = async (sql = 'select * from t') => (await home.query(sql)).stderr.split('\n').slice(0, 1)[0];
const ROWS = '{"id":1,"text":"Größe"}\n{"id":2,"text":"€ 日本 😀"}\n';

describe('encoding:', () => {
  test.each([
    ['UTF-16', wide(`\ufeff${TEXT}`, 'le')],
    ['utf-16', wide(`\ufeff${TEXT}`, 'be')],
    ['UTF-16LE', wide(TEXT, 'le')],
    ['UTF-16LE', wide(`\ufeff${TEXT}`, 'le')],
    ['utf-16be', wide(TEXT, 'be')],
    ['UTF-8', Buffer.from(`\ufeff${TEXT}`)],
  ])('%s is read, plain and compressed', async (encoding, bytes) => {
    home.write('a.csv', bytes);
    project(`{ file: a.csv, encoding: ${encoding} }`);
    expect(await home.rows('select * from t order by id')).toBe(ROWS);
    home.write('a.csv.gz', gzipSync(bytes));
    project(`{ file: a.csv.gz, encoding: ${encoding} }`);
    expect(await home.rows('select * from t order by id')).toBe(ROWS);
  });

  test('ISO-8859-1 has control characters where Windows-1252 has others', async () => {
    const bytes = Buffer.from([...Buffer.from('id,text\n1,'), 0xe9, 0x80, 0x0a]);
    home.write('l.csv', bytes);
    project('{ file: l.csv, encoding: iso-8859-1 }');
    expect(await home.rows('select to_hex(cast(text as bytes)) as h from t')).toBe('{"h":"c3a9c280"}\n');
    project('{ file: l.csv, encoding: Windows-1252 }');
    expect(await home.rows('select text from t')).toBe('{"text":"é€"}\n');
  });

  test('TSV, NDJSON and JSON too, and several files with their names', async () => {
    home.write('n/a.ndjson', wide('{"a":"ä"}\n', 'le'));
    home.write('n/b.ndjson', wide('{"a":"b"}\n', 'le'));
    project('{ file: n/*.ndjson, encoding: UTF-16LE }');
    expect(await home.rows('select a, _FILE_NAME as f from t order by a')).toBe('{"a":"b","f":"n/b.ndjson"}\n{"a":"ä","f":"n/a.ndjson"}\n');
    home.write('j.json', wide('\ufeff[{"a":"ä"}]', 'be'));
    project('{ file: j.json, encoding: UTF-16 }');
    expect(await home.rows('select a from t')).toBe('{"a":"ä"}\n');
    home.write('t.tsv', Buffer.from('a\tb\n\xe4\t1\n', 'latin1'));
    project('{ file: t.tsv, encoding: ISO-8859-1 }');
    expect(await home.rows('select a, b from t')).toBe('{"a":"ä","b":1}\n');
  });

  test('what is not in it is named with its line', async () => {
    home.write('bad.csv', Buffer.concat([wide('id,text\n1,a\n2,', 'le'), Buffer.from([0x00, 0xd8]), wide('\n', 'le')]));
    project('{ file: bad.csv, encoding: UTF-16LE }');
    expect(await failure()).toBe('error[config]: sources.t: bad.csv:3: not UTF-16LE');
    home.write('odd.csv', wide('id\n1\n', 'le').subarray(0, -1));
    project('{ file: odd.csv, encoding: UTF-16LE }');
    expect(await failure()).toBe('error[config]: sources.t: odd.csv:2: not UTF-16LE: it ends in the middle of a character');
    home.write('other.csv', wide('\ufeffid\n1\n', 'be'));
    project('{ file: other.csv, encoding: UTF-16LE }');
    expect(await failure()).toBe('error[config]: sources.t: other.csv:1: not UTF-16LE: its byte order mark is that of UTF-16BE');
    home.write('none.csv', wide('id\n1\n', 'be'));
    project('{ file: none.csv, encoding: UTF-16 }');
    expect(await failure()).toContain('none.csv:1: it has no byte order mark');
    home.write('w.csv', Buffer.from('id\nab\x81\n', 'latin1'));
    project('{ file: w.csv, encoding: windows-1252 }');
    expect(await failure()).toBe('error[config]: sources.t: w.csv:2: not Windows-1252');
  });

  test('names one that quern knows, of text on this machine', async () => {
    home.write('a.csv', 'a\n1\n');
    project('{ file: a.csv, encoding: EBCDIC }');
    expect(await failure()).toContain('must be one of: UTF-8, UTF-16, UTF-16LE, UTF-16BE, ISO-8859-1, Windows-1252');
    project('{ file: a.parquet, encoding: UTF-16 }');
    expect(await failure()).toContain('encoding only applies to CSV, TSV, NDJSON and JSON, and these files are Parquet');
    project('{ file: "https://localhost/a.csv", encoding: UTF-16 }');
    expect(await failure()).toContain('encoding only applies to files on this machine');
  });

  test('a changed file is decoded again, and an unchanged one is not', async () => {
    const made = () =>
      readdirSync(join(home.folder, '.cache/quern/unpacked'), { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
        .length;
    home.write('again.csv', wide('a\n1\n', 'le'));
    project('{ file: again.csv, encoding: UTF-16LE }');
    expect(await home.rows('select a from t')).toBe('{"a":1}\n');
    const before = made();
    expect(await home.rows('select a + 1 as a from t')).toBe('{"a":2}\n');
    expect(made()).toBe(before);
    home.write('again.csv', wide('a\n10\n', 'le'));
    expect(await home.rows('select a from t')).toBe('{"a":10}\n');
  });
});

test('a byte order mark is no part of the first name, nor are the quotes behind it', async () => {
  const first = async () => (await home.query('select * from t')).stderr.split('\n')[0];
  for (const header of ['id,text', '"id","text"', '"id",text']) {
    home.write('m.csv', `\ufeff${header}\n"1","a"\n`);
    project('{ file: m.csv }');
    expect(await home.rows('select * from t')).toBe('{"id":1,"text":"a"}\n');
  }
  home.write('m.csv', '\ufeff1,a\n2,b\n');
  expect(await first()).toBe('error[config]: sources.t: m.csv begins with a byte order mark, and no line names its columns');
});

test('UTF-16 that nobody has named is told with what to name it', async () => {
  for (const [name, bytes] of [
    ['u.csv', wide(`\ufeff${TEXT}`, 'le')],
    ['u.csv.gz', gzipSync(wide(`\ufeff${TEXT}`, 'be'))],
    ['u.ndjson', wide('\ufeff{"a":1}\n', 'le')],
  ] as const) {
    home.write(name, bytes);
    project(`{ file: ${name} }`);
    const { stderr, exitCode } = await home.query('select * from t');
    expect([exitCode, stderr.split('\n')[0]]).toEqual([
      2,
      expect.stringMatching(new RegExp(`^error\\[config\\]: sources\\.t: ${name} is UTF-16[LB]E, not UTF-8$`)),
    ]);
    expect(stderr).toContain('name its encoding: encoding: UTF-16');
  }
});

test('pieces of a file may end anywhere in a character', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quern-decode-'));
  try {
    const text = `${'😀'.repeat(100_001)}\n${'x'.repeat(65_537)}${'😀é'.repeat(70_000)}`;
    home.write('long.txt', wide(`\ufeffa${text}`, 'be'));
    await decodeFile(join(home.folder, 'long.txt'), join(folder, 'out'), 'UTF-16');
    const { readFileSync } = await import('node:fs');
    expect(readFileSync(join(folder, 'out'), 'utf8') === `a${text}`).toBe(true);
    expect(existsSync(join(folder, 'out.unpacked'))).toBe(false);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

describe('null_text:', () => {
  test('is NULL where it is not in quotes, and an empty text is then a text', async () => {
    home.write('n.csv', 'a,b,c\n1,NA,"NA"\nNA,,""\n3,x,\\N\n');
    project('{ file: n.csv, null_text: NA }');
    expect(await home.rows('select * from t order by a')).toBe(
      '{"a":null,"b":"","c":""}\n{"a":1,"b":null,"c":"NA"}\n{"a":3,"b":"x","c":"\\\\N"}\n',
    );
    home.write('n.tsv', 'a\tb\n-\t2026-01-02\n1\t-\n');
    project("{ file: n.tsv, null_text: '-' }");
    expect(await home.rows('select * from t order by a')).toBe('{"a":null,"b":"2026-01-02"}\n{"a":1,"b":null}\n');
  });
  test('is a text, of CSV and TSV', async () => {
    home.write('n.csv', 'a\n1\n');
    project('{ file: n.csv, null_text: 0 }');
    expect(await failure()).toContain('null_text must be a text without quotes and line breaks');
    home.write('n.ndjson', '{"a":1}\n');
    project('{ file: n.ndjson, null_text: NA }');
    expect(await failure()).toContain('null_text only applies to CSV and TSV, and these files are NDJSON');
  });
});

test('the hint of a file in UTF-16 names what the caller can write', async () => {
  home.write('m.csv', wide(`\ufeff${TEXT}`, 'le'));
  home.write('quern.yaml', 'sources:\n  t: { file: m.csv }\n');
  const hints: (string | undefined)[] = [];
  // One after the other: a process has one store open at a time.
  for (const args of [
    ['query', 'select * from t'],
    ['query', 'select * from `m.csv`'],
    ['load', 'marked', 'm.csv'],
  ])
    hints.push(/hint: (.*)/.exec((await home.run(args)).stderr)?.[1]);
  expect(hints).toEqual([
    'name its encoding: encoding: UTF-16',
    'name its encoding: --encoding UTF-16',
    'name its encoding: --encoding UTF-16',
  ]);
});
