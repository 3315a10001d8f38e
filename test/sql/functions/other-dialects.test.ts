// Functions that people know from other databases: what GoogleSQL writes for them is said, and is a query of quern's.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findFunction } from '../../../src/sql/functions/index.ts';
import { writtenElsewhere } from '../../../src/sql/functions/other-dialects.ts';
import { parse, translate } from '../../../src/sql/index.ts';
import { failure } from '../../support/told.ts';

const source = readFileSync(new URL('../../../src/sql/functions/other-dialects.ts', import.meta.url), 'utf8');
const rows = [...source.matchAll(/^ {2}(['"])(.*)\1: '([A-Z0-9_ ]+)',$/gm)].map(([, , written = '', names = '']) => ({
  written,
  names: names.split(' '),
}));
const names = rows.flatMap((row) => row.names);

test('each name stands once, and is no function of BigQuery', () => {
  expect(names.length).toBeGreaterThan(90);
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  expect(names.filter((name) => findFunction(name) !== undefined)).toEqual([]);
});

test.each(names)('%s', (name) => {
  expect(failure(() => translate(`select ${name.toLowerCase()}(x, 1) from (select 'a' as x)`))).toMatchObject({
    message: `${name.toLowerCase()} is not a function quern can translate`,
    hint: `BigQuery writes ${writtenElsewhere(name)}`,
  });
});

test.each(
  rows
    .map(({ written }) => written)
    .filter((written) => /^[A-Z_0-9]+\(/.test(written) && !written.includes(', or ') && !written.includes('in FROM')),
)('%s can be read', (written) => {
  expect(() => parse(`select ${written.replaceAll('part FROM', 'YEAR FROM').replaceAll('(array)', '(list)')}`)).not.toThrow();
});

test('a function of the user’s own by such a name is called', () => {
  expect(translate('create temp function nvl(a any type, b any type) as (ifnull(a, b)); select nvl(1, 2) as n').sql).not.toBe('');
});
