// Deep and large texts: read, or refused with a place, in linear time and without overflowing the stack.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseScript } from '../../../src/sql/syntax/parser/parse-script.ts';
import { printScript } from '../../support/bigquery-text/print-script.ts';
import { countedCode } from '../../support/counted-work.ts';
import { failure } from './trees.ts';

const NESTED =
  /^too-complex 1:\d+ \[.*\] parentheses are nested more than 512 levels deep \(split the query: WITH gives a subquery a name\)$/;
const TOO_DEEP = /^too-complex 1:\d+ \[.*\] this is more than 1000 levels deep in the query \(.*\)$/s;

describe('what nests is read at 500 levels and refused at 10,000', () => {
  const shapes: readonly (readonly [string, (n: number) => string])[] = [
    ['parentheses', (n) => `SELECT ${'('.repeat(n)}1${')'.repeat(n)}`],
    ['operators in parentheses', (n) => `SELECT ${'(1 + '.repeat(n)}1${')'.repeat(n)}`],
    ['calls', (n) => `SELECT ${'f('.repeat(n)}1${')'.repeat(n)}`],
    ['CASE', (n) => `SELECT ${'CASE WHEN a THEN '.repeat(n)}1${' END'.repeat(n)}`],
    ['arrays', (n) => `SELECT ${'['.repeat(n)}1${']'.repeat(n)}`],
    ['subscripts', (n) => `SELECT ${'a['.repeat(n)}1${']'.repeat(n)}`],
    ['types', (n) => `SELECT CAST(NULL AS ${'ARRAY<'.repeat(n)}INT64${'>'.repeat(n)})`],
    ['queries in parentheses', (n) => `${'('.repeat(n)}SELECT 1${')'.repeat(n)}`],
  ];
  test.each(shapes)('%s', (_, shape) => {
    expect(failure(shape(500))).toBe('no error');
    expect(failure(shape(10_000))).toMatch(NESTED);
  });
});

describe('subqueries and lambdas are read at 200 levels and refused at 10,000', () => {
  const shapes: readonly (readonly [string, (n: number) => string])[] = [
    ['lambdas', (n) => `SELECT ${'f(e -> '.repeat(n)}1${')'.repeat(n)}`],
    ['in SELECT', (n) => `SELECT ${'(SELECT '.repeat(n)}1${')'.repeat(n)}`],
    ['in FROM', (n) => `SELECT 1 FROM ${'(SELECT 1 FROM '.repeat(n)}t${')'.repeat(n)}`],
    ['in EXISTS', (n) => `SELECT ${'EXISTS(SELECT '.repeat(n)}1${')'.repeat(n)}`],
    ['in WITH', (n) => `${'WITH a AS ('.repeat(n)}SELECT 1${') SELECT 1'.repeat(n)}`],
    ['in pipes', (n) => `FROM t |> WHERE ${'(FROM t |> WHERE '.repeat(n)}a${')'.repeat(n)}`],
    ['joins in parentheses', (n) => `SELECT 1 FROM ${'(a JOIN '.repeat(n)}b${' USING (x))'.repeat(n)}`],
    ['set operations', (n) => `${'SELECT 1 UNION ALL ('.repeat(n)}SELECT 1${')'.repeat(n)}`],
  ];
  test.each(shapes)('%s', (_, shape) => {
    expect(failure(shape(200))).toBe('no error');
    expect(failure(shape(10_000))).toMatch(NESTED);
  });
});

describe('a chain is read at 900 links and refused at 20,000', () => {
  const shapes: readonly (readonly [string, (n: number) => string])[] = [
    ['sums', (n) => `SELECT 1${' + 1'.repeat(n)}`],
    ['signs', (n) => `SELECT ${'- '.repeat(n)}1`],
    ['NOT', (n) => `SELECT ${'NOT '.repeat(n)}a`],
    ['casts', (n) => `SELECT a${'::text'.repeat(n)}`],
    ['subscripts', (n) => `SELECT a${'[0]'.repeat(n)}`],
    ['joins', (n) => `SELECT 1 FROM a${' JOIN a USING (x)'.repeat(n)}`],
  ];
  test.each(shapes)('%s', (_, shape) => {
    expect(failure(shape(900))).toBe('no error');
    expect(failure(shape(20_000))).toMatch(TOO_DEEP);
  });
});

describe('long lists and filters have no limit', () => {
  const n = 50_000;
  const texts: readonly (readonly [string, string])[] = [
    ['AND', `SELECT a FROM t WHERE ${Array(n).fill('b = 1').join(' AND ')}`],
    ['OR', `SELECT a FROM t WHERE ${Array(n).fill("b = 'x'").join(' OR ')}`],
    ['IN', `SELECT a IN (${Array(n).fill('1').join(', ')})`],
    ['UNION ALL', Array(20_000).fill('SELECT 1').join(' UNION ALL ')],
    ['pipes', `FROM t${' |> WHERE a'.repeat(n)}`],
  ];
  test.each(texts)('%s', (_, text) => {
    const script = parseScript(text);
    expect(script.query.span).toEqual({ start: 0, end: text.length });
    expect(printScript(script).replace(/[()]/g, '')).toBe(text.replace(/[()]/g, ''));
  });
});

test('a text of twice the length costs twice as much to read', async () => {
  const branch = "SELECT id, COUNTIF(r.status >= 400) AS n FROM t, UNNEST(t.m) AS r WHERE r.path LIKE '/rest%' GROUP BY 1";
  const text = (branches: number) => Array(branches).fill(branch).join(' UNION ALL ');
  const code = await countedCode(join(import.meta.dirname, '../translated.ts'));
  const [some, more] = [await code.call('parsed', text(100)), await code.call('parsed', text(200))];
  await code.close();
  expect(more.result).toBe('set_operation');
  expect(more.blocks / some.blocks).toBeLessThan(2.1);
});
