// Reports, also of names and data that mean something to whoever reads the report.
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, test } from 'vitest';
import { QuernError } from '../../src/base/errors.ts';
import type { CheckReport } from '../../src/checks/check-all.ts';
import type { AssertionOutcome } from '../../src/checks/outcome.ts';
import { loadReporter, type ReporterName, requestedReporters } from '../../src/checks/reporters/index.ts';
import type { ReporterOptions } from '../../src/checks/reporters/reporter.ts';
import { parseSavedQuery } from '../../src/queries/header/header.ts';

const HOSTILE = 'a ]]> & <b> "c" \u0000\u001b[31m\u202e\ufffe\ud800 100%, x:y';
const source = { name: '/project/checks/all, of:them.yaml', text: 'checks:\n  - n > 0\n' };
const outcome = (changes: Partial<AssertionOutcome>, name = 'n > 0'): AssertionOutcome => ({
  assertion: {
    name,
    severity: 'error',
    tags: [],
    where: [],
    rule: { kind: 'assert', text: name },
    place: { source, span: { start: 12, end: 17 } },
  },
  state: 'fail',
  measures: [],
  ...changes,
});
const INT64 = { kind: 'INT64' } as const;
const STRING = { kind: 'STRING' } as const;
const sample = {
  columns: [
    { name: 'n', type: INT64 },
    { name: HOSTILE, type: STRING },
  ],
  rows: [
    [9007199254740993n, HOSTILE],
    [2, null],
  ],
  truncated: false,
};

const query = parseSavedQuery({ name: '/project/queries/counts.sql', text: 'select 1 as n' }, 'counts');

function reportOf(...assertions: readonly AssertionOutcome[]): CheckReport {
  const check = { query, arguments: { project: 'demo' }, assertions: [], place: { source, span: { start: 0, end: 1 } } };
  return {
    instant: '2026-01-15 12:00:00.000000',
    elapsedMs: 250,
    outcomes: [{ check, rows: 7, atLimit: false, missing: [], elapsedMs: 200, assertions }],
  };
}

async function report(name: ReporterName, { outcomes, ...rest }: CheckReport, changes: Partial<ReporterOptions> = {}): Promise<string> {
  const make = await loadReporter(name);
  const reporter = make({ width: undefined, colour: false, rows: 5, cwd: '/project', root: '/project', failOnWarn: false, ...changes });
  return [...outcomes.map((one) => reporter.check?.(one) ?? ''), reporter.end({ outcomes, ...rest })].join('');
}

describe('the JUnit report', () => {
  test('is XML that a parser reads back, whatever the names and the rows hold', async () => {
    const text = await report(
      'junit',
      reportOf(
        outcome({ state: 'pass', failingRows: 0 }),
        outcome({ failingRows: 2, sample }, HOSTILE),
        outcome({ state: 'warn', measures: [{ name: HOSTILE, column: { name: '', type: STRING }, value: 'a "b"' }] }, 'w'),
        outcome({ state: 'unknown', error: new QuernError('engine', HOSTILE, { hint: 'hint ]]>' }) }, 'u'),
      ),
    );
    expect(XMLValidator.validate(text)).toBe(true);
    const shown = 'a ]]> & <b> "c" \\0\\x1b[31m\\u202e\\ufffe\\ud800 100%, x:y';
    const { testsuites } = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '', processEntities: true }).parse(text);
    const [passed, failed, warned, unknown] = testsuites.testsuite.testcase;
    expect([testsuites.tests, testsuites.failures, testsuites.errors, testsuites.testsuite.name]).toEqual([
      '4',
      '1',
      '1',
      'counts project=demo',
    ]);
    expect([passed.name, passed.failure]).toEqual(['n > 0', undefined]);
    expect([failed.name, failed.failure.message, failed.failure['#text'].split('\n')]).toEqual([
      shown,
      'fails for 2 of 7 rows',
      [
        'checks/all, of:them.yaml:2',
        String.raw`{"n":9007199254740993,"a ]]> & <b> \"c\" \u0000\u001B[31m\u202e\ufffe\ud800 100%, x:y":"a ]]> & <b> \"c\" \u0000\u001B[31m\u202e\ufffe\ud800 100%, x:y"}`,
        String.raw`{"n":2,"a ]]> & <b> \"c\" \u0000\u001B[31m\u202e\ufffe\ud800 100%, x:y":null}`,
      ],
    ]);
    expect(warned['system-out']).toBe(`warning: ${shown} is "a \\"b\\""\nchecks/all, of:them.yaml:2`);
    expect([unknown.error.message, unknown.error.type, unknown.error['#text']]).toEqual([
      `could not be checked: ${shown}`,
      'engine',
      'checks/all, of:them.yaml:2\nhint ]]>',
    ]);
  });

  test('takes warnings for failures when asked to', async () => {
    const text = await report('junit', reportOf(outcome({ state: 'warn', failingRows: 7 })), { failOnWarn: true });
    const { testsuites } = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '' }).parse(text);
    expect(testsuites.testsuite.testcase.failure).toEqual({
      message: 'fails for all 7 rows',
      type: 'warn',
      '#text': 'checks/all, of:them.yaml:2',
    });
  });
});

