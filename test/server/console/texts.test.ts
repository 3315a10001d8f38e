// The console's own reading and writing, which needs no page: JSON without loss, addresses, relative times, commands, lines of a chart.
import { execFileSync } from 'node:child_process';
import { describe, expect, onTestFinished, test } from 'vitest';
import { roundStep } from '../../../src/output/chart/time.ts';
import { type Address, readAddress, START, writeAddress } from '../../../src/server/console/address.ts';
import type { ConsoleEndpoint } from '../../../src/server/console/contract.ts';
import { curlCommand, FLAGS_OF_RUN, runCommand } from '../../../src/server/console/elsewhere.ts';
import { type Cell, exactJson, parseExactJson } from '../../../src/server/console/exact-json.ts';
import { type Filter, filtered, NO_FILTER } from '../../../src/server/console/filter.ts';
import { logColumns } from '../../../src/server/console/log-columns.ts';
import { levelOf } from '../../../src/server/console/log-level.ts';
import { partsOf, rangeOf, rangeText, withRange } from '../../../src/server/console/range.ts';
import { relativeInstant } from '../../../src/server/console/relative-time.ts';
import { compareCells, readRows } from '../../../src/server/console/rows.ts';
import { sentValues } from '../../../src/server/console/sent-values.ts';
import { drawingOfRows } from '../../../src/server/console/series.ts';
import { plainText, shownLines, shownText } from '../../../src/server/console/shown-text.ts';
import { parametersOf } from '../../../src/server/console/sql-text.ts';
import { isTimeSeries } from '../../../src/server/console/time-series.ts';
import { valueActions } from '../../../src/server/console/value-actions.ts';
import { cliHome } from '../../support/run-cli.ts';

describe('JSON of a reply', () => {
  test.each([
    '{"2":1,"1":-0.10,"__proto__":{"a":[]},"b":{}}',
    '[9007199254740993,1e400,0.12345678901234567890,"\\u0000\\"",null,true]',
    '"x"',
  ])('keeps its digits and the order of its fields: %s', (text) => {
    expect(exactJson(parseExactJson(text))).toBe(text);
  });

  test('is drawn on several lines', () => {
    expect(exactJson(parseExactJson('{"a":[1,{"b":null}],"c":[]}'), '  ')).toBe(
      '{\n  "a": [\n    1,\n    {\n      "b": null\n    }\n  ],\n  "c": []\n}',
    );
  });

  test('that is cut off is no reply', () => {
    expect(() => readRows('{"result": [', undefined)).toThrow(SyntaxError);
    expect(() => readRows('{"rows": []}', undefined)).toThrow('the reply has no rows');
    for (const text of ['{"a":1', '{"a" 1}', '[1 2]', '"x', '"\\"', '[1,]', '{"a":1}}', 'tru', 'undefined', '', '{a:1}', '[,1]'])
      expect(() => parseExactJson(text)).toThrow(SyntaxError);
  });
});

describe('rows', () => {
  test('know the kinds of columns that the server does not describe by their values', () => {
    const { columns, rows, truncated } = readRows(
      '{"result": [{"n": 1, "at": "2026-01-02T03:04:05Z", "t": "x", "o": {"a": 1}, "e": null}, {"n": null, "at": "2026-01-02", "t": true, "o": 1}], "meta": {"truncated": true, "rows": 2}}',
      undefined,
    );
    expect(columns.map(({ name, kind }) => `${name} ${kind}`)).toEqual(['n number', 'at time', 't text', 'o other', 'e other']);
    expect([rows[1]?.[4], truncated]).toEqual([null, true]);
  });

  test('have a cell for each column, also where fields are missing, more, or in another order', () => {
    const text = '{"result": [{"a": 1, "b": "\\"x"}, {"a" : 2 , "b":null}, {"b": 3, "a": 4}, {"a": 5, "c": [6, {"d": "}"}]}, {"a": 7}]}';
    const shown = (described?: Parameters<typeof readRows>[1]) => readRows(text, described).rows.map((row) => row.map(plainText));
    expect(shown()).toEqual([
      ['1', '"x'],
      ['2', ''],
      ['4', '3', ''],
      ['5', '', '[6,{"d":"}"}]'],
      ['7', '', ''],
    ]);
    const columns = (...names: readonly string[]) => names.map((name) => ({ name, type: 'STRING' }));
    expect(shown(columns('b'))).toEqual([['"x'], [''], ['3'], [''], ['']]);
    // What was read in vain is read once more.
    expect(readRows('{"result": [{"a": "\\"{", "b": "\\\\", "c": 1}]}', columns('a', 'b')).rows).toEqual([['"{', '\\']]);
  });

  test('are sorted by number, with all digits, and missing values last', () => {
    const cells = parseExactJson('[10, null, 9007199254740993, 9007199254740992, 9]');
    if (!Array.isArray(cells)) throw new Error('not a list');
    const sorted = (direction: 1 | -1) => exactJson([...cells].sort((a, b) => compareCells(a, b, direction)));
    expect(sorted(1)).toBe('[9,10,9007199254740992,9007199254740993,null]');
    expect(sorted(-1)).toBe('[9007199254740993,9007199254740992,10,9,null]');
  });

  test('are shown without characters that act', () => {
    expect(shownText('a\u0000\u202eb\n\u200f')).toBe('a\\0\\u202eb\\n\\u200f');
    expect(shownLines('a\n\tb\u0007')).toBe('a\n\tb\\x07');
  });
});

