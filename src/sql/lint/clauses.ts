// The clauses of BigQuery's query syntax, translated and refused, for the documentation. Each row has a query that a test translates.

interface ClauseRow {
  readonly name: string;
  /** `exact`: BigQuery's rows; `differs`: see the note; `refused`: an error that says why. */
  readonly state: 'exact' | 'differs' | 'refused';
  /** A query with the clause, which is refused if the clause is. */
  readonly example: string;
  /** The reason, and what to write instead. */
  readonly note?: string;
}

const T = '(SELECT 1 AS a, 2 AS b)';

export const CLAUSES: readonly ClauseRow[] = [
  { name: 'SELECT list with aliases, trailing comma', state: 'exact', example: `SELECT a, b AS c, FROM ${T}` },
  { name: '`*`, `t.*`, EXCEPT, REPLACE', state: 'exact', example: `SELECT * EXCEPT (b) REPLACE (a + 1 AS a) FROM ${T}` },
  { name: 'SELECT DISTINCT', state: 'exact', example: `SELECT DISTINCT a FROM ${T}` },
  { name: 'SELECT AS STRUCT, SELECT AS VALUE', state: 'exact', example: 'SELECT AS STRUCT 1 AS a' },
  { name: 'WITH, also inside subqueries', state: 'exact', example: 'WITH t AS (SELECT 1 AS a) SELECT a FROM t' },
  {
    name: 'WITH RECURSIVE',
    state: 'exact',
    example: 'WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 3) SELECT i FROM n',
    note: 'one table, which reads itself once; the engine stops after 1000 rounds',
  },
  {
    name: 'INNER, LEFT, RIGHT, FULL, CROSS and comma joins',
    state: 'exact',
    example: `SELECT 1 FROM ${T} AS t FULL JOIN ${T} AS u ON t.a = u.b`,
  },
  { name: 'USING', state: 'exact', example: `SELECT a FROM ${T} JOIN ${T} USING (a)` },
  { name: 'UNNEST, array paths, WITH OFFSET', state: 'exact', example: 'SELECT e, o FROM UNNEST([1]) AS e WITH OFFSET AS o' },
  {
    name: 'LEFT JOIN UNNEST with a condition',
    state: 'exact',
    example: 'SELECT 1 FROM (SELECT [1] AS xs) AS t LEFT JOIN UNNEST(t.xs) AS x WITH OFFSET AS o ON x > 1 AND o < 5',
    note: 'refused for records',
  },
  {
    name: 'UNNEST of several arrays at once',
    state: 'refused',
    example: 'SELECT 1 FROM UNNEST([1], [2])',
    note: 'unnest one WITH OFFSET and index the others with the offset',
  },
  {
    name: 'Subqueries: scalar, ARRAY, EXISTS, IN, correlated',
    state: 'exact',
    example: `SELECT (SELECT MAX(u.a) FROM ${T} AS u WHERE u.a <= t.a) FROM ${T} AS t`,
    note: 'correlated subqueries become joins; they are refused inside a FULL JOIN, a ROLLUP or a lambda, and over rows that RAND makes',
  },
  { name: 'WHERE, HAVING, QUALIFY', state: 'exact', example: `SELECT a FROM ${T} WHERE b > 1 QUALIFY ROW_NUMBER() OVER (ORDER BY a) = 1` },
  { name: 'GROUP BY names, positions, aliases, ALL', state: 'exact', example: `SELECT a, COUNT(*) FROM ${T} GROUP BY ALL` },
  { name: 'ROLLUP, CUBE, GROUPING SETS', state: 'exact', example: `SELECT a, COUNT(*) FROM ${T} GROUP BY ROLLUP (a)` },
  {
    name: 'Aggregates with DISTINCT, ORDER BY, LIMIT, IGNORE NULLS, HAVING MAX/MIN; MAX_BY, MIN_BY',
    state: 'exact',
    example: `SELECT ARRAY_AGG(DISTINCT a IGNORE NULLS ORDER BY a LIMIT 2) FROM ${T}`,
  },
  {
    name: 'Window functions, frames, named windows',
    state: 'exact',
    example: `SELECT SUM(a) OVER w FROM ${T} WINDOW w AS (ORDER BY b ROWS 1 PRECEDING)`,
    note: 'frame offsets must be constants; RANGE with an offset needs ORDER BY a number',
  },
  { name: 'ORDER BY with NULLS FIRST / LAST', state: 'exact', example: `SELECT a FROM ${T} ORDER BY a DESC NULLS FIRST` },
  {
    name: "ORDER BY … COLLATE 'und:ci'",
    state: 'exact',
    example: `SELECT 'a' AS s ORDER BY s COLLATE 'und:ci'`,
    note: 'of the last key of a query; other collations are refused',
  },
  { name: 'LIMIT, OFFSET', state: 'exact', example: 'SELECT 1 LIMIT 1 OFFSET 0' },
  {
    name: 'LIMIT over an ordered subquery',
    state: 'differs',
    example: `SELECT a FROM (SELECT a FROM ${T} ORDER BY a) LIMIT 1`,
    note: 'takes the first rows in the order of the subquery; BigQuery guarantees no order there',
  },
  { name: 'UNION, INTERSECT, EXCEPT, ALL and DISTINCT, BY NAME', state: 'exact', example: 'SELECT 1 AS a UNION ALL SELECT 2' },
  { name: 'PIVOT, UNPIVOT', state: 'exact', example: "SELECT * FROM (SELECT 'x' AS k, 1 AS v) PIVOT (SUM(v) FOR k IN ('x'))" },
  {
    name: 'TABLESAMPLE',
    state: 'refused',
    example: 'WITH t AS (SELECT 1 AS a) SELECT * FROM t TABLESAMPLE SYSTEM (10 PERCENT)',
    note: 'ClickHouse samples only tables created for it; filter by RAND() or by a hash',
  },
  {
    name: 'FOR SYSTEM_TIME AS OF',
    state: 'refused',
    example: 'SELECT * FROM t FOR SYSTEM_TIME AS OF CURRENT_TIMESTAMP()',
    note: 'ClickHouse tables keep no history; `--as-of` sets the time that CURRENT_TIMESTAMP() gives',
  },
  { name: 'Pipe syntax', state: 'exact', example: `FROM ${T} |> WHERE a = 1 |> AGGREGATE COUNT(*) AS n GROUP BY b` },
  { name: 'CASE, IF, COALESCE, IFNULL, NULLIF', state: 'exact', example: 'SELECT CASE 1 WHEN 1 THEN 2 END' },
  { name: 'CAST, SAFE_CAST, also with FORMAT', state: 'exact', example: "SELECT CAST(DATE '2024-01-02' AS STRING FORMAT 'YYYY')" },
  {
    name: 'EXTRACT, date parts, AT TIME ZONE',
    state: 'exact',
    example: "SELECT EXTRACT(HOUR FROM CURRENT_TIMESTAMP() AT TIME ZONE 'Asia/Tokyo')",
  },
  { name: 'INTERVAL values and arithmetic', state: 'exact', example: "SELECT CURRENT_TIMESTAMP() - INTERVAL '1:30' HOUR TO MINUTE" },
  { name: 'ARRAY and STRUCT constructors, subscripts, fields', state: 'exact', example: 'SELECT [STRUCT(1 AS a)][OFFSET(0)].a' },
  { name: 'LIKE, LIKE ANY / ALL, BETWEEN, IN, IS DISTINCT FROM', state: 'exact', example: "SELECT 'a' LIKE ANY ('a%', 'b')" },
  { name: 'array IS NULL', state: 'exact', example: 'SELECT a IS NULL FROM (SELECT [1] AS a)' },
  { name: 'SAFE. before a function', state: 'exact', example: "SELECT SAFE.PARSE_DATE('%F', 'x')" },
  { name: '`@name` parameters', state: 'exact', example: 'SELECT 1', note: 'declared in the header of the saved query; `?` is refused' },
  {
    name: 'JSON_QUERY with the paths `lax $.a` and `lax recursive $.a`',
    state: 'exact',
    example: `SELECT JSON_QUERY(JSON '{"a": [{"b": 1}]}', 'lax $.a.b')`,
    note: 'works on JSON values; make one from a STRING with PARSE_JSON',
  },
  {
    name: 'CREATE TEMP AGGREGATE FUNCTION (SQL)',
    state: 'exact',
    example: 'CREATE TEMP AGGREGATE FUNCTION f(x INT64) AS (SUM(x)); SELECT f(1)',
  },
  { name: 'CREATE TEMP FUNCTION (SQL)', state: 'exact', example: 'CREATE TEMP FUNCTION f(x INT64) AS (x + 1); SELECT f(1)' },
  {
    name: 'CREATE TABLE FUNCTION, and its calls in FROM',
    state: 'exact',
    example:
      'CREATE TABLE FUNCTION f(t TABLE<a INT64>, least INT64) AS SELECT a FROM t WHERE a >= least; SELECT a FROM f((SELECT 1 AS a), 1)',
    note: 'a table is passed as `TABLE t` or as a query; arguments are positional; a value that RAND makes is refused as an argument',
  },
  {
    name: 'GAP_FILL in FROM',
    state: 'exact',
    example: "SELECT * FROM GAP_FILL((SELECT DATE '2026-01-01' AS day, 1 AS n), ts_column => 'day', bucket_width => INTERVAL 1 DAY)",
    note: 'bucket_width must be constant, and column names must be literals; array columns are refused, and so is an origin for months; different values for the same time fail the query (BigQuery does not document what it does there); integers are interpolated as FLOAT64 and rounded',
  },
  {
    name: 'TUMBLE, HOP, SESSION, RANGE_SESSIONIZE in FROM',
    state: 'refused',
    example: "SELECT * FROM SESSION(TABLE t, 'time', INTERVAL 5 MINUTE)",
    note: 'group by TIMESTAMP_BUCKET(timestamp, INTERVAL 5 MINUTE); a session begins where the time since LAG(timestamp) OVER (…) is large; number sessions with COUNTIF(begins) OVER (… ORDER BY timestamp)',
  },
  {
    name: 'DECLARE and SET before the query',
    state: 'exact',
    example: 'DECLARE x INT64 DEFAULT 5; SET x = x + 1; SELECT x',
    note: 'constants, values that depend on the time of the run, and subqueries; a column of the same name hides the variable; RAND and GENERATE_UUID are refused',
  },
  {
    name: 'CREATE TEMP TABLE, TABLE or VIEW … AS SELECT before the query, or around it',
    state: 'exact',
    example: 'CREATE TEMP TABLE t AS SELECT 1 AS a; SELECT a FROM t',
    note: 'read like WITH, and nothing is stored; types of columns are read as CASTs; if the text ends with one, its SELECT is the query; DROP works only on tables that the text creates',
  },
  {
    name: 'INSERT INTO … SELECT at the end',
    state: 'exact',
    example: 'INSERT INTO t SELECT 1 AS a',
    note: 'gives the rows that it would add; nothing is stored',
  },
  {
    name: 'CREATE TEMP FUNCTION (JavaScript)',
    state: 'refused',
    example: "CREATE TEMP FUNCTION f(x FLOAT64) RETURNS FLOAT64 LANGUAGE js AS 'return x'; SELECT f(1)",
    note: 'only SQL functions can be expanded in place',
  },
  {
    name: 'INSERT … VALUES, UPDATE, DELETE, MERGE, and anything else that writes',
    state: 'refused',
    example: 'INSERT INTO t VALUES (1)',
    note: 'saved queries only read',
  },
  {
    name: 'BEGIN … END around the query; CREATE SCHEMA before it',
    state: 'exact',
    example: 'CREATE SCHEMA IF NOT EXISTS d; BEGIN DECLARE x INT64 DEFAULT 5; SELECT x; END',
    note: 'no dataset is made; EXCEPTION and BEGIN TRANSACTION are refused',
  },
  {
    name: 'IF, CASE, RAISE and RETURN as statements',
    state: 'exact',
    example: 'DECLARE n INT64 DEFAULT 1; IF n = 1 THEN SELECT 1; ELSE SELECT 2; END IF',
    note: 'decided before anything runs, by literals and by variables whose values are known; where only the run knows the condition, it may decide about SET and nothing else',
  },
  {
    name: 'EXECUTE IMMEDIATE, with INTO and USING',
    state: 'exact',
    example: 'EXECUTE IMMEDIATE CONCAT("SELECT @x", " + 1") USING 2 AS x',
    note: 'one query, CREATE or DROP, in a text of literals and known variables, joined by CONCAT, FORMAT, REPLACE, UPPER, LOWER or CASE',
  },
  {
    name: 'Several queries in one text',
    state: 'exact',
    example: 'SELECT 1; SELECT 2',
    note: '`quern query` and `run` print all results; over HTTP, in checks and in the library the last one is the answer, as in BigQuery',
  },
  {
    name: 'LOOP, WHILE, FOR, CALL',
    state: 'refused',
    example: 'WHILE TRUE DO SELECT 1; END WHILE',
    note: 'write what they do as one query; pass values that change as `@name` parameters',
  },
  {
    name: 'Graph queries, MATCH_RECOGNIZE, user-defined aggregate functions',
    state: 'refused',
    example: `SELECT * FROM ${T} MATCH_RECOGNIZE (ORDER BY a PATTERN (x) DEFINE x AS a > 1)`,
    note: 'ClickHouse has no counterpart',
  },
];
