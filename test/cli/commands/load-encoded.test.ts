// quern load of text in other encodings, and with a text that means NULL: as a query with the same flags reads the file.
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { cliHome } from '../../support/run-cli.ts';

const home = cliHome();
afterAll(() => home.remove());

const load = async (...argv: readonly string[]) => {
  const { stderr, exitCode } = await home.run(['load', ...argv]);
  return `${exitCode}\n${stderr.replaceAll(/\d+\.\d s\)/g, '0.0 s)').replaceAll(`${home.folder}/`, '')}`;
};
const query = async (from: string, ...flags: readonly string[]) =>
  (await home.run(['query', `select * from \`${from}\` order by 1`, '--format', 'ndjson', ...flags])).stdout;
const wide = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');

test('encodings, plain, compressed and from standard input', async () => {
  home.write('u.csv', wide('id,text\n1,Größe\n2,日本\n'));
  home.write('u.csv.gz', gzipSync(wide('id,text\n1,Größe\n2,日本\n')));
  for (const file of ['u.csv', 'u.csv.gz']) {
    expect(await load('u', file, '--encoding', 'utf-16', '--replace')).toContain(`${file}: 2 rows into u`);
    expect(await query('u')).toBe('{"id":1,"text":"Größe"}\n{"id":2,"text":"日本"}\n');
    expect(await query(file, '--encoding', 'utf-16')).toBe(await query('u'));
  }
  home.write('l.ndjson', Buffer.from('{"a":"\xe4"}\n', 'latin1'));
  expect(await load('l', 'l.ndjson', '--encoding', 'ISO-8859-1')).toContain('1 row into l');
  expect(await query('l')).toBe('{"a":"ä"}\n');
});

test('what is not in the encoding is named with its line, and nothing is loaded', async () => {
  home.write('bad.csv', Buffer.concat([wide('id,text\n1,a\n2,'), Buffer.from([0, 0xd8])]));
  expect(await load('bad', 'bad.csv', '--encoding', 'UTF-16')).toMatch(/^1\nerror\[load\]: bad\.csv:3: not UTF-16/);
  expect(await load('bad', 'bad.csv', '--encoding', 'latin')).toMatch(/^2\nerror\[usage\]: --encoding must be one of: UTF-8, /);
  home.write('p.ndjson', '{"a":1}\n');
  expect(await load('bad', 'p.ndjson', '--null-text', 'NA')).toMatch(/^2\nerror\[usage\]: --null-text only applies to CSV and TSV/);
});

test('a text that means NULL', async () => {
  home.write('n.csv', 'a,b,c\n1,NA,"NA"\nNA,,""\n3,x,\\N\n');
  expect(await load('n', 'n.csv', '--null-text', 'NA')).toContain('a INT64, b STRING, c STRING');
  expect(await query('n')).toBe('{"a":null,"b":"","c":""}\n{"a":1,"b":null,"c":"NA"}\n{"a":3,"b":"x","c":"\\\\N"}\n');
  expect(await query('n.csv', '--null-text', 'NA')).toBe(await query('n'));
  home.write('odd.csv', 'a,b\n1,NA\n2,"NA",x\n3,"NA"\n');
  expect(await load('odd', 'odd.csv', '--null-text', 'NA', '--skip-bad-lines')).toContain('2 rows into odd');
  expect(await query('odd')).toBe('{"a":1,"b":null}\n{"a":3,"b":"NA"}\n');
});
