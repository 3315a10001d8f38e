// Spans: every node knows exactly which part of the text it is.
import { describe, expect, test } from 'vitest';
import { parseScript } from '../../../src/sql/syntax/parser/parse-script.ts';
import { nodesOf, parseExpression, withoutSpans } from './trees.ts';

const SCRIPT = `-- a comment in front
CREATE TEMP FUNCTION f(x INT64) RETURNS ARRAY<INT64> AS ([x, (x + 1)]);
DECLARE y INT64 DEFAULT 5; SET (y) = 6; CREATE TABLE FUNCTION g(t TABLE<a BOOL>) AS SELECT 1; CREATE TEMP TABLE p.w AS SELECT y; DROP TABLE p.w;
WITH logs AS (
  SELECT t.id, (a + b) * c AS n, m.path::text, -- why
    COUNTIF(REGEXP_CONTAINS(r.path, r'^/rest')) OVER (PARTITION BY d ORDER BY e DESC ROWS 1 PRECEDING) AS z,
  FROM \`cloudflare.logs.prod\` AS t, UNNEST(metadata) AS m WITH OFFSET AS i
  LEFT JOIN (u JOIN g(TABLE v, x => 1) AS v USING (id)) ON t.id = u.id AND (NOT t.x OR t.y IN (1, 2)) AND TRUE
  WHERE timestamp BETWEEN @start AND TIMESTAMP '2026-01-02' AND arr[SAFE_OFFSET(0)].f IS NOT NULL
  GROUP BY 1, ROLLUP(a, b)
)
(SELECT * EXCEPT (id) FROM logs) UNION ALL SELECT CASE WHEN a THEN STRUCT<b INT64>(1) END, (1, 2), ARRAY(SELECT 1), 'a' 'b'
ORDER BY n DESC LIMIT 10
|> AGGREGATE COUNT(*) AS c GROUP BY k |> WHERE (c).d > 1;
`;

const EXPRESSIONS = new Set(
  `null_literal bool_literal int_literal float_literal string_literal bytes_literal typed_literal interval parameter path field_access
  subscript unary binary is_test is_distinct between in like quantified_like case cast extract call array struct subquery with_expr`.split(
    /\s+/,
  ),
);

test('the text of every expression and query, read alone, is the same node', () => {
  for (const node of nodesOf(parseScript(SCRIPT))) {
    const text = SCRIPT.slice(node.span.start, node.span.end);
    if (EXPRESSIONS.has(node.kind)) expect([text, withoutSpans(parseExpression(text))]).toEqual([text, withoutSpans(node)]);
    if (node.kind === 'query') expect([text, withoutSpans(parseScript(text).query)]).toEqual([text, withoutSpans(node)]);
  }
});

describe('the nodes of a kind point at their text', () => {
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['table_name', ['`cloudflare.logs.prod` AS t', 'u', 'v', 'logs']],
    ['unnest', ['UNNEST(metadata) AS m WITH OFFSET AS i']],
    ['with_offset', ['WITH OFFSET AS i']],
    ['parenthesised_join', ['(u JOIN g(TABLE v, x => 1) AS v USING (id))']],
    ['window', ['(PARTITION BY d ORDER BY e DESC ROWS 1 PRECEDING)']],
    ['order_item', ['e DESC', 'n DESC']],
    ['group_by', ['GROUP BY 1, ROLLUP(a, b)', 'GROUP BY k']],
    ['rollup', ['ROLLUP(a, b)']],
    ['star_item', ['* EXCEPT (id)']],
    ['type', ['INT64', 'ARRAY<INT64>', 'INT64', 'TABLE<a BOOL>', 'BOOL', 'INT64', 'text', 'STRUCT<b INT64>', 'INT64']],
    ['pipe_aggregate', ['AGGREGATE COUNT(*) AS c GROUP BY k']],
    ['declare', ['DECLARE y INT64 DEFAULT 5']],
    ['set', ['SET (y) = 6']],
    ['create_table', ['CREATE TEMP TABLE p.w AS SELECT y']],
    ['drop_table', ['DROP TABLE p.w']],
    ['table_call', ['g(TABLE v, x => 1) AS v']],
    ['create_table_function', ['CREATE TABLE FUNCTION g(t TABLE<a BOOL>) AS SELECT 1']],
    ['create_function', ['CREATE TEMP FUNCTION f(x INT64) RETURNS ARRAY<INT64> AS ([x, (x + 1)])']],
  ];
  test.each(rows)('%s', (kind, texts) => {
    const found = nodesOf(parseScript(SCRIPT)).filter((node) => node.kind === kind);
    expect(found.map(({ span }) => SCRIPT.slice(span.start, span.end))).toEqual(texts);
  });
});
