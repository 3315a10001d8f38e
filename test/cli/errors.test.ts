// What goes wrong, how it is said, and the exit code: every kind of wrong input, with the whole text.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { cliHome } from '../support/run-cli.ts';
import { byMethod } from './commands/events.ts';

const home = cliHome();
home.write('by-method.sql', byMethod);
home.write('syntax.sql', 'select\n  id,\nfrom edge_logs where and\n');
home.write('function.sql', 'select starts_wiht(event_message, "x") from edge_logs');
home.write('source.sql', 'select 1 from edge_log');
home.write('column.sql', 'select tiemstamp from edge_logs');
home.write('list.json', '[1]');
home.write('broken.json', '{');
home.write('file', '');
afterAll(() => home.remove());

/** The words on standard error, without the folder that differs from run to run. */
async function failure(...argv: string[]): Promise<string> {
  const { stdout, stderr, exitCode } = await home.run(argv);
  expect(stdout).toBe('');
  return `${stderr.replaceAll(/[^\s:]*quern-cli-\w+/g, '~')}exit ${exitCode}`;
}

describe('wrong use of the command line', () => {
  test('an unknown command is answered with the nearest one', async () => {
    expect(await failure('rnu')).toBe("error[usage]: unknown command 'rnu'\n   = hint: did you mean run?\nexit 2");
  });

  test('an unknown flag is answered with the nearest one', async () => {
    expect(await failure('list', '--formt', 'csv')).toBe(
      "error[usage]: unknown option '--formt'\n   = hint: did you mean --format?\nexit 2",
    );
  });

  test('help answers an unknown command as well, and a missing word is named', async () => {
    expect(await failure('help', 'rnu')).toBe("error[usage]: unknown command 'rnu'\n   = hint: did you mean run?\nexit 2");
    expect(await failure('load')).toBe(
      "error[usage]: missing required argument 'source'\n   = hint: name a table and a file: quern load orders orders.csv\nexit 2",
    );
  });

  test('what nothing imports from is answered with the import of files', async () => {
    expect(await failure('import', 'bq')).toBe(
      'error[usage]: quern cannot import from "bq"\n   = hint: for queries of BigQuery, dbt or other tools, import their files: quern import dir FOLDER; docs/migration.md says how to get them\nexit 2',
    );
    expect(await failure('import', 'logflar')).toBe(
      'error[usage]: quern cannot import from "logflar"\n   = hint: did you mean import logflare?\nexit 2',
    );
    home.write('saved/a.sql', 'select 1');
    expect(await failure('import', 'saved')).toBe(
      'error[usage]: quern cannot import from "saved"\n   = hint: to import the files of a folder, write quern import dir saved\nexit 2',
    );
  });

  test('a flag misspelt where parameters are flags is answered with the nearest flag', async () => {
    home.write('one.sql', 'select 1 as one');
    expect(await failure('run', 'one.sql', '--formt', 'csv')).toBe(
      'error[parameter]: one takes no parameters, 1 is unknown\n   = unknown   --formt  is not a parameter; the query has none\n   = hint: did you mean the flag --format?\nexit 2',
    );
  });

  test('no query, a word too many, a flag without a value and a short flag are each told with what to write', async () => {
    expect(await failure('run')).toBe('error[usage]: no saved query was given\n   = hint: list them with `quern list`\nexit 2');
    expect(await failure('run', 'a', 'b')).toBe(
      "error[usage]: unexpected argument: b\n   = hint: a parameter's value follows its flag, such as --name b\nexit 2",
    );
    expect(await failure('run', 'a', '--project')).toBe(
      'error[usage]: --project needs a value\n   = hint: write --project VALUE, or --project= for an empty one\nexit 2',
    );
    expect(await failure('run', 'a', '-p', 'x')).toBe(
      'error[usage]: -p is for SQL: a saved query declares its parameters\n   = hint: pass them as flags: --name value\nexit 2',
    );
  });

  test.each([
    [['select 1'], "unknown command 'select 1'", "SQL is run by quern query, such as quern query 'select 1 as one'"],
    [['version'], "unknown command 'version'", 'the version is printed by quern --version'],
    [['syntax.sql'], "unknown command 'syntax.sql'", 'a file of SQL is run by quern query syntax.sql'],
    [['rows.csv'], "unknown command 'rows.csv'", "files are read in FROM: quern query 'select * from `rows.csv`'"],
    [['--format', 'csv', 'query', 'select 1'], "unknown option '--format'", 'flags of a command stand behind it: quern query … --format'],
    [['load', 'data/rows-1.csv'], "missing required argument 'file'", 'name the table first: quern load rows_1 data/rows-1.csv'],
    [['run', 'one', '-p', 'project=site'], '-p is for SQL: a saved query declares its parameters', 'pass them as flags: --project site'],
    [['run', 'one', '-p', 'least:INT64:5'], '-p is for SQL: a saved query declares its parameters', 'pass them as flags: --least 5'],
    [['query', 'syntx.sql'], 'there is no file syntx.sql', 'did you mean syntax.sql?'],
    [['query', 'lists.json'], 'lists.json is a file of rows, and no SQL', "read it in FROM: quern query 'select * from `list.json`'"],
  ])('%j is answered with what was probably meant', async (argv, message, hint) => {
    expect(await failure(...argv)).toBe(`error[usage]: ${message}\n   = hint: ${hint}\nexit 2`);
  });

  test('a misspelt file in FROM is answered with the nearest one', async () => {
    expect(await failure('query', 'select * from `lists.json`')).toMatch(
      /^error\[config\]: lists\.json: there is no file .*\/lists\.json\n(?:.*\n)* {3}= hint: did you mean the file list\.json\?\nexit 2$/,
    );
    expect(await failure('query', 'select * from `list.jsn`')).toMatch(
      /named list\.jsn\n(?:.*\n)+ {3}= hint: did you mean the file list\.json\?\nexit 2$/,
    );
  });

  test('a file of SQL is run, and its errors name it', async () => {
    home.write('two.sql', 'select 2 as two');
    expect(await home.run(['query', 'two.sql'])).toMatchObject({ stdout: '{"two":2}\n', exitCode: 0 });
    expect(await failure('query', 'syntax.sql')).toMatch(/--> syntax\.sql:3:/);
  });

  test.each([
    ['create table x as select 1 as a', 'x'],
    ['create view shop.v as select 1 as a', 'shop.v'],
    ['insert into orders select 1 as a', 'orders'],
  ])('%s says that nothing is stored', async (sql, name) => {
    const { stdout, stderr, exitCode } = await home.run(['query', sql]);
    expect([stdout, exitCode]).toEqual(['{"a":1}\n', 0]);
    expect(stderr).toContain(`nothing is stored: these are the rows for ${name}; to keep them, write them to a file with --output`);
  });

  test('a path may begin in the home folder', async () => {
    home.write('.home.csv', 'id\n1\n2\n');
    expect(await home.run(['query', 'select count(*) as n from `~/.home.csv`'])).toMatchObject({ stdout: '{"n":2}\n', exitCode: 0 });
  });

  test('an unknown format is noticed before the query runs', async () => {
    expect(await failure('run', 'by-method.sql', '--format', 'jsn')).toBe(
      'error[usage]: jsn is not an output format\n   = hint: did you mean json? The formats are table, chart, json, ndjson, csv, tsv, markdown, html, svg, png, parquet, arrow\nexit 2',
    );
  });

  test('a value of a flag that does not fit is told with those that would', async () => {
    expect(await failure('run', 'by-method.sql', '--max-age', '5')).toBe(
      'error[usage]: --max-age "5" is not a duration\n   = hint: write it like 30s, 15m or 1h\nexit 2',
    );
    expect(await failure('list', '--timeout', 'never')).toBe(
      'error[usage]: --timeout "never" is not a duration such as 30s, 15m or 1h\nexit 2',
    );
  });

  test('--params that is no JSON object, or no file, is refused', async () => {
    expect(await failure('run', 'by-method.sql', '--params', 'list.json')).toBe(
      'error[usage]: list.json does not contain a JSON object\n   = hint: write the parameters as {"name": value, …}\nexit 2',
    );
    expect(await failure('run', 'by-method.sql', '--params', 'none.json')).toBe(
      'error[usage]: there is no file none.json\n   = hint: name a file that you can read, or - for standard input\nexit 2',
    );
  });
});