describe('annotations for GitHub', () => {
  test('are workflow commands, one per line, that no name or value can break out of', async () => {
    const text = await report(
      'github',
      reportOf(
        outcome({ state: 'pass' }),
        outcome({
          failingRows: 1,
          assertion: { ...outcome({}, 'a\r\n::error::b, 5%').assertion, description: 'first\n::warning::second' },
        }),
        outcome({ state: 'warn', failingRows: 1 }, HOSTILE),
      ),
    );
    expect(text).toBe(
      [
        '::error file=checks/all%2C of%3Athem.yaml,line=2,col=5,title=counts%3A a\\r%0A%3A%3Aerror%3A%3Ab%2C 5%25::fails for 1 of 7 rows%0Afirst%0A::warning::second\n',
        '::warning file=checks/all%2C of%3Athem.yaml,line=2,col=5,title=counts%3A a ]]> & <b> "c" \\0\\x1b[31m\\u202e\ufffe\\ud800 100%25%2C x%3Ay::fails for 1 of 7 rows\n',
      ].join(''),
    );
  });

  test('mark warnings as errors when these fail', async () => {
    expect(await report('github', reportOf(outcome({ state: 'warn', failingRows: 1 })), { failOnWarn: true })).toMatch(/^::error /);
  });
});

describe('annotations in a folder of a repository', () => {
  test('name files from its top', async () => {
    expect(await report('github', reportOf(outcome({ failingRows: 1 })), { root: '/' })).toMatch(
      /^::error file=project\/checks\/all%2C of%3Athem\.yaml,line=2,/,
    );
  });
});

describe('the Markdown report', () => {
  test('lists what does not hold, with rows, and nothing in names and data is markup', async () => {
    const text = await report(
      'markdown',
      reportOf(
        outcome({ state: 'pass', failingRows: 0 }),
        outcome({ failingRows: 3, sample }, HOSTILE),
        outcome({ state: 'warn', measures: [{ name: 'max(n)', column: { name: '', type: INT64 }, value: 5 }] }, 'a|b\n# c'),
        outcome({ state: 'unknown', error: new QuernError('engine', '<script>') }, 'u'),
      ),
    );
    const hostile = 'a \\]\\]\\> \\& \\<b\\> "c" \\\\0\\\\x1b\\[31m\\\\u202e\\ufffe\\\\ud800 100%, x:y'.replace('\\ufffe', '\ufffe');
    expect(text).toBe(`## Checks: 1 failed, 1 not checked, 1 warning, 1 ok

| | query | assertion | why |
|---|---|---|---|
| **failed** | counts project=demo | ${hostile}<br>checks/all, of:them.yaml:2 | fails for 3 of 7 rows |
| warning | counts project=demo | a\\|b<br># c<br>checks/all, of:them.yaml:2 | max(n) is 5 |
| **not checked** | counts project=demo | u<br>checks/all, of:them.yaml:2 | could not be checked: \\<script\\> |

<details><summary>counts: ${hostile}</summary>

${text.split('</summary>\n\n')[1]?.split('\n\n… and')[0]}

… and 1 more row

</details>

4 assertions of 1 check (0.3 s, as of 2026-01-15T12:00:00Z)
`);
    expect(text).toContain('| 2 | *NULL* |');
  });

  test('says of checks that all hold no more than how many', async () => {
    expect(await report('markdown', reportOf(outcome({ state: 'pass' })))).toBe(
      '## Checks: 1 ok\n\n1 assertion of 1 check (0.3 s, as of 2026-01-15T12:00:00Z)\n',
    );
  });
});

