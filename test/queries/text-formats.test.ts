// `format:` of a parameter: what texts are refused before the engine is asked, which would have refused them too.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EmbeddedEngine, openEmbedded } from '../../src/engine/embedded/embedded.ts';
import { parseSavedQuery } from '../../src/queries/header/header.ts';
import { readArguments } from '../../src/queries/parameters.ts';
import { regexpProblem } from '../../src/queries/text-formats/regexp.ts';
import { textFormatProblem } from '../../src/queries/text-formats/text-format.ts';
import { eventsEngine, expectError, served } from '../server/server-support.ts';
import { cliHome } from '../support/run-cli.ts';
import { failure } from '../support/told.ts';
import { queryText } from './support.ts';

describe('regular expressions are judged as the engine judges them', () => {
  let engine: EmbeddedEngine;
  const folder = mkdtempSync(join(tmpdir(), 'quern-formats-'));
  beforeAll(async () => {
    engine = await openEmbedded({ path: join(folder, 'data') });
  });
  afterAll(async () => {
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  });
  /** With a flag before it, the engine takes no pattern for plain text, of which it looks at less. */
  const engineTakes = async (pattern: string): Promise<boolean> => {
    const bindings = [{ name: 'p', type: 'String', value: `(?-s)${pattern}` }];
    const query = { sql: "SELECT match('xyz', {p:String}) AS m", bindings, settings: {} };
    return engine.execute(query).then(
      () => true,
      (error: unknown) => {
        if (!String(error).includes('regular expression')) throw error;
        return false;
      },
    );
  };

  const FIXED =
    String.raw`a** a*+ ^* (*) |* (?i)* a(?i)* a*(?i)* \Q\E* a\Q\E* \Qab\E* \Qa( [] []a] [^]] [[:alpha] [[:word:]] [[:^digit:]] [[:x:]]
    [a-] [-a] [a--] [z-a] [\b] [\d-z] [a-\d] [\x{10FFFF}] [\p{L}-z] x{0} x{1000} x{1001} x{2,1} x{,3} x{02} x{1 { {2} a{999999999999}
    (?U)a (?x)a (?i (? (?-) (?i-) (?-i) (?--i) (?ii) (?i:a (?#c) (?>a) (?P=n) (?=a) (?!a) (?<=a) (?<!a) (?P<n>a) (?<n>a)(?<n>b) (?P<n-a>b) (?P<>a)
    (?P<é>a) (?P<n ( ) (() ()) a||b () (|) (?:)* \ \1 \12 \8 \07 \018 \x4 \x41 \x{1F600} \x{110000} \x{} \p \pL \pé \p{Greek} \p{^Lu} \P{L} \_ \é
    \q \Z \z \A \G \K \C \R é+ 😀{2} \n \- a++ a?? a??? abcdefgh https?://`.split(/\s+/);

  test.each(FIXED)('%s', async (pattern) => {
    expect(regexpProblem(pattern) === undefined).toBe(await engineTakes(pattern));
  });

  test('so are 400 that are put together at random', async () => {
    let seed = 20261122;
    const upTo = (n: number): number => {
      seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
      return (seed >> 8) % n;
    };
    const parts = FIXED.filter((part) => part.length < 12);
    for (let i = 0; i < 400; i++) {
      const pattern = Array.from({ length: 1 + upTo(4) }, () => parts[upTo(parts.length)] ?? '').join('');
      expect([pattern, regexpProblem(pattern) === undefined]).toEqual([pattern, await engineTakes(pattern)]);
    }
  });
});

test.each([
  ['regexp', '((', 'is not a regular expression: missing ); for example ^/rest/v[12]/'],
  ['regexp', 'a{2,1}', 'is not a regular expression: {2,1} ends before it begins; for example ^/rest/v[12]/'],
  ['regexp', '(?=x)', 'is not a regular expression: (?= looks ahead or behind, which RE2 does not support; for example ^/rest/v[12]/'],
  ['regexp', '(a)\\1', 'is not a regular expression: \\1 refers back to a group, which RE2 does not support; for example ^/rest/v[12]/'],
  ['regexp', '', undefined],
  ['timestamp', 'yesterday', 'is not a timestamp such as 2026-01-02T03:04:05Z'],
  ['timestamp', '1767323045', 'is not a timestamp such as 2026-01-02T03:04:05Z'],
  ['timestamp', '2026-02-30', 'is not a timestamp such as 2026-01-02T03:04:05Z'],
  ['timestamp', '2026-01-02 03:04:05 Europe/Berlin', 'is not a timestamp such as 2026-01-02T03:04:05Z'],
  ['timestamp', '2026-1-2 3:4:5.678+01', undefined],
  ['timestamp', '', undefined],
  ['datetime', '2026-01-02 03:04:05Z', 'is not a date and a time of day such as 2026-01-02 03:04:05'],
  ['datetime', '2026-01-02T03:04:05', undefined],
  ['date', '2026-13-01', 'is not a date such as 2026-01-02'],
  ['date', '2026-12-01', undefined],
  ['time', '25:00:00', 'is not a time of day such as 03:04:05'],
  ['time', '23:00:00.5', undefined],
  ['time_zone', 'Europe/Brelin', 'is not a time zone such as Europe/Berlin'],
  ['time_zone', '+15', 'is not a time zone such as Europe/Berlin'],
  ['time_zone', 'America/New_York', undefined],
  ['time_zone', '+05:30', undefined],
  ['json', '{a: 1}', 'is not JSON such as {"status": 404}'],
  ['json', '[1, "a"]', undefined],
  ['uuid', '9b2c7a54', 'is not a UUID such as 9b2c7a54-6d1e-4f0a-8c35-2f7d90b1e6a4'],
  ['uuid', '9B2C7A54-6d1e-4f0a-8c35-2f7d90b1e6a4', undefined],
] as const)('%s of %j', (format, text, problem) => {
  expect(textFormatProblem(format, text, undefined)).toBe(problem);
});

