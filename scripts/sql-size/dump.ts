// Lengths of translations: see scripts/sql-size.mjs.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { QuernError } from '../../src/base/errors.ts';
import { createdTables } from '../../src/sources/created-tables.ts';
import { translate } from '../../src/sql/index.ts';
import type { Source } from '../../src/sql/source.ts';
import { readGroup } from '../collection/group.ts';
import { openGroup } from '../collection/run-group.ts';

interface Size {
  readonly query: string;
  /** Characters of the query. */
  readonly from: number;
  /** Characters of its SQL. */
  readonly to: number;
}

const GROUPS = join(process.cwd(), 'scripts/collection/groups');

/** Queries that are refused have no size. */
function refusedOr<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if (error instanceof QuernError) return undefined;
    throw error;
  }
}

/** Returns the sizes of the queries of the collection that are translated. */
export async function collectionSizes(): Promise<readonly Size[]> {
  const sizes: Size[] = [];
  for (const name of readdirSync(GROUPS)) {
    const group = readGroup(join(GROUPS, name));
    const opened = await openGroup(group);
    try {
      for (const { name: query, sql } of group.queries) {
        const prepared = await opened
          .running(sql, async (query) => query)
          .catch((error: unknown) => {
            if (error instanceof QuernError) return undefined;
            throw error;
          });
        if (prepared !== undefined) sizes.push({ query: `${name}/${query}`, from: sql.length, to: prepared.sql.length });
      }
    } finally {
      await opened.close();
    }
  }
  return sizes;
}

interface Listed {
  readonly id: string;
  readonly sql: string;
  readonly adapted?: string;
  readonly schema?: Readonly<Record<string, string>>;
}

type Columns = readonly (readonly [name: string, type: string])[];

const unpacked = (file: string): string => (file.endsWith('.gz') ? gunzipSync(readFileSync(file)) : readFileSync(file)).toString();

/** Returns the sizes of the queries of a list that are translated over tables with these columns. */
export function listSizes(queries: string, schemas: string): readonly Size[] {
  const columns: Readonly<Record<string, Columns>> = JSON.parse(unpacked(schemas));
  const tables = new Map<string, Source | undefined>();
  const tableOf = (schema: string): Source | undefined => {
    if (!tables.has(schema))
      tables.set(
        schema,
        refusedOr(() => madeTable(columns[schema] ?? [])),
      );
    return tables.get(schema);
  };
  const lines = unpacked(queries).trim().split('\n');
  return lines.flatMap((line): readonly Size[] => {
    const { id, sql, adapted = sql, schema = {} } = JSON.parse(line) as Listed;
    const known = new Map(Object.entries(schema).map(([table, its]) => [table.toLowerCase(), its]));
    const find = (name: string): Source | undefined => {
      const parts = name.toLowerCase().split('.');
      const its = [0, 1, 2].map((from) => known.get(parts.slice(from).join('.'))).find((found) => found !== undefined);
      return its === undefined ? undefined : tableOf(its);
    };
    const translation = refusedOr(() => translate(adapted, { sources: { find, names: [...known.keys()] } }));
    return translation === undefined ? [] : [{ query: id, from: adapted.length, to: translation.sql.length, sql: translation.sql, text: adapted } as never];
  });
}

const madeTable = (columns: Columns): Source | undefined =>
  createdTables(
    `CREATE TABLE t (${columns.map(([name, type]) => `\`${name}\` ${clickhouseColumn(type)}`).join(', ')}) ENGINE = Memory`,
  ).find('t');

const SCALARS: Readonly<Record<string, string>> = {
  INT64: 'Int64',
  FLOAT64: 'Float64',
  BOOL: 'Bool',
  DATE: 'Date32',
  TIMESTAMP: "DateTime64(6, 'UTC')",
  DATETIME: 'DateTime64(6)',
  NUMERIC: 'Decimal(38, 9)',
  BIGNUMERIC: 'Decimal(76, 38)',
};

/** Returns a column type of ClickHouse for one of BigQuery. */
function clickhouseColumn(type: string): string {
  const array = /^ARRAY<(.*)>$/.exec(type)?.[1];
  if (array !== undefined) return `Array(${clickhouseColumn(array)})`;
  const fields = /^STRUCT<(.*)>$/.exec(type)?.[1];
  if (fields === undefined)
    return type === 'RECORD' ? 'Map(String, String)' : `Nullable(${SCALARS[type.replace(/\(.*\)$/, '')] ?? 'String'})`;
  const written = splitFields(fields).map((field) => {
    const [, name = '', inner = 'STRING'] = /^(`[^`]*`|\S+)\s+(.*)$/.exec(field.trim()) ?? [];
    return `\`${name.replaceAll('`', '')}\` ${clickhouseColumn(inner)}`;
  });
  return `Tuple(${written.join(', ')})`;
}

function splitFields(text: string): readonly string[] {
  const fields = [''];
  let depth = 0;
  for (const character of text) {
    if (character === '<') depth++;
    if (character === '>') depth--;
    if (character === ',' && depth === 0) fields.push('');
    else fields[fields.length - 1] += character;
  }
  return fields;
}

/** Prints how many times as long the SQL is: in the median, in nine of ten, and at most. */
export function report(title: string, sizes: readonly Size[], longest: number): void {
  const sorted = sizes.map((size) => ({ ...size, times: size.to / size.from })).sort((a, b) => a.times - b.times);
  const at = (share: number): string => (sorted[Math.floor(share * (sorted.length - 1))]?.times ?? 0).toFixed(2);
  console.log(`${title}: ${sorted.length} queries; median ${at(0.5)}, nine of ten ${at(0.9)}, longest ${at(1)} times as long`);
  for (const { query, from, to, times } of sorted.slice(sorted.length - longest).reverse())
    console.log(`  ${times.toFixed(1).padStart(6)}  ${String(from).padStart(6)} → ${String(to).padStart(6)}  ${query}`);
}
