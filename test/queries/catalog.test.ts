// Finding saved queries by name, UUID and path, and listing them.
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCatalog } from '../../src/queries/catalog.ts';
import { failure, told } from '../support/told.ts';
import { folderOf, queryText, uuid } from './support.ts';

const shipped = () =>
  folderOf({
    'usage.api-counts.sql': queryText(1, 'select 1', 'description: counts'),
    'logs.all.sql': queryText(2, 'select 2'),
    'notes.txt': 'not a query',
    '.hidden.sql': 'not a query',
  });

test('a query is found by its name, its UUID in any case, and its path', () => {
  const folder = shipped();
  const { find } = openCatalog([folder]);
  const path = join(folder, 'logs.all.sql');
  const file = { name: 'logs.all', source: { name: path, text: queryText(2, 'select 2') } };
  expect(find('logs.all')).toEqual(file);
  expect(find(uuid(2).toUpperCase())).toEqual({ ...file, wantedId: uuid(2) });
  expect(find(path)).toEqual(file);
});

test('queries of several folders are found; naming a folder twice does no harm', () => {
  const folder = shipped();
  const own = folderOf({ 'mine.sql': queryText(3, 'select 3') });
  symlinkSync(folder, join(own, 'again'));
  const { find } = openCatalog([folder, own, folder, join(own, 'again')]);
  expect([find('mine').name, find('logs.all').name, find(uuid(3)).name]).toEqual(['mine', 'logs.all', 'mine']);
});

test('unknown queries are errors with a suggestion', () => {
  const { find } = openCatalog([shipped()]);
  const hint = 'did you mean usage.api-counts? `quern list` shows them all';
  expect(failure(() => find('usage.api-count'))).toEqual({
    code: 'unknown-query',
    message: 'there is no saved query named usage.api-count',
    hint,
  });
  expect(failure(() => find('api-counts'))).toEqual({ code: 'unknown-query', message: 'there is no saved query named api-counts', hint });
  expect(failure(() => find('zzz'))).toEqual({
    code: 'unknown-query',
    message: 'there is no saved query named zzz',
    hint: 'list them with `quern list`',
  });
  expect(failure(() => find(uuid(9)))).toEqual({
    code: 'unknown-query',
    message: `there is no saved query with the id ${uuid(9)}`,
    hint: 'list them with `quern list`',
  });
  expect(failure(() => find('no/such.sql'))).toEqual({
    code: 'unknown-query',
    message: 'there is no file no/such.sql',
    hint: 'check the path, or list the saved queries with `quern list`',
  });
});

test('names cannot leave the folder', () => {
  const folder = folderOf({ 'inner/a.sql': queryText(1, 'select 1'), 'secret.sql': queryText(2, 'select 2') });
  const { named } = openCatalog([join(folder, 'inner')]);
  expect(['..', '../secret', '.a', 'a/../a', ''].map(named)).toEqual([undefined, undefined, undefined, undefined, undefined]);
  expect(named('a')?.name).toBe('a');
});

test('two files of one name, or of one UUID, are an error that names both', () => {
  const [a, b] = [
    folderOf({ 'x.sql': queryText(1, 'select 1') }),
    folderOf({ 'x.sql': queryText(2, 'select 2'), 'y.sql': queryText(1, 'select 3') }),
  ];
  const { find } = openCatalog([a, b]);
  expect(failure(() => find('x'))).toEqual({
    code: 'config',
    message: `two saved queries have the name x: ${join(a, 'x.sql')} and ${join(b, 'x.sql')}`,
    hint: 'rename one of the files',
  });
  expect(failure(() => find(uuid(1)))).toEqual({
    code: 'config',
    message: `two saved queries have the id ${uuid(1)}: ${join(a, 'x.sql')} and ${join(b, 'y.sql')}`,
    hint: 'give one of them a new UUID',
  });
});

test('a folder that does not exist is an error', () => {
  expect(failure(() => openCatalog(['/no/such/folder']).find('x'))).toEqual({
    code: 'config',
    message: 'there is no folder /no/such/folder, where saved queries should be',
    hint: 'create it, or fix --queries or the setting `queries`',
  });
});

test('broken files hide no others, and are listed with their errors', async () => {
  const folder = folderOf({
    'b.sql': queryText(2, 'select 2', 'description: second'),
    'a.sql': queryText(1, 'select 1'),
    'broken.sql': '/*---\nid: nonsense\n---*/ select',
    'draft.sql': 'select 1',
    'twin.sql': queryText(1, 'select 1'),
    'folder.sql/x': '',
  });
  const catalog = openCatalog([folder]);
  expect([catalog.find('a').name, catalog.find(uuid(2)).name]).toEqual(['a', 'b']);
  const { queries, broken } = await catalog.list();
  expect(queries.map(({ name, description }) => [name, description])).toEqual([
    ['a', ''],
    ['b', 'second'],
    ['twin', ''],
  ]);
  expect(broken.map(({ name, error }) => [name, told(error)['message']])).toEqual([
    ['broken', 'id: "nonsense" is not a UUID'],
    ['draft', `${join(folder, 'draft.sql')} has no header`],
    ['folder', `${join(folder, 'folder.sql')} is a folder`],
    ['twin', `two saved queries have the id ${uuid(1)}: ${join(folder, 'a.sql')} and ${join(folder, 'twin.sql')}`],
  ]);
});