describe('the JSON report', () => {
  test('keeps all digits, and repeated names apart', async () => {
    const count = { name: 'count(*)', column: { name: '', type: INT64 } };
    const text = await report(
      'json',
      reportOf(
        outcome({
          measures: [
            { ...count, value: 9007199254740993n },
            { ...count, value: 1 },
          ],
          sample,
          failingRows: 2,
        }),
      ),
      {
        rows: 1,
      },
    );
    expect(text).toContain('"values":{"count(*)":9007199254740993,"count(*)_1":1},"failing_rows":2,"sample":[{"n":9007199254740993,');
    const { checks, summary } = JSON.parse(text);
    expect(summary).toEqual({
      assertions: 1,
      passed: 0,
      warned: 0,
      failed: 1,
      unknown: 0,
      as_of: '2026-01-15T12:00:00.000000Z',
      elapsed_ms: 250,
    });
    expect([checks[0].query, checks[0].params, checks[0].assertions[0].file, checks[0].assertions[0].line]).toEqual([
      'counts',
      { project: 'demo' },
      'checks/all, of:them.yaml',
      2,
    ]);
    expect(checks[0].assertions[0].sample).toHaveLength(1);
  });
});

describe('the terminal report', () => {
  test('lets no name or value reach the terminal as it is', async () => {
    const text = await report('terminal', reportOf(outcome({ failingRows: 2, sample }, HOSTILE)), { width: 60 });
    expect(text.replace(/[^\p{Cc}\p{Cs}\u202e]/gu, '').replaceAll('\n', '')).toBe('');
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60);
  });
});

describe('--reporter', () => {
  test('names reports, and files for them', () => {
    expect(requestedReporters([])).toEqual([{ name: 'terminal', file: undefined }]);
    expect(requestedReporters(['terminal', 'github', 'junit=a=b.xml'])).toEqual([
      { name: 'terminal', file: undefined },
      { name: 'github', file: undefined },
      { name: 'junit', file: 'a=b.xml' },
    ]);
  });

  test.each([
    [['junti'], 'junti is not a reporter', 'did you mean junit? The reporters are terminal, json, junit, markdown, html, github'],
    [['json', 'terminal'], 'the json report cannot share standard output', 'write it to a file: --reporter json=report.json'],
    [['json='], '--reporter json= needs a file', 'write it like json=report.txt'],
    [['json=a', 'junit=a'], 'two reports cannot both go to a', 'give each its own file'],
  ])('%j is refused', (texts, message, hint) => {
    try {
      requestedReporters(texts);
      expect.unreachable();
    } catch (error) {
      expect(error instanceof QuernError && [error.code, error.message, error.details.hint]).toEqual(['usage', message, hint]);
    }
  });
});

describe('the HTML report', () => {
  test('shows each assertion with its state, and the rows that break it, whatever they hold', async () => {
    const failing = outcome({ failingRows: 3, sample }, HOSTILE);
    const page = await report('html', reportOf(failing, outcome({ state: 'pass' })), { rows: 1 });
    expect(page).toContain('<h1>Checks: <span class="bad">1 failed</span>, <span class="good">1 ok</span></h1>');
    expect([...page.matchAll(/<td class="(\w+) moment">(.*?)<\/td>/g)].map(([, look, word]) => [look, word])).toEqual([
      ['bad', 'failed'],
      ['good', 'ok'],
    ]);
    expect(page).toContain('fails for 3 of 7 rows');
    expect(page).toContain(
      '<td class="count">9007199254740993</td><td>a ]]&gt; &amp; &lt;b&gt; &quot;c&quot; \\0\\x1b[31m\\u202e\\ufffe\\ud800 100%, x:y</td>',
    );
    expect(page).toContain('… and 2 more rows');
    expect(page).not.toMatch(/<script|<b> "c"|\bsrc=|\bhref=|https?:/);
    expect(page).toContain('checks/all, of:them.yaml:2');
  });

  test('says why nothing has run', async () => {
    const make = await loadReporter('html');
    const { error } = make({ width: undefined, colour: false, rows: 5, cwd: '/project', root: '/project', failOnWarn: false });
    expect(error?.(new QuernError('usage', 'no <checks>'))).toContain('<p class="bad">no &lt;checks&gt;</p>');
  });
});
