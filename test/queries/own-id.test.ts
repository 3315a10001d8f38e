// The id of a saved query whose header gives none, and `quern fmt --ids`, which writes it into the header.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { derivedId, idOf } from '../../src/queries/header/own-id.ts';
import { isUuid } from '../../src/queries/header/text.ts';
import { withId } from '../../src/queries/header/with-id.ts';
import { cliHome } from '../support/run-cli.ts';

const home = cliHome();
afterAll(() => home.remove());
const HEADED = '/*---\nmax_rows: 5\n---*/\nselect 1 as one\n';

describe('the id of a header without one', () => {
  test('is of the project and the name, wherever the project lies', () => {
    const id = derivedId('/home/ann/shop/queries/orders.sql', 'orders');
    expect([isUuid(id), id[14]]).toEqual([true, '5']);
    expect(derivedId('/srv/shop/sql/orders.sql', 'orders')).toBe(id);
    expect(derivedId('/srv/site/queries/orders.sql', 'orders')).not.toBe(id);
    expect(derivedId('/srv/shop/queries/other.sql', 'other')).not.toBe(id);
  });

  test('finds the query, and is listed', async () => {
    home.write('shop/queries/orders.sql', HEADED);
    const id = derivedId(join(home.folder, 'shop/queries/orders.sql'), 'orders');
    const flags = ['--queries', 'shop/queries'];
    expect((await home.run([...flags, 'run', id])).stdout).toBe('{"one":1}\n');
    expect((await home.run([...flags, 'list', '--format', 'tsv'])).stdout).toContain(`orders\t${id}`);
    expect((await home.run([...flags, 'lint'])).exitCode).toBe(0);
  });

  test('is none of a file without a header', () => {
    expect(idOf({ name: '/shop/queries/a.sql', text: 'select 1' }, 'a')).toBeUndefined();
  });
});

describe('quern fmt --ids', () => {
  test('writes the id that the query has already, once', async () => {
    const [path, id] = ['site/queries/visits.sql', derivedId(join(home.folder, 'site/queries/visits.sql'), 'visits')];
    home.write(path, HEADED);
    home.write('site/queries/plain.sql', 'select 2 as two\n');
    home.write('site/queries/native.sql', '/*---\ndialect: clickhouse\n---*/\nselect  3\n');
    const flags = ['--queries', 'site/queries', 'fmt', '--ids'];
    const before = await home.run(['--queries', 'site/queries', 'run', 'visits', '--format', 'json']);
    expect((await home.run([...flags, '--check'])).exitCode).toBe(1);
    expect((await home.run(flags)).stdout).toBe('site/queries/native.sql\nsite/queries/visits.sql\n');
    expect(readFileSync(join(home.folder, path), 'utf8')).toBe(`/*---\nid: ${id}\nmax_rows: 5\n---*/\nselect 1 as one\n`);
    expect((await home.run([...flags, '--check'])).exitCode).toBe(0);
    expect(await home.run(['--queries', 'site/queries', 'run', id, '--format', 'json'])).toEqual(before);
  });

  test.each([
    ['/*---\r\nmax_rows: 5\r\n---*/ select 1', /^\/\*---\r\nid: [0-9a-f-]{36}\r\nmax_rows: 5\r\n/],
    ['/*--- max_rows: 5 ---*/ select 1', undefined],
    ['/*---\n{ max_rows: 5 }\n---*/ select 1', undefined],
    ['/*---\n  max_rows: 5\n---*/ select 1', undefined],
  ])('%j', (text, expected) => {
    const added = () => withId({ name: 'a.sql', text }, '/shop/queries/a.sql');
    if (expected === undefined) expect(added).toThrow('a.sql has a header in a form to which no id can be added');
    else expect(added()).toMatch(expected);
  });
});