describe('lines over time', () => {
  const lines = (result: string, described?: Parameters<typeof readRows>[1]) => drawingOfRows(readRows(`{"result": ${result}}`, described));

  test('are one per column of numbers where each time has one row', () => {
    const rows = '[{"at": "2026-01-02T00:01:00Z", "a": 1, "b": null}, {"at": "2026-01-02T00:00:00Z", "a": 2, "b": 0.5}]';
    const [one, other] = [Date.UTC(2026, 0, 2, 0, 0), Date.UTC(2026, 0, 2, 0, 1)];
    expect(lines(rows)).toEqual({
      kind: 'times',
      times: [one, other],
      series: [
        {
          name: 'a',
          points: [
            { at: other, value: 1 },
            { at: one, value: 2 },
          ],
        },
        {
          name: 'b',
          points: [
            { at: other, value: Number.NaN },
            { at: one, value: 0.5 },
          ],
        },
      ],
      zone: ' UTC',
      split: false,
      notes: [],
    });
  });

  test('are microseconds of other servers, too', () => {
    const found = lines('[{"at": 1767312000000000, "n": 1}, {"at": 1767312060000000, "n": 2}]', [
      { name: 'at', type: 'TIMESTAMP' },
      { name: 'n', type: 'INT64' },
    ]);
    expect('times' in found && found.times).toEqual([1767312000000, 1767312060000]);
  });

  test('are bars where there are no times', () => {
    expect(lines('[{"a": "x", "n": 1}, {"a": null, "n": 9007199254740993}]')).toMatchObject({
      kind: 'labels',
      series: [
        {
          name: 'n',
          points: [
            { at: 'x', value: 1 },
            { at: 'NULL', value: 2 ** 53 },
          ],
        },
      ],
    });
  });

  test.each([
    ['[]', 'There are no rows to draw.'],
    ['[{"at": "2026-01-02"}]', 'A chart needs a column of numbers; these rows have none.'],
    ['[{"at": "2026-01-02", "n": [1]}]', 'A chart needs a column of numbers; these rows have none.'],
  ])('are not drawn of %s', (result, reason) => {
    expect(lines(result)).toEqual({ reason });
  });
});

describe('an address', () => {
  test('gives back what was written into it, whatever that holds', () => {
    const address: Address = {
      endpoint: 'a.b/c?d%',
      values: { project: ['x&~run=1#'], list: ['1', '2,3'], empty: [''] },
      sql: 'select "é" -- 100%\n',
      types: {},
      view: 'chart',
      look: { columns: true, log: true },
      filter: { find: ' a=b ', only: ['a.b="c=d"', 'n=1'], without: ['x=null'] },
      range: { from: '-1h', asOf: '2026-01-02' },
      run: true,
      live: 15,
    };
    expect(readAddress(writeAddress(address))).toEqual(address);
    const { endpoint: _, ...others } = address;
    const typed: Address = { ...others, page: 'sql', types: { project: 'array of string' }, rows: 10_000 };
    expect(readAddress(writeAddress(typed))).toEqual(typed);
  });

  test.each(['#/~sql', '#/~tables', '#/~tables/a.b%2F%3F', '#/~boards/traffic?~from=-1h'])('of another page is kept: %s', (hash) => {
    expect(writeAddress(readAddress(hash))).toBe(hash);
  });

  test.each(['', '#', '#/', '#/%', '#/x?~view=odd&~live=1'])('of any form is read: %s', (hash) => {
    const { view, run, live } = readAddress(hash);
    expect([view, run, live]).toEqual([undefined, false, undefined]);
  });

  test('of the overview has the shared range of time, and nothing else', () => {
    const address: Address = { ...START, range: { from: '-1h', to: 'now' } };
    expect(writeAddress({ ...address, filter: { find: 'x', only: [], without: [] }, run: true })).toBe('#/?~from=-1h&~to=now');
    expect(readAddress('#/?~from=-1h&~to=now')).toEqual(address);
  });
});

