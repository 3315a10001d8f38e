// The shipped queries over every layout: the SQL for all arguments gives the rows that the SQL for these arguments gives.
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { SHIPPED } from './layouts-queries.ts';
import { edgeEvents, functionEvents, type LayoutTables, openLayouts, shown } from './layouts-support.ts';
import { LAYOUTS, type LayoutName } from './layouts-tables.ts';

const NAMES = Object.keys(LAYOUTS) as readonly LayoutName[]; // Object.keys only knows strings
let tables: LayoutTables;

beforeAll(async () => {
  tables = await openLayouts(edgeEvents(400), functionEvents(400), NAMES);
  return () => tables.close();
});

describe.each(SHIPPED)('%s %o', (name, args) => {
  const sql = readFileSync(new URL(`../../queries/${name}.sql`, import.meta.url), 'utf8');
  let expected: unknown;
  beforeAll(async () => {
    expected = shown(await tables.rows('store', sql, args));
  });
  test.each(NAMES)('%s', async (layout) => {
    expect(shown(await tables.rows(layout, sql, args))).toEqual(expected);
    expect(shown(await tables.rows(layout, sql, args, 'all'))).toEqual(expected);
  });
});
