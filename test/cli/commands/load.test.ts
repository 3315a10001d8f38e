// quern load: files, streams, bad lines, and what it says about them.
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { cliHome } from '../../support/run-cli.ts';
import { ndjson } from './events.ts';

const home = cliHome();
afterAll(() => home.remove());

/** Elapsed time differs from run to run. */
const timeless = (stderr: string): string => stderr.replaceAll(/\d+\.\d s\)/g, '0.0 s)');

const accessLog = `203.0.113.7 - - [15/Jan/2026:10:00:00 +0000] "GET /a HTTP/1.1" 200 5 "-" "curl/8"
not a line of an access log
203.0.113.8 - - [15/Jan/2026:10:00:01 +0000] "POST /b HTTP/1.1" 500 5 "-" "curl/8"
`;

describe('quern load', () => {
  test('loads several files and says what came of each', async () => {
    home.write('a.ndjson', ndjson);
    home.write('b.ndjson.gz', gzipSync(ndjson.replaceAll('demo', 'shop')));
    const { stdout, stderr, exitCode } = await home.run(['load', 'edge_logs', 'a.ndjson', 'b.ndjson.gz']);
    expect({ stdout, stderr: timeless(stderr), exitCode }).toMatchInlineSnapshot(`
      {
        "exitCode": 0,
        "stderr": "a.ndjson: 4 events into edge_logs (ndjson, 0.0 s), 2026-01-15T10:00:00Z to 2026-01-15T11:45:00Z
      b.ndjson.gz: 4 events into edge_logs (ndjson, 0.0 s), 2026-01-15T10:00:00Z to 2026-01-15T11:45:00Z
      ",
        "stdout": "",
      }
    `);
  });

  test('refuses the same content twice, unless --again', async () => {
    const { stderr, exitCode } = await home.run(['load', 'edge_logs', 'a.ndjson']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('error[load]:');
    expect(stderr).toContain('--again');
    expect((await home.run(['load', 'edge_logs', 'a.ndjson', '--again'])).exitCode).toBe(0);
  });

  test('reads standard input', async () => {
    const { stderr, exitCode } = await home.run(['load', 'auth_logs', '-', '--quiet'], {
      stdin: '{"timestamp": 1768471200, "event_message": "signed in", "project": "demo"}\n',
    });
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  });

  test('loads nothing of a file with bad lines, shows them, and ends with 1; --skip-bad-lines leaves them out', async () => {
    home.write('access.log', accessLog);
    const { stderr, exitCode } = await home.run(['load', 'edge_logs', 'access.log', '--project', 'site']);
    expect({ stderr: timeless(stderr), exitCode }).toMatchInlineSnapshot(`
      {
        "exitCode": 1,
        "stderr": "access.log:2: not in the combined log format: not a line of an access log
      error[load]: 1 line cannot be loaded: nothing was loaded
         = hint: fix that line and load the file again, or leave it out with --skip-bad-lines
      ",
      }
    `);
    const none = await home.run(['load', 'edge_logs', '--skip-bad-lines=0', 'access.log', '--project', 'site']);
    expect([none.exitCode, timeless(none.stderr)]).toEqual([exitCode, timeless(stderr)]);
    const skipped = await home.run(['load', 'edge_logs', '--skip-bad-lines', 'access.log', '--project', 'site']);
    expect({ ...skipped, stderr: timeless(skipped.stderr) }).toMatchInlineSnapshot(`
      {
        "exitCode": 0,
        "stderr": "access.log:2: not in the combined log format: not a line of an access log
      access.log: 2 events into edge_logs (combined, 0.0 s), 2026-01-15T10:00:00Z to 2026-01-15T10:00:01Z, 1 bad line skipped
      ",
        "stdout": "",
      }
    `);
    home.write('two.log', `${accessLog}more\n`);
    const two = await home.run(['load', 'edge_logs', 'two.log', '--skip-bad-lines=1', '--project', 'site']);
    expect({ ...two, stderr: timeless(two.stderr) }).toMatchInlineSnapshot(`
      {
        "exitCode": 1,
        "stderr": "two.log:2: not in the combined log format: not a line of an access log
      two.log:4: not in the combined log format: more
      error[load]: 2 lines cannot be loaded, more than the 1 that --skip-bad-lines allows: nothing was loaded
         = hint: fix those lines and load the file again, or leave them out with --skip-bad-lines
      ",
        "stdout": "",
      }
    `);
    expect((await home.run(['load', 'edge_logs', 'two.log', '--skip-bad-lines=x'])).stderr).toMatchInlineSnapshot(`
      "error[usage]: --skip-bad-lines "x" is not a whole number of at least 0
         = hint: write it like --skip-bad-lines 10
      "
    `);
    const { stdout } = await home.run([
      'run',
      'usage.api-counts',
      '--project',
      '/',
      '--interval',
      'daily',
      '--as-of',
      '2026-01-15T12:00:00Z',
    ]);
    expect(stdout.trimEnd().split('\n')).toHaveLength(1);
  });

  test('an unknown source or format is refused', async () => {
    expect((await home.run(['load', 'edge_log', 'a.ndjson'])).stderr).toContain('error[unknown-source]');
    expect((await home.run(['load', 'edge_logs', 'a.ndjson', '--format', 'ndjsn'])).stderr).toBe(
      'error[usage]: ndjsn is not a format that can be loaded into a log source\n   = hint: did you mean ndjson? The formats are ndjson, csv, parquet, combined\n',
    );
  });
});
