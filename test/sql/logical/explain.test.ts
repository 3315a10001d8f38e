// The logical plan as text: each operator, and each kind of expression.
import { describe, expect, test } from 'vitest';
import { arrayOf, INT64, STRING } from '../../../src/sql/base/types.ts';
import { explainLogical } from '../../../src/sql/index.ts';
import { EVENT_SOURCES } from '../events.ts';

const steps = (sql: string) => explainLogical(sql, { sources: EVENT_SOURCES, parameters: { p: STRING, list: arrayOf(INT64) } });
const preparedOf = (sql: string): string => steps(sql).before;
/** The one expression of `SELECT expression FROM …`. */
const textOf = (expression: string, from = 'events'): string =>
  /:= (.*)\n/.exec(preparedOf(`SELECT ${expression} AS x FROM ${from}`).replace(/^.*\n/, ''))?.[1] ?? '';

describe('operators', () => {
  test('a query is one operator a line, the columns that it reads in the scan', () => {
    expect(
      preparedOf("SELECT t.id, area AS place FROM events AS t WHERE ms > 5 AND area = 'rest' ORDER BY ms DESC, t.id LIMIT 2 OFFSET 1"),
    ).toMatchInlineSnapshot(`
      "Output id, place := area
        Order by ms DESC, id limit 2 offset 1
          Filter ms > 5.0 AND area = 'rest'
            Scan events as t: id, area, ms
      "
    `);
  });

  test('joins and unnests say their kind; columns of the same name have numbers', () => {
    expect(
      preparedOf(
        'SELECT a.id, b.id, tag, at_ FROM events a JOIN events b ON a.id = b.id AND a.ms = b.ms LEFT JOIN UNNEST(a.tags) tag WITH OFFSET at_',
      ),
    ).toMatchInlineSnapshot(`
      "Output id, id := id#2, tag, at_
        Unnest outer tag := tags, at_ := OFFSET
          Inner join on id = id#2 AND ms = ms#2
            Scan events as a: id, ms, tags
            Scan events as b: id#2 := id, ms#2 := ms
      "
    `);
  });

  test('groups have their keys first, and sets of keys', () => {
    expect(preparedOf('SELECT area, COUNT(*) n, SUM(ms) total FROM events GROUP BY area HAVING COUNT(*) > 1')).toMatchInlineSnapshot(`
      "Output area := area#2, n := count, total := sum
        Filter count > 1
          Aggregate by area#2 := area: count := COUNT(*), sum := SUM(ms)
            Scan events: area, ms
      "
    `);
    expect(preparedOf('SELECT area, id, GROUPING(id) g FROM events GROUP BY GROUPING SETS ((area, id), area, ())')).toMatchInlineSnapshot(`
      "Output area := area#2, id := id#2, g := grouping
        Aggregate by area#2 := area, id#2 := id in sets (area#2, id#2), (area#2), (): grouping := GROUPING(id#2)
          Scan events: id, area
      "
    `);
  });

  test('WITH tables are written once, by name', () => {
    expect(preparedOf('WITH n AS (SELECT id FROM events) SELECT a.id FROM n a, n WHERE n.id = a.id')).toMatchInlineSnapshot(`
      "With n: id
        Scan events: id
      Output id := id#2
        Filter id#3 = id#2
          Cross join
            Read n as a: id#2
            Read n: id#3
      "
    `);
    expect(
      preparedOf('WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 3) SELECT i FROM n'),
    ).toMatchInlineSnapshot(`
      "With recursive n: i#3
        Union all i#3 := i | column
          Project i := 1
            One row
          Project column := i#2 + 1
            Filter i#2 < 3
              Read n: i#2
      Output i := i#4
        Read n: i#4
      "
    `);
  });

  test('set operations, DISTINCT and windows', () => {
    expect(preparedOf('SELECT id, area FROM events UNION ALL SELECT id, "tick" FROM ticks')).toMatchInlineSnapshot(`
      "Output id := id#3, area := area#2
        Union all id#3 := id | id#2, area#2 := area | column
          Scan events: id, area
          Project column := 'tick'
            Scan ticks: id#2 := id
      "
    `);
    expect(preparedOf('SELECT DISTINCT area FROM events EXCEPT DISTINCT SELECT "x"')).toMatchInlineSnapshot(`
      "Output area := area#2
        Except distinct area#2 := area | column
          Distinct area
            Scan events: area
          Project column := 'x'
            One row
      "
    `);
    expect(
      preparedOf(
        'SELECT id, ROW_NUMBER() OVER (PARTITION BY area ORDER BY ms) n, SUM(ms) OVER (ORDER BY id ROWS 2 PRECEDING) s FROM events',
      ),
    ).toMatchInlineSnapshot(`
      "Output id, n := row_number, s := sum
        Window
            row_number := ROW_NUMBER() OVER (PARTITION BY area ORDER BY ms)
            sum := SUM(ms) OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND CURRENT ROW)
          Scan events: id, area, ms
      "
    `);
  });

  test('subqueries stand below the operator that asks them', () => {
    expect(
      preparedOf(
        'SELECT id FROM events e WHERE EXISTS (SELECT 1 FROM ticks t WHERE t.id = e.id) AND id IN (SELECT id FROM visits) LIMIT 3',
      ),
    ).toMatchInlineSnapshot(`
      "Output id
        Limit 3
          Filter EXISTS(subquery 1) AND id IN (subquery 2)
            Subquery 1
              Project column := 1
                Filter id#2 = id
                  Scan ticks as t: id#2 := id
            Subquery 2: id#3
              Scan visits: id#3 := id
            Scan events as e: id
      "
    `);
  });

  test('what nothing reads is left out', () => {
    expect(preparedOf('SELECT n FROM (SELECT id AS n, UPPER(area) AS place FROM events)')).toMatchInlineSnapshot(`
      "Output n := id
        Scan events: id
      "
    `);
  });

  test('a long line has a line for each of its parts, and a long CASE one for each branch', () => {
    expect(
      preparedOf(
        "SELECT CASE area WHEN 'rest' THEN 'requests of the API' WHEN 'auth' THEN 'requests of the log-in' ELSE 'requests of something else' END AS kind, id FROM events WHERE area IS NOT NULL AND area <> 'a place that nobody asks for' AND (ms > 1 OR ms < -1) AND id BETWEEN 1 AND 1000",
      ),
    ).toMatchInlineSnapshot(`
      "Output kind, id
        Project
            kind := CASE
              WHEN area = 'rest' THEN 'requests of the API'
              WHEN area = 'auth' THEN 'requests of the log-in'
              ELSE 'requests of something else'
            END
          Filter
              area IS NOT NULL
              AND area <> 'a place that nobody asks for'
              AND (ms > 1.0 OR ms < -1.0)
              AND id BETWEEN 1 AND 1000
            Scan events: id, area, ms
      "
    `);
  });
});

