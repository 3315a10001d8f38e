// Texts whose statements decide which of them run, read ahead, on the engine.
import { expect, test } from 'vitest';
import { translate } from '../../../src/sql/index.ts';
import { queryRunner, refusal } from '../../support/query-rows.ts';
import { failure } from '../../support/told.ts';

const { rows, engineFailure } = queryRunner();

test.each([
  // IF and CASE on what is known.
  ['IF TRUE THEN SELECT 1; ELSE SELECT 2; END IF', [[1]]],
  ['IF NULL THEN SELECT 1; ELSE SELECT 2; END IF;', [[2]]],
  [
    'DECLARE mode STRING DEFAULT "daily"; IF mode = "hourly" THEN SELECT 1; ELSEIF mode = "daily" THEN SELECT 2; ELSE SELECT 3; END IF',
    [[2]],
  ],
  ['DECLARE n INT64 DEFAULT 3; SET n = n + 1; IF n >= 4 AND NOT n > 4 THEN SELECT n; END IF', [[4]]],
  ['DECLARE n INT64; IF n IS NULL THEN SET n = 7; END IF; SELECT n', [[7]]],
  ['DECLARE x FLOAT64 DEFAULT 2; IF x < 2.5 THEN SELECT "less"; ELSE SELECT "more"; END IF', [['less']]],
  ['DECLARE s STRING DEFAULT "b"; IF s IN ("a", "b") OR s = NULL THEN SELECT 1; ELSE SELECT 2; END IF', [[1]]],
  ['DECLARE k STRING DEFAULT "b"; CASE k WHEN "a" THEN SELECT 1; WHEN "b" THEN SELECT 2; ELSE SELECT 3; END CASE', [[2]]],
  ['CASE WHEN 1 > 2 THEN SELECT 1; ELSE SELECT CASE WHEN TRUE THEN 4 END; END CASE', [[4]]],
  ['IF TRUE THEN CREATE TEMP TABLE t AS SELECT 1 AS y; ELSE CREATE TEMP TABLE t AS SELECT 2 AS y; END IF; SELECT y FROM t', [[1]]],
  ['IF TRUE THEN IF FALSE THEN SELECT 1; ELSE BEGIN SELECT 2; END; END IF; END IF', [[2]]],
  ['IF FALSE THEN SELECT * FROM nowhere; END IF; SELECT 5', [[5]]],
  ['IF FALSE THEN RAISE USING MESSAGE = "no"; END IF; SELECT 5', [[5]]],
  ['SELECT 5; IF TRUE THEN RETURN; END IF; SELECT 6', [[5]]],
  // What only the run knows decides about variables.
  [
    'DECLARE n INT64 DEFAULT (SELECT COUNT(*) FROM UNNEST([1, 2])); DECLARE s STRING; IF n > 1 THEN SET s = "many"; ELSE SET s = "few"; END IF; SELECT s',
    [['many']],
  ],
  ['DECLARE a, b INT64 DEFAULT (SELECT 1); IF a = 1 THEN SET a = 2; SET b = a + 1; ELSE SET a = 9; END IF; SELECT a, b', [[2, 3]]],
  [
    'DECLARE a INT64 DEFAULT (SELECT NULL); IF a = 1 THEN SET a = 2; ELSEIF a IS NULL THEN SET a = 3; ELSE SET a = 4; END IF; SELECT a',
    [[3]],
  ],
  [
    'DECLARE a INT64 DEFAULT (SELECT NULL); DECLARE b INT64 DEFAULT 1; IF a > 0 THEN IF b = 1 THEN SET b = 5; END IF; END IF; SELECT b',
    [[1]],
  ],
  ['DECLARE a INT64 DEFAULT (SELECT 0); DECLARE b INT64; IF a <> 0 THEN SET b = DIV(10, a); END IF; SELECT b', [[null]]],
  ['DECLARE d DATE DEFAULT "2026-03-01"; DECLARE s STRING; IF d > "2026-02-01" THEN SET s = "late"; END IF; SELECT s', [['late']]],
  ['DECLARE a, b INT64 DEFAULT (SELECT 1); IF a = 1 THEN SET (a, b) = (b + 1, a + 5); END IF; SELECT a, b', [[2, 6]]],
  // EXECUTE IMMEDIATE of a text that is known.
  ['EXECUTE IMMEDIATE "SELECT 1 + 1"', [[2]]],
  ['DECLARE col STRING DEFAULT "y"; EXECUTE IMMEDIATE FORMAT("SELECT SUM(%s) FROM UNNEST([%d, 2]) AS %s", col, 5, col)', [[7]]],
  ['DECLARE t DEFAULT "u"; EXECUTE IMMEDIATE "CREATE TEMP TABLE " || t || " AS SELECT 4 AS y;"; SELECT y FROM u', [[4]]],
  ['DECLARE n INT64; EXECUTE IMMEDIATE "SELECT MAX(x) FROM UNNEST([1, 5]) AS x" INTO n; SELECT n', [[5]]],
  ['DECLARE a INT64; DECLARE b STRING; EXECUTE IMMEDIATE "SELECT 1, \'x\'" INTO a, b; SELECT a, b', [[1, 'x']]],
  ['DECLARE n INT64; EXECUTE IMMEDIATE "SELECT 1 AS y FROM UNNEST([1]) WHERE FALSE" INTO n; SELECT n', [[null]]],
  ['EXECUTE IMMEDIATE "SELECT @a * @b, @a" USING 2 AS a, 3 AS B', [[6, 2]]],
  ['EXECUTE IMMEDIATE "SELECT ? - ?" USING 5, 3', [[2]]],
  // Values mean what they mean outside of the text.
  ['DECLARE y INT64 DEFAULT (SELECT 9); EXECUTE IMMEDIATE "SELECT y, @p FROM (SELECT 1 AS y)" USING y AS p', [[1, 9]]],
  ['EXECUTE IMMEDIATE CONCAT("SELECT ", REPLACE("a", "a", "1"), " AS x") ', [[1]]],
  ['EXECUTE IMMEDIATE """CREATE TEMP FUNCTION f(x INT64) AS (x + 1)"""; SELECT f(2)', [[3]]],
  // Several queries: the last one is the text's own.
  ['SELECT 1; SELECT 2', [[2]]],
  ['BEGIN SELECT 1; SELECT 2; END', [[2]]],
  ['DECLARE x INT64 DEFAULT 1; SELECT x; SET x = 2; SELECT x; SET x = 3', [[2]]],
  ['SELECT 1; CREATE TEMP TABLE t AS SELECT 3 AS y', [[3]]],
])('%s', async (sql, expected) => {
  expect(await rows(sql)).toEqual(expected);
});