describe('the text of the SQL page', () => {
  test('names its parameters, but not in texts, comments and quoted names', () => {
    const sql = `select @a, '@b', "@c", \`@d\`, @@e, '''x @f ' y''', @start_at -- @g\nfrom t # @h\nwhere x /* @i\n */ = @A and y = 'it\\'s @j' and n in unnest(@list)`;
    const parameters = parametersOf(sql, { a: 'integer', list: 'array of integer', b: 'float', start_at: 'nonsense' });
    expect(parameters.map(({ name, type, array }) => `${name} ${array ? 'array of ' : ''}${type}`)).toEqual([
      'a integer',
      'start_at timestamp',
      'list array of integer',
    ]);
  });
});

describe('rows open as a chart', () => {
  const rows = (columns: readonly string[], ...lines: readonly (readonly unknown[])[]) => ({
    columns: columns.map((kind, i) => ({ name: `c${i}`, kind: kind as 'time' })),
    rows: lines.map((line) => line.map((cell) => (typeof cell === 'number' ? { number: String(cell) } : (cell as string)))),
  });
  const days = ['2026-01-01', '2026-01-02', '2026-01-03'];

  test.each([
    ['a number a time', true, rows(['time', 'number'], ...days.map((day, i) => [day, i]))],
    [
      'a number a time and label',
      true,
      rows(
        ['time', 'text', 'number'],
        ...days.flatMap((day) => [
          [day, 'a', 1],
          [day, 'b', 2],
        ]),
      ),
    ],
    ['two times', false, rows(['time', 'number'], ...days.slice(1).map((day) => [day, 1]))],
    [
      'several rows of a time',
      false,
      rows(
        ['time', 'number'],
        ...days.flatMap((day) => [
          [day, 1],
          [day, 2],
        ]),
      ),
    ],
    ['records', false, rows(['time', 'number', 'other'], ...days.map((day) => [day, 1, 'x']))],
    ['a time behind something else', false, rows(['number', 'time'], ...days.map((day) => [1, day]))],
    ['no number at all', false, rows(['time', 'number'], ...days.map((day) => [day, null]))],
  ])('or not, with %s: %s', (_, isSeries, shown) => {
    expect(isTimeSeries(shown)).toBe(isSeries);
  });
});