describe('in a header', () => {
  const parse = (params: string) => parseSavedQuery({ name: 'q.sql', text: queryText(1, 'select 1', `params: { p: ${params} }`) }, 'q');

  test('a format stands beside the type, and every element of a list has it', () => {
    const { parameters } = parse('{ type: array of string, format: date, example: 2026-05-06 }');
    expect(parameters[0]).toMatchObject({ type: 'string', array: true, format: 'date' });
    expect(failure(() => readArguments(parameters, { p: ['2026-01-02', 'soon'] }, 'q'))['problems']).toContain(
      'invalid | p | "soon" is not a date such as 2026-05-06',
    );
  });

  test.each([
    ['{ type: string, format: regex }', '"regex" is not a format', 'did you mean regexp?'],
    ['{ type: string, format: email }', '"email" is not a format', 'the formats are regexp, timestamp'],
    ['{ type: integer, format: date }', 'only applies to strings: this parameter is of type integer', 'type: string'],
    ['{ type: string, format: regexp, default: "(" }', '"(" is not a regular expression: missing )', 'missing )'],
    ['{ type: string, format: date, enum: [today] }', '"today" is not a date such as 2026-01-02', ''],
  ])('%s', (params, message, hint) => {
    const told = Object.values(failure(() => parse(params))).join(' ');
    expect(told).toContain(message);
    expect(told).toContain(hint);
  });
});

describe('of the shipped queries', () => {
  const home = cliHome();
  afterAll(home.remove);

  test.each([
    [
      ['usage.api-counts', '--project', '(', '--interval', 'daily'],
      '--project  "(" is not a regular expression: missing ); for example abcdefgh',
    ],
    [
      ['logs.all', '--project', 'demo', '--iso-timestamp-start', 'yesterday'],
      '--iso_timestamp_start  "yesterday" is not a timestamp such as 2026-01-02T03:04:05Z',
    ],
  ])('an argument that cannot be used is refused before the engine is asked: %j', async ([name = '', ...flags], told) => {
    const { stderr, exitCode } = await home.run(['run', name, ...flags]);
    expect([stderr, exitCode]).toEqual([expect.stringMatching(/^error\[parameter\]: \S+ takes [24] parameters, 1 is invalid\n/), 2]);
    expect(stderr).toContain(`= invalid   ${told}\n`);
  });

  test('quern show tells the format', async () => {
    const { stdout } = await home.run(['show', 'usage.api-counts']);
    expect(stdout).toContain('--project   regexp string, required; for example "abcdefgh"; Regular expression');
  });
});

describe('over HTTP', () => {
  const engine = eventsEngine();
  const files = {
    'q.sql': queryText(7, 'select @a as a, @b as b', 'params: { a: { type: string, format: regexp }, b: { type: string, format: date } }'),
  };

  test('a caller is told by 400, for each parameter; the OpenAPI document says the formats', async () => {
    const { ask } = await served(engine(), { files });
    expect(expectError(await ask('/api/endpoints/q?a=((&b=x'), 400, 'parameter').problems).toEqual([
      { kind: 'invalid', name: 'a', message: '"((" is not a regular expression: missing ); for example ^/rest/v[12]/' },
      { kind: 'invalid', name: 'b', message: '"x" is not a date such as 2026-01-02' },
    ]);
    const document = (await ask('/openapi.json')).json();
    const { parameters } = document.paths['/api/endpoints/q'].get;
    expect(parameters.map(({ schema }: { schema: unknown }) => schema).slice(0, 2)).toEqual([
      { type: 'string', format: 'regex' },
      { type: 'string', pattern: '^(\\d{4}-\\d{1,2}-\\d{1,2})?$' },
    ]);
  });
});
