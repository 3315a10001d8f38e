// The same events in every layout: the same rows for the same query.
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Row } from '../../src/base/result.ts';
import { EXPLORER_QUERIES, SHIPPED, STUDIO_QUERIES } from './layouts-queries.ts';
import { edgeEvents, functionEvents, type LayoutTables, openLayouts } from './layouts-support.ts';
import { LAYOUTS, type LayoutName } from './layouts-tables.ts';

const NAMES = Object.keys(LAYOUTS) as readonly LayoutName[]; // Object.keys only knows strings
let tables: LayoutTables;

beforeAll(async () => {
  tables = await openLayouts(edgeEvents(400), functionEvents(400), NAMES);
  return () => tables.close();
});

/** Whole records are shown as they are stored, so a number may be a text there; fields come in any order. */
function shown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== 'object' || value === null) return typeof value === 'number' ? String(value) : value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, field]) => [name, shown(field)]),
  );
}

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

describe.each(SHIPPED)('%s %o', (name, args) => {
  const sql = readFileSync(new URL(`../../queries/${name}.sql`, import.meta.url), 'utf8');
  let expected: unknown;
  beforeAll(async () => {
    expected = shown(await tables.rows('store', sql, args));
  });
  test.each(NAMES)('%s', async (layout) => {
    expect(shown(await tables.rows(layout, sql, args))).toEqual(expected);
  });
});