describe('saved queries that cannot run', () => {
  test('an unknown query is answered with the nearest one', async () => {
    expect(await failure('run', 'usage.api-count')).toBe(
      'error[unknown-query]: there is no saved query named usage.api-count\n   = hint: did you mean usage.api-counts? `quern list` shows them all\nexit 2',
    );
  });

  test('a file of the folder named without its ending is answered with its path', async () => {
    expect(await failure('run', 'by-method')).toBe(
      'error[unknown-query]: there is no saved query named by-method\n   = hint: did you mean ./by-method.sql? `quern list` shows them all\nexit 2',
    );
  });

  test('all problems with parameters are told at once', async () => {
    expect(await failure('run', 'by-method.sql', '--least', 'few', '--projct', 'demo')).toMatchInlineSnapshot(`
      "error[parameter]: by-method needs 2 parameters, 1 is missing, 1 is invalid and 1 is unknown
         = missing   --project  project ref (string)
         = invalid   --least    "few" is not a 64-bit integer
         = unknown   --projct   is not a parameter; did you mean project?
         = hint: see its parameters with \`quern show by-method.sql\`
      exit 2"
    `);
  });

  test('a parameter with the name of a flag is given through --params', async () => {
    home.write(
      'clash.sql',
      '/*---\nid: 4c01dc9a-90f3-4c81-99e0-1e85e62aab14\nparams:\n  store: { type: string, required: true }\n---*/\nselect @store as s',
    );
    expect(await failure('run', 'clash.sql', '--store', 'somewhere')).toBe(`error[parameter]: clash needs 1 parameter, 1 is missing
   = missing   --store  string
   = hint: --store is a flag of quern itself: pass the parameter in a JSON object, with --params
exit 2`);
    expect((await home.run(['run', 'clash.sql', '--params', '-'], { stdin: '{"store": "here"}' })).stdout).toBe('{"s":"here"}\n');
  });

  test.each(['syntax.sql', 'function.sql', 'source.sql', 'column.sql'])('%s is refused with its place', async (file) => {
    expect(await failure('run', file)).toMatchSnapshot();
  });

  test('--json-errors says the same as data', async () => {
    const { stderr, exitCode } = await home.run(['run', 'source.sql', '--json-errors']);
    expect(exitCode).toBe(2);
    const body = JSON.parse(stderr);
    expect(body).toEqual({
      error: {
        code: 'unknown-source',
        message: 'there is no source, saved query or WITH table named edge_log',
        hint: 'did you mean edge_logs?',
        position: { file: expect.stringMatching(/source\.sql$/), line: 1, column: 15 },
      },
    });
  });
});

