// Which argument is told to be the cause of a failure that only a run shows: at the command line, in exports, over HTTP. The query may not read it at all, or
// it would be refused ahead of the run.
import { afterAll, describe, expect, test } from 'vitest';
import { QuernError } from '../../src/base/errors.ts';
import { blamed, type FailedRun } from '../../src/execution/explain-failure/blame.ts';
import { queryText } from '../queries/support.ts';
import { eventsEngine, expectError, served } from '../server/server-support.ts';
import { cliHome } from '../support/run-cli.ts';

const PATTERN = queryText(
  11,
  "select id from events where (@like = '' or regexp_contains(area, @like)) and id < @most",
  'params: { like: { type: string }, most: { type: integer, default: 9 } }',
);
const BAD = { kind: 'invalid', name: 'like', message: '"((" is not a regular expression: missing )' };

describe('over HTTP', () => {
  const engine = eventsEngine();
  const files = {
    'like.sql': PATTERN,
    'between.sql': queryText(
      12,
      "select id from events where (@since = '' or moment > timestamp(@since)) and (@until = '' or moment < timestamp(@until))",
      'params: { since: { type: string, default: "2020-01-01" }, until: { type: string, default: "2030-01-01" } }',
    ),
    'each.sql': queryText(13, 'select div(10, id - @by) as tenth from events', 'params: { by: { type: integer } }'),
    'torn.sql': queryText(14, 'select {n:UInt8} as n', 'dialect: clickhouse', 'params: { n: { type: integer } }'),
  };

  test('a regular expression that is none is the caller’s fault, by name', async () => {
    const { ask, log } = await served(engine(), { files });
    const error = expectError(await ask('/api/endpoints/like?like=(('), 400, 'parameter');
    expect(error).toMatchObject({ message: 'like takes 2 parameters, 1 is invalid', problems: [BAD] });
    expect(log.at(-1)).toMatchObject({ level: 'info', status: 400 });
  });

  test('so it is for clients of Logflare, in their form', async () => {
    const { ask } = await served(engine(), { files, options: { compat: 'logflare' } });
    const reply = await ask('/api/endpoints/like?like=((');
    expect([reply.statusCode, reply.json().error]).toEqual([
      200,
      'like takes 2 parameters, 1 is invalid; like: "((" is not a regular expression: missing ). Hint: see its parameters with `quern show like`',
    ]);
  });

  test('a text that is no time is named; where it may be one of two, both are', async () => {
    const { ask } = await served(engine(), { files });
    const one = expectError(await ask('/api/endpoints/between?since=soon'), 400, 'parameter');
    expect(one.hint).toBe('check the arguments since, until');
    expect(one.message).toBe('the query failed: the text is not a TIMESTAMP');
  });

  test('a value in the data that cannot be computed with is neither the caller’s nor the engine’s fault', async () => {
    const { ask, log } = await served(engine(), { files });
    expect(expectError(await ask('/api/endpoints/each?by=3'), 422, 'data').message).toBe('the query failed: division by zero');
    expect(log.at(-1)).toMatchObject({ level: 'info', status: 422, error: { code: 'data' } });
  });

  test('a parameter that the saved query itself uses wrongly is the server’s fault', async () => {
    const { ask } = await served(engine(), { files });
    expectError(await ask('/api/endpoints/torn?n=1'), 500, 'parameter');
  });
});

describe('at the command line', () => {
  const home = cliHome();
  afterAll(() => home.remove());
  const NUMBERS = 'from unnest(generate_array(1, 3)) as n';
  home.write(
    'like.sql',
    queryText(
      15,
      `select n ${NUMBERS} where @like = '' or regexp_contains(cast(n as string), @like)`,
      'max_rows: 20000',
      'params: { like: { type: string } }',
    ),
  );
  home.write('each.sql', queryText(16, `select div(10, n - 2) as tenth ${NUMBERS}`));

  test.each([[['--format', 'json']], [['--format', 'csv', '--no-cache']], [['-o', 'rows.parquet']]])(
    'an invalid argument is wrong usage, however the rows are wanted: %j',
    async (flags) => {
      const { stderr, exitCode, stdout } = await home.run(['run', './like.sql', '--like', '((', ...flags]);
      expect([stdout, stderr, exitCode]).toEqual([
        '',
        'error[parameter]: like takes 1 parameter, 1 is invalid\n   = invalid   --like  "((" is not a regular expression: missing )\n   = hint: see its parameters with `quern show ./like.sql`\n',
        2,
      ]);
    },
  );

  test('a failure of the data is one of the query', async () => {
    const { stderr, exitCode } = await home.run(['run', './each.sql']);
    const place = `each.sql:4:8
   |
 4 | select div(10, n - 2) as tenth from unnest(generate_array(1, 3)) as n
   |        ^^^^^^^^^^^^^^
   = hint: SAFE.DIV returns NULL for such a value
`;
    expect([stderr.replace(/--> .*\//, '--> '), exitCode]).toEqual([`error[data]: the query failed: division by zero\n  --> ${place}`, 1]);
  });
});

describe('an argument is blamed', () => {
  const parameters = ['a', 'b'].map((name) => ({ name, type: 'string', array: false, required: false }) as const);
  const run = (sql: string, values: FailedRun['values'], sent?: string): FailedRun => ({
    prepared: { name: 'q', parameters, sql },
    values,
    ...(sent === undefined ? {} : { sent }),
  });
  const names = (details: QuernError['details'], failed: FailedRun): unknown => {
    const error = blamed(new QuernError('data', 'the query failed', details), failed);
    return error instanceof QuernError && error.code === 'parameter'
      ? (error.details.problems?.map(({ name }) => name) ?? error.details.hint)
      : 'none';
  };
  const pattern = (value: string) => ({ rejected: { value, why: 'is not a regular expression' } });
  const guard = { rejected: { why: 'it’s (not) that' } };
  const guarded = (condition: string) => `SELECT if(toUInt8(if(${condition}, 'it’s (not) that', '0')) = 0, 1, NULL)`;

  test.each([
    [pattern('(('), { a: '((', b: 'x' }, ['a']],
    [pattern('^(($'), { a: '((', b: '^' }, 'check the arguments a, b'],
    [pattern('((x'), { a: 'x', b: null }, 'none'],
    [pattern('(('), { a: null, b: null }, 'none'],
    [{ rejected: { value: 'x', parameter: 'b', why: 'is not a number' } }, { a: 'x', b: 'x' }, ['b']],
    [{}, { a: 'x', b: 'y' }, 'none'],
  ])('whose value the engine rejects: %j of %j', (details, values, expected) => {
    expect(names(details, run('SELECT 1', values))).toEqual(expected);
  });

  test.each([
    ["{a:String} = ')' AND 1", ['a']],
    ['{a:String} = {b:String}', 'check the arguments a, b'],
    ["{c:String} = '{a:String}'", 'none'],
    ['1 = 1', 'none'],
  ])('that a guard of constants looks at: %s', (condition, expected) => {
    expect(names(guard, run(guarded(condition), { a: 'x', b: 'y' }))).toEqual(expected);
  });

  test('that a guard looked at before the arguments decided it', () => {
    expect(names(guard, run(guarded('{b:String} = 1'), { a: 'x', b: 'y' }, "SELECT toUInt8('it’s (not) that')"))).toEqual(['b']);
    expect(names(guard, run(guarded('{b:String} = 1'), { a: 'x', b: null }))).toBe('none');
  });
});
