// Reads calls of functions that return rows: their arguments between the name and the alias.
// https://cloud.google.com/bigquery/docs/table-functions#table-parameters
import type { Identifier, TableArgument, TableCall, TableName } from '../ast.ts';
import { closeList, isName, parseList, parseTablePath, takeName } from './parse-name.ts';
import { type Parser, parseExpression } from './parser.ts';

/** Reads the call of the function named by `path`, which began at `start`; the current token is its `(`. */
export function parseTableCall(s: Parser, start: number, path: readonly Identifier[]): Omit<TableCall, 'alias' | 'operators'> {
  const [first] = path;
  if (first === undefined) throw new RangeError('a function has a name');
  const name = { ...first, name: path.map((part) => part.name).join('.'), span: s.span(start) };
  const reason = BIGQUERY_ALONE.find(([names]) => names.test(name.name.toUpperCase()))?.[1];
  if (reason !== undefined) throw s.unsupported(`${name.name}(…) in FROM is a table function`, reason, start);
  s.enter();
  s.expect('(');
  const args = s.is(')') ? [] : parseList(s, parseTableArgument);
  closeList(s);
  s.leave();
  return { kind: 'table_call', name, args, span: s.span(start) };
}

function parseTableArgument(s: Parser): TableArgument {
  const name = isName(s.token) && s.peek().text === '=>' ? takeName(s) : null;
  if (name !== null) s.expect('=>');
  // A column may be called `table`.
  return { name, value: s.is('TABLE') && isName(s.peek()) ? parseWholeTable(s) : parseExpression(s) };
}

/** Reads `TABLE t`. */
function parseWholeTable(s: Parser): TableName {
  s.expect('TABLE');
  const { start } = s.token;
  const parts = parseTablePath(s);
  return { kind: 'table_name', parts, alias: null, withOffset: null, forSystemTime: null, operators: [], span: s.span(start) };
}

/** BigQuery's own functions without a counterpart, and the hint what to write instead. */
const BIGQUERY_ALONE: readonly (readonly [RegExp, string])[] = [
  [/^(?:TUMBLE|HOP)$/, 'windows of continuous queries exist only in BigQuery: group by TIMESTAMP_BUCKET(timestamp, INTERVAL 5 MINUTE)'],
  [
    /^SESSION$/,
    'a session begins where TIMESTAMP_DIFF to LAG(timestamp) OVER (…) is large: number sessions with COUNTIF(begins) OVER (… ORDER BY timestamp)',
  ],
  [/^(?:ML|AI)\./, 'models exist only in BigQuery'],
  [/^VECTOR_SEARCH$/, 'order by COSINE_DISTANCE(a, b) or EUCLIDEAN_DISTANCE(a, b), with LIMIT'],
  [/^(?:APPENDS|CHANGES)$/, 'ClickHouse tables keep no history of changes: filter by a time column'],
  [/^RANGE_SESSIONIZE$/, 'quern has no RANGE type: number the sessions with COUNTIF(begins) OVER (… ORDER BY start)'],
  [/^EXTERNAL_QUERY$/, 'it calls another Google service: if the table is in ClickHouse, map it in quern.yaml'],
];
