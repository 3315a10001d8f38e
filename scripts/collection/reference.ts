// The rows of the collection's queries beside those of Google's reference implementation, which is given the tables that a query reads.

import type { QueryResult } from '../../src/base/result.ts';
import { referencesOf } from '../../src/queries/references.ts';
import { STRING } from '../../src/sql/base/types.ts';
import { parse } from '../../src/sql/index.ts';
import type { TableName } from '../../src/sql/syntax/ast.ts';
import { difference } from '../differential/compare.ts';
import type { Table } from '../differential/outcome.ts';
import { installReference } from '../differential/reference/install.ts';
import { openReference, type Reference } from '../differential/reference/service.ts';
import { asStructs, fitted, holdsRecord } from './records.ts';

export interface Compared {
  /** `unable`: the reference does not run the query, or cannot be given its tables. */
  readonly kind: 'same' | 'different' | 'unable';
  readonly message: string;
}

/** Runs a query of the group as its own are run. */
export type Ask = (sql: string) => Promise<QueryResult>;

/** What it says of modes of JSONPath, which are younger than it, as if they were bad values. */
const LACKING = /JSONPath must start with/;

export const startReference = (): Promise<Reference> => openReference(installReference(console.error), () => {});

/** `asOf`: what the query's CURRENT_TIMESTAMP() is. */
export async function compare(
  sql: string,
  asOf: string | undefined,
  result: QueryResult,
  ask: Ask,
  reference: Reference,
): Promise<Compared> {
  const script = parse(sql);
  if (script.functions.length + script.statements.length > 0) return { kind: 'unable', message: 'the reference runs one statement' };
  const nodes = nodesOf(script);
  const pseudo = PSEUDO.filter((column) => new RegExp(`\\b${column}\\b`, 'i').test(sql));
  if (pseudo.length > 0 && nodes.some(({ kind }) => kind === 'star_item'))
    return { kind: 'unable', message: `${pseudo.join(', ')} would be a column of *` };
  const given: Table[] = [];
  const edits: Edit[] = [...instants(nodes, asOf)];
  const tables = nodes.filter((node): node is Node & TableName => node.kind === 'table_name');
  try {
    for (const { name, span } of referencesOf(script).tables) {
      const node = tables.find((one) => one.span.start === span.start);
      const table = given.find((one) => one.name === name) ?? (await tableOf(name, pseudo, ask));
      if (node === undefined || table === undefined) continue;
      if (!given.includes(table)) given.push(table);
      const alias = node.alias === null ? ` AS \`${name.split('.').at(-1) ?? name}\`` : '';
      const end = node.parts.at(-1)?.span.end ?? span.end;
      edits.push({ start: span.start, end, text: `\`t${given.indexOf(table)}\`${alias}` });
    }
    await reference.setTables(given.map((table, i) => ({ ...table, name: `t${i}` })));
  } catch (error) {
    return { kind: 'unable', message: `its tables: ${error instanceof Error ? error.message : String(error)}` };
  }
  const expected = await reference.evaluate(edited(sql, edits).replace(/;\s*$/, ''));
  if (expected.kind === 'error' && LACKING.test(expected.message)) return { kind: 'unable', message: expected.message };
  if (expected.kind === 'error') return { kind: 'different', message: `the reference fails: ${expected.message}` };
  if (expected.kind !== 'rows') return { kind: 'unable', message: expected.message };
  // Queries that order their rows seldom order all of them.
  const { types } = expected;
  const records = result.columns.map(({ type }) => holdsRecord(type));
  const got = {
    kind: 'rows' as const,
    types: result.columns.map(({ type }, i) => (records[i] ? (types[i] ?? type) : type)),
    rows: result.rows.map((row) => row.map((value, i) => (records[i] ? fitted(value, types[i] ?? STRING) : value))),
  };
  const why = difference(expected, got, { ordered: false });
  if (why === undefined) return { kind: 'same', message: '' };
  const all = withoutLimit(sql);
  if (all === undefined) return { kind: 'different', message: why };
  return compare(all, asOf, await ask(all), ask, reference);
}

const LIMIT = /\blimit\s+\d+\s*;?\s*$/i;

/** Returns the text without the LIMIT at its end, if it has one: which of the rows that are equal by its order that leaves, nobody says. */
export const withoutLimit = (sql: string): string | undefined => (LIMIT.test(sql) ? sql.replace(LIMIT, '') : undefined);

/** Columns that `*` does not show. */
const PSEUDO = ['_TABLE_SUFFIX', '_PARTITIONTIME', '_PARTITIONDATE'];

/** The rows of a table; undefined for an array path, which is no table. */
async function tableOf(name: string, pseudo: readonly string[], ask: Ask): Promise<Table | undefined> {
  const read = (columns: readonly string[]) => ask(`SELECT ${['*', ...columns].join(', ')} FROM \`${name}\``);
  const result = await read(pseudo).catch(() => (pseudo.length === 0 ? undefined : read([]).catch(() => undefined)));
  if (result === undefined) return undefined;
  const structs = result.columns.map(({ type }, i) =>
    asStructs(
      type,
      result.rows.map((row) => row[i] ?? null),
    ),
  );
  return {
    name,
    columns: result.columns.map((column, i) => ({ name: column.name, type: structs[i]?.type ?? column.type })),
    rows: result.rows.map((row, at) => row.map((value, i) => structs[i]?.values[at] ?? value)),
  };
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}
interface Node {
  readonly kind: string;
  readonly span: { readonly start: number; readonly end: number };
}

function nodesOf(tree: unknown): readonly Node[] {
  if (typeof tree !== 'object' || tree === null) return [];
  const below = Object.values(tree).flatMap(nodesOf);
  return 'kind' in tree && 'span' in tree ? [tree as Node, ...below] : below;
}

/** The reference's clock is today's. */
function instants(nodes: readonly Node[], asOf: string | undefined): readonly Edit[] {
  if (asOf === undefined) return [];
  return nodes.flatMap((node) => {
    const { name, args } = node as { readonly name?: readonly { readonly name: string }[]; readonly args?: readonly unknown[] };
    const type =
      node.kind === 'call' && args?.length === 0 ? /^CURRENT_(TIMESTAMP|DATETIME|DATE|TIME)$/i.exec(name?.[0]?.name ?? '')?.[1] : undefined;
    if (type === undefined) return [];
    const value = type.toUpperCase() === 'TIMESTAMP' ? `TIMESTAMP '${asOf}'` : `EXTRACT(${type} FROM TIMESTAMP '${asOf}')`;
    return [{ ...node.span, text: value }];
  });
}

const edited = (sql: string, edits: readonly Edit[]): string =>
  [...edits]
    .sort((a, b) => b.start - a.start)
    .reduce((text, { start, end, text: now }) => text.slice(0, start) + now + text.slice(end), sql);
