// Reads CREATE TABLE … AS SELECT, CREATE VIEW … AS SELECT, INSERT … SELECT, and DROP of what they create.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/data-definition-language#create_table_statement
import type { CreatedTable, Cte, DroppedTable, Identifier, Query, SelectItem, TypeRef } from '../ast.ts';
import { startsQuery } from './lookahead.ts';
import { closeList, parseList, parseName, parseTablePath } from './parse-name.ts';
import { parseType } from './parse-type.ts';
import { type Parser, parseExpression, parseQuery } from './parser.ts';
import { refuseInsert } from './refuse-statement.ts';
import { skipOptions } from './skip-options.ts';

/** Reads the rest of `CREATE [OR REPLACE] [TEMP] TABLE | VIEW …`, whose words before TABLE or VIEW are read. */
export function parseTableDefinition(s: Parser, start: number): CreatedTable {
  s.take('MATERIALIZED');
  const what = s.advance().text;
  s.takeAll('IF', 'NOT', 'EXISTS');
  const name = parseTableName(s);
  const columns = s.is('(') ? parseColumns(s) : [];
  skipStorage(s);
  const filled = s.is(';') && s.peek().text === 'INSERT' ? parseFilling(s, name, columns) : undefined;
  if (filled !== undefined) return filled;
  if (!s.is('AS'))
    throw s.unsupported(
      `CREATE ${what} ${name.name} has no AS SELECT`,
      `only CREATE ${what} … AS SELECT can come before the query: write rows that INSERT would add as a SELECT`,
      start,
    );
  s.advance();
  if (!startsQuery(s) && !s.is('(')) s.fail('a query');
  const query = parseQuery(s);
  const table: Cte = { kind: 'cte', name, columns: columns.map((column) => column.name), query, span: s.span(start) };
  return {
    kind: 'create_table',
    table: columns.some(({ type }) => type !== null) ? converted(table, columns) : table,
    span: s.span(start),
  };
}

interface Column {
  readonly name: Identifier;
  readonly type: TypeRef | null;
}

/** Returns the table as a query around its own rows, which converts them to the types of the columns. */
function converted(rows: Cte, columns: readonly Column[]): Cte {
  const { name, span } = rows;
  const items = columns.map(({ name: alias, type }): SelectItem => {
    const operand = { kind: 'path' as const, parts: [alias], span: alias.span };
    const value =
      type === null ? operand : { kind: 'cast' as const, operand, to: type, safe: false, format: null, timeZone: null, span: type.span };
    return { kind: 'expr_item', value, alias, span: alias.span };
  });
  const from = { kind: 'table_name' as const, parts: [name], alias: null, withOffset: null, forSystemTime: null, operators: [], span };
  const none = { where: null, groupBy: null, having: null, qualify: null, windows: [] };
  const body = { kind: 'select' as const, distinct: false, as: null, items, from, ...none, span };
  const query: Query = { kind: 'query', ctes: [rows], recursive: false, body, orderBy: [], limit: null, offset: null, pipes: [], span };
  return { ...rows, columns: [], query };
}

/** Reads `; INSERT INTO t …` right behind the CREATE of an empty `t`, of all its columns; undefined if it is of others. */
function parseFilling(s: Parser, name: Identifier, columns: readonly Column[]): CreatedTable | undefined {
  s.advance();
  const { table, span } = parseInsert(s);
  const key = (column: Identifier): string => column.name.toLowerCase();
  if (key(table.name) !== key(name) || columns.length === 0) return undefined;
  const listed = table.columns.map((column) => columns.find((one) => key(one.name) === key(column)));
  const rows = { ...table, columns: table.columns.length === 0 ? columns.map((column) => column.name) : table.columns };
  if (listed.includes(undefined) || rows.columns.length !== columns.length) return undefined;
  return { kind: 'create_table', table: converted(rows, columns), span };
}

/** Reads `INSERT [INTO] t [(a, b)] SELECT …` as the rows that it would add. Others are refused. */
export function parseInsert(s: Parser): CreatedTable {
  const { start, end } = s.token;
  s.expect('INSERT');
  s.take('INTO');
  const name = parseTableName(s);
  const next = s.peek();
  const lists = s.is('(') && next.text !== '(' && !(next.kind === 'word' && ['SELECT', 'FROM', 'WITH'].includes(next.text));
  const columns = lists ? parseColumns(s).map((column) => column.name) : [];
  if (!startsQuery(s) && !s.is('(')) refuseInsert({ start, end });
  const query = parseQuery(s);
  const span = s.span(start);
  return { kind: 'create_table', table: { kind: 'cte', name, columns, query, span }, adds: true, span };
}

/** Reads `SCHEMA [IF NOT EXISTS] d [OPTIONS (…)]`: a dataset for tables, which nothing reads. */
export function skipSchema(s: Parser): void {
  s.expect('SCHEMA');
  s.takeAll('IF', 'NOT', 'EXISTS');
  parseTableName(s);
  skipOptions(s);
}

/** Reads `DROP TABLE [IF EXISTS] x` and `DROP VIEW x`. */
export function parseDrop(s: Parser): DroppedTable {
  const { start } = s.token;
  s.expect('DROP');
  s.take('MATERIALIZED');
  if (!s.is('TABLE') && !s.is('VIEW'))
    throw s.unsupported(`DROP ${s.token.text} is not a query`, 'quern only reads: leave out the statement', start);
  s.advance();
  s.takeAll('IF', 'EXISTS');
  return { kind: 'drop_table', name: parseTableName(s), span: s.span(start) };
}

/** Reads the name that FROM will write, as one name with dots. */
function parseTableName(s: Parser): Identifier {
  const parts = parseTablePath(s);
  const [first] = parts;
  if (first === undefined) throw new RangeError('a table has a name');
  return { ...first, name: parts.map(({ name }) => name).join('.'), span: s.span(first.span.start) };
}

/** Reads `(a, b INT64)`: new names for the columns of the query, and types to which its values are converted. */
function parseColumns(s: Parser): Column[] {
  s.expect('(');
  const columns = parseList(s, (stream): Column => {
    const name = parseName(stream, 'a column name');
    const bare = stream.is(',') || stream.is(')') || stream.is('OPTIONS');
    const type = bare ? null : parseType(stream);
    if (stream.take('DEFAULT')) parseExpression(stream);
    stream.takeAll('NOT', 'NULL');
    skipOptions(stream);
    return { name, type };
  });
  closeList(s);
  return columns;
}

/** Skips PARTITION BY, CLUSTER BY and OPTIONS: they say where BigQuery keeps the rows, and do not change them. */
function skipStorage(s: Parser): void {
  for (;;) {
    if (s.takeAll('PARTITION', 'BY') || s.takeAll('CLUSTER', 'BY')) parseList(s, parseExpression);
    else if (s.is('OPTIONS')) skipOptions(s);
    else return;
  }
}
