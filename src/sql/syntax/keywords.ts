// Words of GoogleSQL that the lexer and the parser treat specially.

/** Reserved keywords, which are never a name unless in backticks. https://cloud.google.com/bigquery/docs/reference/standard-sql/lexical#reserved_keywords */
export const RESERVED: ReadonlySet<string> = new Set(
  `ALL AND ANY ARRAY AS ASC ASSERT_ROWS_MODIFIED AT BETWEEN BY CASE CAST COLLATE CONTAINS CREATE CROSS CUBE CURRENT DEFAULT DEFINE DESC
  DISTINCT ELSE END ENUM ESCAPE EXCEPT EXCLUDE EXISTS EXTRACT FALSE FETCH FOLLOWING FOR FROM FULL GROUP GROUPING GROUPS HASH HAVING IF
  IGNORE IN INNER INTERSECT INTERVAL INTO IS JOIN LATERAL LEFT LIKE LIMIT LOOKUP MERGE NATURAL NEW NO NOT NULL NULLS OF ON OR ORDER OUTER
  OVER PARTITION PRECEDING PROTO QUALIFY RANGE RECURSIVE RESPECT RIGHT ROLLUP ROWS SELECT SET SOME STRUCT TABLESAMPLE THEN TO TREAT TRUE
  UNBOUNDED UNION UNNEST USING WHEN WHERE WINDOW WITH WITHIN`.split(/\s+/),
);

/** Reserved words that are also names of functions: `IF(…)`, `LEFT(…)`. */
export const RESERVED_FUNCTIONS: ReadonlySet<string> = new Set(['IF', 'LEFT', 'RIGHT', 'GROUPING', 'COLLATE', 'RANGE']);

/** Functions that may be called without parentheses. */
export const BARE_FUNCTIONS: ReadonlySet<string> = new Set(['CURRENT_DATE', 'CURRENT_DATETIME', 'CURRENT_TIME', 'CURRENT_TIMESTAMP']);

/** Reserved words that begin or join clauses: in the place of a name, they show that something is missing, not that a name is badly chosen. */
export const CLAUSE_WORDS: ReadonlySet<string> = new Set(
  `SELECT FROM WHERE GROUP HAVING QUALIFY WINDOW ORDER LIMIT UNION INTERSECT EXCEPT JOIN ON USING AND OR AS BY THEN WHEN ELSE IN IS LIKE
  BETWEEN NOT WITH`.split(/\s+/),
);