describe('a range of time that queries share', () => {
  const parameter = (name: string, more: object = {}) => ({ name, type: 'timestamp', array: false, required: false, ...more }) as const;
  const endpoint = (...parameters: readonly object[]) => ({ name: 'q', parameters }) as unknown as ConsoleEndpoint;
  const logs = endpoint(
    parameter('project', { type: 'string' }),
    parameter('iso_timestamp_start', { type: 'string' }),
    parameter('iso_timestamp_end', { type: 'string' }),
    parameter('as_of', { instant: true }),
  );

  test.each([
    ['names of Logflare', logs, { from: 'iso_timestamp_start', to: 'iso_timestamp_end', asOf: 'as_of' }],
    ['other names', endpoint(parameter('since'), parameter('until')), { from: 'since', to: 'until' }],
    ['two that could be meant', endpoint(parameter('start'), parameter('from')), {}],
    [
      'texts, lists, and what the key sets',
      endpoint(parameter('start', { type: 'string' }), parameter('from', { array: true }), parameter('to', { pinned: 'x' })),
      {},
    ],
  ])('finds its parameters: %s', (_, query, parts) => {
    expect(partsOf(query)).toEqual(parts);
  });

  test('goes from query to query, through one that has no parameters for it', () => {
    const range = { from: '-1h', to: 'now', asOf: '2026-01-15T12:00:00Z' };
    const bare = endpoint();
    const onBare = withRange(bare, START, range);
    expect([onBare.values, onBare.range]).toEqual([{}, range]);
    const onLogs = withRange(logs, { ...START, values: { project: ['demo'], iso_timestamp_end: ['old'] } }, rangeOf(bare, onBare));
    expect([onLogs.values, onLogs.range]).toEqual([
      { project: ['demo'], iso_timestamp_start: ['-1h'], iso_timestamp_end: ['now'], as_of: ['2026-01-15T12:00:00Z'] },
      {},
    ]);
    expect(rangeOf(logs, onLogs)).toEqual(range);
    expect([range, { to: 'now' }, {}].map(rangeText)).toEqual(['-1h to now, as of 2026-01-15T12:00:00Z', 'until now', '']);
  });

  test('is relative to what counts as now', () => {
    const values = { iso_timestamp_start: ['-1h'], as_of: ['2026-01-15T12:00:00Z'] };
    expect(sentValues(logs, values, Date.UTC(2026, 5, 1))).toEqual({
      iso_timestamp_start: '2026-01-15T11:00:00Z',
      as_of: '2026-01-15T12:00:00Z',
    });
    expect(sentValues(logs, { ...values, as_of: ['-1d'] }, Date.UTC(2026, 5, 2))).toEqual({
      iso_timestamp_start: '2026-05-31T23:00:00Z',
      as_of: '2026-06-01T00:00:00Z',
    });
  });
});

describe('rows that came', () => {
  const rows = readRows(
    `{"result": [{"id": 1, "m": [{"request": [{"method": "GET", "path": "/a"}], "tags": ["x", "y"]}], "t": "Some text"},
      {"id": 2, "m": [{"request": [{"method": "POST", "path": "/a"}], "tags": ["y"]}], "t": null}, {"id": "1", "m": null, "t": ""}]}`,
    undefined,
  );
  const left = (filter: Partial<Filter>) => filtered(rows, { ...NO_FILTER, ...filter }).rows.map(([id]) => shownText(id ?? null));

  test.each<readonly [Partial<Filter>, readonly string[]]>([
    [{}, ['1', '2', '1']],
    [{ only: ['m.request.method="GET"'] }, ['1']],
    [{ without: ['m.request.method="GET"'] }, ['2', '1']],
    [{ only: ['m.tags="y"'], without: ['m.tags="x"'] }, ['2']],
    // A number is no text, and NULL neither a word nor empty.
    [{ only: ['id=1'] }, ['1']],
    [{ only: ['id="1"'] }, ['1']],
    [{ only: ['t=null'] }, ['2']],
    [{ only: ['t=""'] }, ['1']],
    [{ find: ' SOME ' }, ['1']],
    [{ find: 'method' }, []],
  ])('are filtered by %j', (filter, ids) => {
    expect(left(filter)).toEqual(ids);
  });

  test('are asked for again with a parameter of the name of the field, if it takes the value', () => {
    const done: string[] = [];
    const endpoint = {
      parameters: [
        { name: 'method', type: 'string', array: false, required: false, enum: ['GET'] },
        { name: 'request_path', type: 'string', array: false, required: false },
      ],
    } as const;
    const actions = (path: readonly string[], value: Cell, filter = NO_FILTER) =>
      valueActions(path, value, {
        subject: endpoint,
        filter,
        onFilter: ({ only, without }) => done.push(`only ${only} without ${without}`),
        onParameter: (name, text) => done.push(`${name} ${text}`),
      });
    const labels = (list: ReturnType<typeof actions>) => list.map(({ label }) => label);
    expect(labels(actions(['request', 'method'], 'GET'))).toEqual(['Show only these', 'Leave these out', 'Run with method = GET']);
    expect(labels(actions(['request', 'method'], 'PUT'))).toEqual(['Show only these', 'Leave these out']);
    expect(labels(actions(['request', 'path'], '/a', { ...NO_FILTER, only: ['request.path="/a"'] }))).toEqual([
      'Show the others too',
      'Leave these out',
      'Run with request_path = /a',
    ]);
    for (const { act } of actions(['request', 'method'], 'GET', { ...NO_FILTER, only: ['request.method="GET"'] })) act();
    expect(done).toEqual(['only  without ', 'only  without request.method="GET"', 'method GET']);
  });
});