test('each query of a text sees what was before it', async () => {
  const text = 'DECLARE x INT64 DEFAULT 1; SELECT x; CREATE TEMP TABLE t AS SELECT x AS y; SET x = 2; SELECT x, y FROM t; SELECT "end"';
  expect(translate(text).results).toBe(3);
  expect(await rows(text, { result: 0 })).toEqual([[1]]);
  expect(await rows(text, { result: 1 })).toEqual([[2, 1]]);
  expect(await rows(text, { result: 2 })).toEqual([['end']]);
  expect(translate('SELECT 1').results).toBeUndefined();
});

test('the rows of INTO are one at most', async () => {
  expect(await engineFailure('DECLARE n INT64; EXECUTE IMMEDIATE "SELECT x FROM UNNEST([1, 2]) AS x" INTO n; SELECT n')).toMatch(
    /more than one row/i,
  );
});

test.each([
  [
    'IF (SELECT TRUE) THEN SELECT 1; END IF',
    'unsupported: which statements are reached depends on this condition, which only the run can decide',
  ],
  [
    'IF CURRENT_DATE() > "2026-01-01" THEN CREATE TEMP TABLE t AS SELECT 1; END IF; SELECT 1',
    'unsupported: which statements are reached depends on this condition, which only the run can decide',
  ],
  ['DECLARE n INT64 DEFAULT (SELECT 1); IF TRUE THEN SET n = 2; END IF; IF n = 1 THEN RETURN; END IF; SELECT 1', null],
  [
    'DECLARE n INT64 DEFAULT 1; IF (SELECT TRUE) THEN SET n = 2; END IF; IF n = 1 THEN SELECT 1; END IF',
    'unsupported: which statements are reached depends on this condition, which only the run can decide',
  ],
  [
    'IF RAND() < 1 THEN SELECT 1; END IF',
    'unsupported: which statements are reached depends on this condition, which only the run can decide',
  ],
  ['DECLARE n INT64; IF RAND() < 1 THEN SET n = 1; END IF; SELECT n', /RAND gives a new one at each call$/],
  ['IF 1 THEN SELECT 1; END IF', 'unsupported: which statements are reached depends on this condition, which only the run can decide'],
  ['DECLARE n INT64; IF 1 THEN SET n = 1; END IF; SELECT n', /BOOL/],
  ['IF FALSE THEN SELECT 1; END IF', 'unsupported: no query of this text is reached'],
  ['RAISE USING MESSAGE = "stop here"; SELECT 1', 'data: stop here'],
  ['IF TRUE THEN DECLARE x INT64; END IF; SELECT 1', 'syntax: DECLARE is not allowed here'],
  ['IF TRUE THEN SELECT 1; END', 'syntax: expected IF after END, found the end of the query'],
  ['IF TRUE THEN SELECT 1;', 'syntax: expected ELSEIF or ELSE or END after ";", found the end of the query'],
  ['IF TRUE THEN UPDATE t SET a = 1 WHERE TRUE; END IF', 'unsupported: UPDATE is not a query'],
  ['WHILE TRUE DO SELECT 1; END WHILE', 'unsupported: WHILE is not a query'],
  ['EXECUTE IMMEDIATE (SELECT "SELECT 1")', 'unsupported: the text of EXECUTE IMMEDIATE must be known before the query runs'],
  ['EXECUTE IMMEDIATE NULL', 'data: the text of EXECUTE IMMEDIATE is NULL'],
  ['EXECUTE IMMEDIATE "SELECT 1; SELECT 2"', 'syntax: expected the end of the text after ";", found SELECT'],
  ['EXECUTE IMMEDIATE "EXECUTE IMMEDIATE \'SELECT 1\'"', 'syntax: EXECUTE IMMEDIATE takes a query, a CREATE or a DROP'],
  ['EXECUTE IMMEDIATE "SELECT @a" USING 1 AS b', 'parameter: @a has no value'],
  ['EXECUTE IMMEDIATE "SELECT ?, ?" USING 1', 'parameter: parameter 2 has no value'],
  ['EXECUTE IMMEDIATE "SELECT 1" USING 1, 2 AS b', 'parameter: USING names some of its values, and not the others'],
  ['DECLARE n INT64; EXECUTE IMMEDIATE "SELECT 1, 2" INTO n; SELECT n', /^type: /],
  ['EXECUTE IMMEDIATE "DROP TABLE t"; SELECT 1', 'unsupported: t is not a table that this text creates, so it can’t drop it'],
])('%s is refused', (sql, expected) => {
  if (expected === null) expect(() => translate(sql)).not.toThrow();
  else if (typeof expected === 'string') expect(refusal(sql)).toBe(expected);
  else expect(refusal(sql)).toMatch(expected);
});

test('an error in the text of EXECUTE IMMEDIATE is shown there', () => {
  expect(failure(() => translate('SELECT 1;\nEXECUTE IMMEDIATE "SELECT 1\\nFORM t u"'))).toMatchObject({ code: 'syntax', at: '2:6' });
});

test('texts do not grow without end', () => {
  const doubled = 'SET s = CONCAT(s, s); '.repeat(60);
  const started = performance.now();
  expect(refusal(`DECLARE s STRING DEFAULT "SELECT 1 "; ${doubled} EXECUTE IMMEDIATE s`)).toBe(
    'unsupported: the text of EXECUTE IMMEDIATE must be known before the query runs',
  );
  const long = `DECLARE s STRING DEFAULT "SELECT 1 --"; ${doubled.slice(0, 16 * 22)}`;
  expect(refusal(`${long} ${'EXECUTE IMMEDIATE s; '.repeat(50)}`)).toMatch(/^too-complex: the texts of EXECUTE IMMEDIATE have more than/);
  expect(refusal('SELECT 1; '.repeat(101))).toBe('too-complex: the text has 101 queries');
  expect(performance.now() - started).toBeLessThan(10_000);
});
