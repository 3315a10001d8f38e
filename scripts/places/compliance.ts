// GoogleSQL cases whose tables stand in their WITH: each becomes a table that can be spread over shards, and the WITH reads it.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { translate } from '../../src/sql/index.ts';
import type { Query } from '../../src/sql/syntax/ast.ts';
import { parseScript } from '../../src/sql/syntax/parser/parse-script.ts';
import { question, type Workload } from './workload.ts';

interface Case {
  readonly id: string;
  readonly sql: string;
}

const DATABASE = 'compliance';

export function complianceWorkload(cases: string, folder: string): Workload {
  const tables = new Map<string, string>();
  const statements = [`CREATE DATABASE ${DATABASE}`];
  /** Returns the name of the table with the rows of a text; undefined if there can be none. */
  const tableOf = (text: string): string | undefined => {
    const known = tables.get(text);
    if (known !== undefined) return known === '' ? undefined : known;
    const made = statementOf(text, `t${tables.size}`);
    tables.set(text, made === undefined ? '' : `t${tables.size}`);
    if (made !== undefined) statements.push(made);
    return tables.get(text) || undefined;
  };
  const questions = readCases(cases).flatMap(({ id, sql }) => {
    const spread = withTables(sql, tableOf);
    return spread === undefined ? [] : [question({ name: id, sql: spread })];
  });
  const own = join(folder, 'compliance');
  mkdirSync(own);
  const names = [...tables.values()].filter((name) => name !== '');
  writeFileSync(join(own, 'quern.yaml'), `sources:\n${names.map((name) => `  ${name}: { table: ${DATABASE}.${name} }\n`).join('')}`);
  return { title: 'compliance cases with tables', tables: { folder: own, statements, events: {}, sandbox: undefined }, questions };
}

const readCases = (folder: string): readonly Case[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/** Returns the text with each first table of its WITH read from a table of its own; undefined where none of them can be. */
function withTables(sql: string, tableOf: (text: string) => string | undefined): string | undefined {
  let query: Query;
  try {
    ({ query } = parseScript(sql));
  } catch {
    return undefined;
  }
  let text = sql;
  for (const cte of query.recursive ? [] : [...query.ctes].reverse()) {
    const { start, end } = cte.query.span;
    const table = tableOf(sql.slice(start, end));
    if (table !== undefined) text = `${text.slice(0, start)}select * from ${table}${text.slice(end)}`;
  }
  return text === sql ? undefined : text;
}

/** A text that reads other tables is refused by the translator, which knows none. */
function statementOf(text: string, name: string): string | undefined {
  try {
    const { sql, settings } = translate(text);
    const changed = Object.entries({ ...settings, allow_suspicious_low_cardinality_types: 1 }).map(
      ([setting, value]) => `${setting} = ${typeof value === 'string' ? `'${value}'` : value}`,
    );
    return `CREATE TABLE ${DATABASE}.${name} ENGINE = MergeTree ORDER BY tuple() AS ${sql} SETTINGS ${changed.join(', ')}`;
  } catch {
    return undefined;
  }
}