describe('what a scan reads', () => {
  test('are paths once records are read as paths, and whether a record is there', () => {
    const { rules } = steps('SELECT t.id, r.path FROM events t, UNNEST(t.metadata) m, UNNEST(m.request) r');
    expect(rules.at(-1)?.plan).toMatchInlineSnapshot(`
      "Output id, path
        Project path := path#2
          Filter request
            Scan events as t: id, request := metadata.request exists, path#2 := metadata.request.path
      "
    `);
  });
  test('are arrays of values of nested columns', () => {
    const { rules } = steps('SELECT m.number, r.verb FROM visits t, UNNEST(t.metadata) m, UNNEST(m.request) r');
    expect(rules.at(-1)?.plan).toMatchInlineSnapshot(`
      "Output number, verb
        Project number := number#3, verb := verb#4
          Unnest verb#4 := verb#3
            Unnest number#3 := number#2, verb#3 := verb#2
              Scan visits as t: number#2 := metadata[].number, verb#2 := metadata[].request[].verb
      "
    `);
  });
  test('are times as they are stored', () => {
    const { rules } = steps("SELECT id FROM seconds WHERE coarse > '2026-01-01' ORDER BY fine DESC LIMIT 1");
    expect(rules.at(-1)?.plan).toMatchInlineSnapshot(`
      "Output id
        Order by second DESC, fine#2 DESC limit 1
          Filter coarse#2 > TIMESTAMP '2026-01-01 00:00:00'
            Scan seconds: id, coarse#2 := coarse as stored, fine#2 := fine as stored, second
      "
    `);
  });
});

describe('expressions', () => {
  test.each([
    '1 + 2 * id',
    '(1 + 2) * id',
    '1 - (id - 2)',
    '-id',
    'NOT (id = 1 OR area IS NULL)',
    'area IS NULL AND (id > 1 OR ms < 2.0)',
    "area LIKE 'a%' OR area IN ('b', 'c')",
    'id BETWEEN 1 AND 2 + 3',
    'id IN UNNEST(@list)',
    "area || 'x' || @p",
    'tags[OFFSET(0)]',
    'tags[SAFE_ORDINAL(1)]',
    'IF(id > 1, area, NULL)',
    'CASE WHEN id = 1 THEN area END',
    'CAST(id AS STRING)',
    'SAFE_CAST(area AS FLOAT64)',
    "SAFE.PARSE_DATE('%F', area)",
    'STRUCT(id, ms AS y)',
    'STRUCT(id, ms AS y).y',
    '[id, 2]',
    'ARRAY_TRANSFORM(tags, e -> UPPER(e))',
    'TIMESTAMP_TRUNC(moment, HOUR)',
    'TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 90 MINUTE)',
    "JSON_VALUE(area, '$.x')",
    "PARSE_JSON(area)['x']",
    "DATE '2026-01-02'",
    "TIMESTAMP '2026-01-02 03:04:05.5'",
    "DATETIME '2026-01-02 00:00:00'",
    "NUMERIC '1.5'",
    "b'a'",
    '-1.5',
    "'it\\'s\\n'",
  ])('%s is written as it was', (expression) => {
    expect(textOf(expression)).toBe(expression);
  });

  test.each([
    ["area NOT IN ('b', 'c')", "NOT area IN ('b', 'c')"],
    ['id > 1.5', 'CAST(id AS FLOAT64) > 1.5'],
    ["moment > '2026-01-02'", "moment > TIMESTAMP '2026-01-02 00:00:00'"],
    ['INTERVAL 90 MINUTE + INTERVAL 1 DAY', 'INTERVAL 90 MINUTE + INTERVAL 1 DAY'],
    ['COALESCE(area, @P)', 'COALESCE(area, @p)'],
  ])('%s as %s', (expression, text) => {
    expect(textOf(expression)).toBe(text);
  });
});
