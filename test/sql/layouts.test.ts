// The same events in every layout: the same rows for the same query. layouts-stress.test.ts has more arguments, and the SQL for all arguments.
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Row } from '../../src/base/result.ts';
import { EXPLORER_QUERIES, FEW_ARGUMENTS, STUDIO_QUERIES } from './layouts-queries.ts';
import { edgeEvents, functionEvents, type LayoutTables, openLayouts, shown } from './layouts-support.ts';
import { LAYOUTS, type LayoutName } from './layouts-tables.ts';

const NAMES = Object.keys(LAYOUTS) as readonly LayoutName[]; // Object.keys only knows strings
let tables: LayoutTables;

beforeAll(async () => {
  tables = await openLayouts(edgeEvents(400), functionEvents(400), NAMES);
  return () => tables.close();
});

/** Rows in an order of their own where the query gives none. */
function comparable(sql: string, rows: readonly Row[]): readonly string[] {
  const texts = rows.map((row) => JSON.stringify(shown(row)));
  return / order by [^)]*$/i.test(sql) ? texts : texts.sort();
}

describe.each([...EXPLORER_QUERIES, ...STUDIO_QUERIES])('%s', (sql) => {
  const args: Readonly<Record<string, string>> = sql.includes('@project') ? { project: 'alpha' } : {};
  let expected: readonly string[];
  beforeAll(async () => {
    expected = comparable(sql, await tables.rows('store', sql, args));
    expect(expected.length).toBeGreaterThan(0);
  });
  test.each(NAMES)('%s', async (layout) => {
    expect(comparable(sql, await tables.rows(layout, sql, args))).toEqual(expected);
  });
});

describe.each(FEW_ARGUMENTS)('%s %o', (name, args) => {
  const sql = readFileSync(new URL(`../../queries/${name}.sql`, import.meta.url), 'utf8');
  let expected: unknown;
  beforeAll(async () => {
    expected = shown(await tables.rows('store', sql, args));
    expect(shown(await tables.rows('store', sql, args, 'all'))).toEqual(expected);
  });
  test.each(NAMES)('%s', async (layout) => {
    expect(shown(await tables.rows(layout, sql, args))).toEqual(expected);
  });
});
