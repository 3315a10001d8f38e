// Reads CREATE TABLE … AS SELECT, CREATE VIEW … AS SELECT, and DROP of what they create.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/data-definition-language#create_table_statement
import type { CreatedTable, DroppedTable, Identifier } from '../ast.ts';
import { startsQuery } from './lookahead.ts';
import { closeList, parseList, parseName, parseTablePath } from './parse-name.ts';
import { type Parser, parseExpression, parseQuery } from './parser.ts';
import { skipOptions } from './skip-options.ts';

/** The rest of `CREATE [OR REPLACE] [TEMP] TABLE | VIEW …`, whose words before TABLE or VIEW are read. */
export function parseTableDefinition(s: Parser, start: number): CreatedTable {
  s.take('MATERIALIZED');
  const what = s.advance().text;
  s.takeAll('IF', 'NOT', 'EXISTS');
  const name = parseTableName(s);
  const columns = s.is('(') ? parseColumns(s, what) : [];
  skipStorage(s);
  if (!s.is('AS'))
    throw s.unsupported(
      `CREATE ${what} ${name.name} has no AS SELECT`,
      `only CREATE ${what} … AS SELECT can come before the query: write rows that INSERT would add as a SELECT`,
      start,
    );
  s.advance();
  if (!startsQuery(s) && !s.is('(')) s.fail('a query');
  const query = parseQuery(s);
  const table = { kind: 'cte' as const, name, columns, query, span: s.span(start) };
  return { kind: 'create_table', table, span: s.span(start) };
}

/** `SCHEMA [IF NOT EXISTS] d [OPTIONS (…)]`: a dataset for tables, which nothing reads. */
export function skipSchema(s: Parser): void {
  s.expect('SCHEMA');
  s.takeAll('IF', 'NOT', 'EXISTS');
  parseTableName(s);
  skipOptions(s);
}

/** `DROP TABLE [IF EXISTS] x` and `DROP VIEW x`. */
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

/** The name that FROM will write, as one name with dots. */
function parseTableName(s: Parser): Identifier {
  const parts = parseTablePath(s);
  const [first] = parts;
  if (first === undefined) throw new RangeError('a table has a name');
  return { ...first, name: parts.map(({ name }) => name).join('.'), span: s.span(first.span.start) };
}

/** `(a, b)`: new names for the columns of the query. Types would convert its values. */
function parseColumns(s: Parser, what: string): Identifier[] {
  s.expect('(');
  const columns = parseList(s, (stream) => {
    const name = parseName(stream, 'a column name');
    skipOptions(stream);
    if (!stream.is(',') && !stream.is(')'))
      throw stream.unsupported(
        `column types in CREATE ${what} are not translated`,
        'leave out the list, and CAST columns in the SELECT',
        name.span.start,
      );
    return name;
  });
  closeList(s);
  return columns;
}

/** PARTITION BY, CLUSTER BY, OPTIONS: where BigQuery keeps the rows, which they do not change. */
function skipStorage(s: Parser): void {
  for (;;) {
    if (s.takeAll('PARTITION', 'BY') || s.takeAll('CLUSTER', 'BY')) parseList(s, parseExpression);
    else if (s.is('OPTIONS')) skipOptions(s);
    else return;
  }
}
