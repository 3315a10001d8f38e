// A run that fails at a value of the data says where in the user's text: the expression whose check it was, whatever became of it in ClickHouse.
import { afterAll, describe, expect, test } from 'vitest';
import { queryText } from '../queries/support.ts';
import { eventsEngine, expectError, served } from '../server/server-support.ts';
import { cliHome } from '../support/run-cli.ts';

const ROWS = "from unnest([struct(1 as n, 'a' as s), struct(2 as n, '7' as s)])";

describe('at the command line', () => {
  const home = cliHome();
  afterAll(home.remove);

  /** What is told below the message, without the picture of the line. */
  const told = async (sql: string, files: Readonly<Record<string, string>> = {}, ...flags: string[]): Promise<readonly string[]> => {
    const queries = { ...files, 'q.sql': sql };
    for (const [name, text] of Object.entries(queries)) home.write(`queries/${name}`, text);
    const { stderr, exitCode } = await home.run(['run', './queries/q.sql', '--queries', 'queries', ...flags]);
    expect(exitCode).toBe(1);
    return stderr
      .split('\n')
      .filter((line) => /error\[|-->|=/.test(line) && !/ \| /.test(line))
      .map((line) => line.trim().replace(/--> .*\//, '--> '));
  };

  test.each([
    [`select cast(s as int64) as i ${ROWS}`, 'CAST: the text is not an INT64', '1:8', 'SAFE_CAST'],
    [`select n, n * 9223372036854775807 as i\n${ROWS}`, 'the result of * is out of the range of INT64', '1:11', 'SAFE_MULTIPLY'],
    [
      `select n * 9223372036854775807 + n as i ${ROWS}`,
      'the result of + or * is out of the range of INT64',
      '1:8',
      'write each step as SAFE_ADD, SAFE_SUBTRACT or SAFE_MULTIPLY, which return NULL for such a value',
    ],
    [`select 1 / (n - 1) as i ${ROWS}`, 'division by zero', '1:8', 'SAFE_DIVIDE'],
    [`select split(s, '')[offset(n)] as i ${ROWS}`, 'the array index is out of bounds', '1:8', 'SAFE_OFFSET'],
    [
      `select parse_date('%F', s) as i ${ROWS}`,
      'the text does not match the format of this DATE, or there is no such DATE',
      '1:8',
      'SAFE.PARSE_DATE',
    ],
    [
      `select sum(9223372036854775800 + n) as i ${ROWS}`,
      'SUM: the result is out of range',
      '1:8',
      'NUMERIC holds more digits: SUM(CAST(… AS NUMERIC))',
    ],
    [
      `select s, sum(n + 9223372036854775700) over (order by n) as i ${ROWS}`,
      'a value is out of the range of INT64',
      '1:11',
      'NUMERIC holds more digits: SUM(CAST(… AS NUMERIC))',
    ],
    [
      `select n ${ROWS}\nwhere (select x from unnest([n, 2]) x) > 0`,
      'a scalar subquery returned more than one row',
      '2:7',
      'return one row, with LIMIT 1 or an aggregate',
    ],
    [
      `with t as (select s, n ${ROWS})\nselect max(cast(s as int64)) as i from t group by n having count(*) > 0`,
      'CAST: the text is not an INT64',
      '2:12',
      'SAFE_CAST',
    ],
    [
      `select regexp_contains(s, concat('(', s)) as i ${ROWS}`,
      '"(a" is not a regular expression: missing )',
      '1:8',
      'fix the pattern, or exclude such rows with WHERE',
    ],
    [`select 1 << (n - 5) as i ${ROWS}`, 'a shift by a negative number of bits', '1:8', 'exclude such rows with WHERE'],
    // What fails for every row alike is in no row.
    [
      `select n, 1 << -1 as i ${ROWS}`,
      'a shift by a negative number of bits',
      '1:11',
      'this does not depend on the rows: change the value in the query',
    ],
    [
      `select n, generate_array(1, 1000000000000) as i ${ROWS}`,
      'an array would have 1000000000000 elements; 500000000 are allowed',
      '1:11',
      'make it shorter',
    ],
    [
      `select regexp_contains('a', concat('(', lower('A'))) as i ${ROWS}`,
      '"(a" is not a regular expression: missing )',
      '1:8',
      'fix the pattern',
    ],
    [
      `select cast(n as bignumeric) * bignumeric '5e38' as i ${ROWS}`,
      'the result is out of the range of BIGNUMERIC',
      '1:8',
      'SAFE_MULTIPLY',
    ],
  ])('%s', async (sql, message, place, safe) => {
    const hint = /^SAFE\S+$/.test(safe) ? `${safe} returns NULL for such a value` : safe;
    expect(await told(sql)).toEqual([`error[data]: the query failed: ${message}`, `--> q.sql:${place}`, `= hint: ${hint}`]);
  });

  test('where several expressions say the same, all are named', async () => {
    expect(await told(`select cast(s as int64) as a, n, cast(concat(s, 'x') as int64) as b ${ROWS}`)).toEqual([
      'error[data]: the query failed: CAST: the text is not an INT64',
      expect.stringMatching(/^= note: this may have happened at \S*q\.sql:1:8, \S*q\.sql:1:34$/),
      '= hint: SAFE_CAST returns NULL for such a value',
    ]);
  });

  test('in a saved query that is read as a table, the place is in its file', async () => {
    const inner = queryText(21, `select n, cast(s as int64) as i ${ROWS}`);
    const line = inner.split('\n').findIndex((text) => text.startsWith('select')) + 1;
    expect(await told('select max(i) as i from parts', { 'parts.sql': inner })).toEqual([
      'error[data]: the query failed: CAST: the text is not an INT64',
      `--> parts.sql:${line}:11`,
      '= hint: SAFE_CAST returns NULL for such a value',
    ]);
  });

  test('a file is written from a query that fails as well', async () => {
    expect(await told(`select cast(s as int64) as i ${ROWS}`, {}, '--output', 'rows.csv')).toContain('--> q.sql:1:8');
  });
});

describe('over HTTP', () => {
  const engine = eventsEngine();

  test('the reply has the place; a caller’s own SQL is not translated again', async () => {
    const files = { 'each.sql': queryText(13, 'select div(10, id - 3) as tenth from events') };
    const { ask } = await served(engine(), { files });
    const error = expectError(await ask('/api/endpoints/each'), 422, 'data');
    expect(error).toMatchObject({ message: 'the query failed: division by zero', position: { line: expect.any(Number), column: 8 } });
  });
});