describe('places that cannot be used', () => {
  test('a store that is no folder is left alone', async () => {
    expect(await failure('run', 'by-method.sql', '--project', 'x', '--store', 'file')).toBe(
      'error[unreachable]: ~/file is not a folder\n   = hint: choose another place with --store\nexit 3',
    );
  });

  test('a file that cannot be read is named, and nothing is loaded', async () => {
    expect(await failure('load', 'edge_logs', 'missing.log')).toBe(
      'error[load]: ~/missing.log cannot be read: there is no such file\n   = hint: nothing was loaded; check the file and load it again\nexit 1',
    );
  });

  test('an --output without its folder is refused', async () => {
    home.write('one.sql', 'select 1 as one');
    expect(await failure('run', 'one.sql', '--output', 'no/such/folder.csv')).toBe(
      'error[usage]: ~/no/such/folder.csv cannot be written: there is no folder ~/no/such\n   = hint: choose another file with --output\nexit 2',
    );
  });

  test('a cache folder that cannot be used costs the cache and never the answer', async () => {
    const cached = '/*---\nid: 4c01dc9a-90f3-4c81-99e0-1e85e62aab12\ncache: 900s\n---*/\nselect 1 as one';
    home.write('cached.sql', cached);
    const { stdout, stderr, exitCode } = await home.run(['run', 'cached.sql', '--cache-dir', 'file/below']);
    expect({ stdout, exitCode }).toEqual({ stdout: '{"one":1}\n', exitCode: 0 });
    expect(stderr).toMatch(/^note: results are not cached: .*\n$/);
  });
});

test('Ctrl-C ends with 130', async () => {
  home.write(
    'slow.sql',
    '/*---\nid: 4c01dc9a-90f3-4c81-99e0-1e85e62aab13\ndialect: clickhouse\n---*/\nselect max(sipHash64(number)) as n from numbers(1000000000000)',
  );
  let interrupt: () => void = () => undefined;
  const ended = home.run(['run', 'slow.sql', '--store', 'other'], {
    onListen: (listener) => {
      interrupt = listener;
    },
  });
  // The store's manifest appears when the engine opens, just before the query.
  await expect.poll(() => existsSync(join(home.folder, 'other/manifest.json')), { timeout: 20_000 }).toBe(true);
  interrupt();
  const { stderr, exitCode } = await ended;
  expect({ stderr, exitCode }).toEqual({ stderr: 'error[interrupted]: interrupted\n', exitCode: 130 });
});

test('a query that takes too long ends with 4', async () => {
  const { stderr, exitCode } = await home.run(['run', 'slow.sql', '--timeout', '1s']);
  expect(stderr).toContain('error[timeout]');
  expect(exitCode).toBe(4);
});