describe('a log', () => {
  test.each<readonly [string, boolean]>([
    ['{"timestamp": "2026-01-02T03:04:05Z", "event_message": "x"}', true],
    ['{"at": "2026-01-02T03:04:05Z", "Body": "x"}', true],
    ['{"timestamp": "2026-01-02T03:04:05Z", "n": 1}', false],
    ['{"message": "x"}', false],
  ])('has a time and a message: %s', (row, isLog) => {
    expect(logColumns(readRows(`{"result": [${row}]}`, undefined).columns) !== undefined).toBe(isLog);
  });

  test.each([
    ['{"level": "ERROR"}', 'error', 'error'],
    ['{"m": [{"parsed": [{"error_severity": "FATAL"}]}]}', 'error', 'fatal'],
    ['{"m": {"response": [{"status_code": 404}]}}', 'warn', '404'],
    ['{"status": 500, "level": "info"}', 'info', 'info'],
    ['{"status": "active", "m": {"status_code": "201"}}', 'info', '201'],
    ['{"severity_text": "Warning"}', 'warn', 'warning'],
    ['{"level": 30}', 'none', ''],
  ])('says how serious a row is: %s', (row, severity, text) => {
    const { columns, rows } = readRows(`{"result": [${row}]}`, undefined);
    expect(levelOf(columns, rows[0] ?? [])).toEqual({ severity, text });
  });

  test('is counted in round parts of time', () => {
    expect([1, 90_000, 3_600_000, 7 * 86_400_000, 4000 * 86_400_000].map((span) => roundStep(span, 80))).toEqual([
      1,
      2000,
      60_000,
      10_800_000,
      60 * 86_400_000,
    ]);
  });
});

test('times relative to now are read when they are sent', () => {
  const now = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
  expect(['now', ' -90m ', '-2w', '-1y', '1h', '', '2026-01-02'].map((text) => relativeInstant(text, now))).toEqual([
    '2026-01-02T03:04:05Z',
    '2026-01-02T01:34:05Z',
    '2025-12-19T03:04:05Z',
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

describe('commands', () => {
  const values = { word: `it's "$HOME" \`x\` \\ \n*`, some_list: ['a b', '-1'], n: '-1' };

  test('reach their program through a shell as they were meant', () => {
    const heard = (command: string, program: string) =>
      execFileSync('/bin/sh', ['-c', `${program}() { printf '%s\\0' "$@"; }; ${command}`], { encoding: 'utf8' })
        .split('\0')
        .slice(0, -1);
    expect(heard(curlCommand({ endpoint: "a'b", values, sql: 'select 1' }, 'http://127.0.0.1:4000/', true), 'QUERN_KEY=k; curl')).toEqual([
      '--fail-with-body',
      '--header',
      'X-API-KEY: k',
      '--get',
      '--data-urlencode',
      `word=${values.word}`,
      '--data-urlencode',
      'some_list=a b',
      '--data-urlencode',
      'some_list=-1',
      '--data-urlencode',
      'n=-1',
      '--data-urlencode',
      'sql=select 1',
      "http://127.0.0.1:4000/api/endpoints/a'b",
    ]);
    expect(heard(runCommand({ endpoint: 'x', values: { word: values.word, n: '-1', a_b: 'c' }, sql: 'select 1' }), 'quern')).toEqual([
      'run',
      'x',
      '--word',
      values.word,
      '--n=-1',
      '--a-b',
      'c',
      '--sql',
      'select 1',
    ]);
  });

  test('give parameters that flags cannot as JSON', () => {
    expect(runCommand({ endpoint: 'x', values: { format: 'a', ids: ['1'] } })).toBe(
      `echo '{"format":"a","ids":["1"]}' | quern run x --params -`,
    );
  });

  test('know the flags of quern run', async () => {
    const home = cliHome();
    onTestFinished(() => home.remove());
    const { stdout: help } = await home.run(['run', '--help']);
    const flags = [...help.matchAll(/^\s+(?:-\w, )?--([\w-]+)/gm)].map(([, flag]) => flag ?? '');
    expect(flags.length).toBeGreaterThan(20);
    expect(flags.filter((flag) => !FLAGS_OF_RUN.has(flag))).toEqual([]);
  });
});
