// quern shell: through a pipe, and on a terminal that a test types on.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { main } from '../../../src/cli/main.ts';
import { cliHome } from '../../support/run-cli.ts';

const home = cliHome();
afterAll(() => home.remove());
beforeAll(async () => {
  home.write('orders.csv', 'id,total\n1,5.5\n2,7\n');
  await home.run(['load', 'sold', 'orders.csv']);
});

describe('statements of a pipe', () => {
  const shell = (stdin: string, ...flags: readonly string[]) => home.run(['shell', ...flags], { stdin });

  test('run one after the other', async () => {
    const typed =
      "select 1 as a;\nselect ';' as b,\n  2 as c; select sum(id) as n\nfrom `orders.csv`; declare x int64 default 4;\nselect x as d";
    expect(await shell(typed)).toEqual({ stdout: '{"a":1}\n{"b":";","c":2}\n{"n":3}\n{"d":4}\n', stderr: '', exitCode: 0 });
  });

  test('end with the first that fails, and its exit code', async () => {
    const { stdout, stderr, exitCode } = await shell('select 1 as a;\nselect nope;\nselect 2 as b;\n');
    expect([stdout, exitCode]).toEqual(['{"a":1}\n', 2]);
    expect(stderr).toContain('--> <shell>:');
  });

  test('commands', async () => {
    const { stdout } = await shell('\\d sold\n\\format csv\nselect 1 as a;\n\\format\nselect 2 as a;\n\\q\nselect 3 as a;\n');
    expect(stdout).toBe(
      '{"column":"id","type":"INT64","stored":"id"}\n{"column":"total","type":"FLOAT64","stored":"total"}\na\n1\n{"a":2}\n',
    );
    expect((await shell('\\d\n')).stdout).toContain('"source":"sold"');
    expect((await shell('\\timing\nselect 1 as a;\n')).stderr).toMatch(/^timing is on\ntime: \d+\.\d ms\n$/);
    expect((await shell('\\?\n')).stderr).toContain('\\timing');
    expect((await shell('\\nope\n')).stderr).toContain('\\nope is not a shell command');
    expect((await shell('\\format nope\n')).stderr).toContain('nope');
    expect((await shell('\\d nope\n')).stderr).toContain('nope is not a source');
  });
});

describe('on a terminal', () => {
  /** What a shell shows that gets `typed`, each once the shell has shown the text before it. */
  async function typing(steps: readonly (readonly [after: string, typed: string])[]): Promise<{ shown: string; exitCode: number }> {
    const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
    const screen = Object.assign(new PassThrough(), { isTTY: true, columns: 100, rows: 30 });
    let shown = '';
    let seen = 0;
    let next = 0;
    const look = () => {
      const step = steps[next];
      if (step === undefined || !shown.slice(seen).includes(step[0])) return;
      next++;
      seen = shown.length;
      setImmediate(() => stdin.write(step[1]));
    };
    screen.on('data', (chunk: Buffer) => {
      shown += chunk.toString();
      look();
    });
    const output = {
      isTerminal: true,
      columns: 100,
      terminal: screen as unknown as NodeJS.WriteStream, // of its parts, those that readline looks at
      write: async (text: string | Uint8Array) => void screen.write(text),
    };
    const exitCode = await main(['shell'], {
      stdin,
      stdout: output,
      stderr: output,
      env: { HOME: home.folder, NO_COLOR: '1', TERM: 'xterm' },
      cwd: home.folder,
      peakMemoryBytes: () => 300e6,
      onInterrupt: () => () => undefined,
      onHangUp: () => () => undefined,
    });
    return { shown: stripVTControlCharacters(shown), exitCode };
  }

  test('statements of several lines, errors, and leaving', async () => {
    const { shown, exitCode } = await typing([
      ['quern> ', 'select sum(id) as n\r'],
      ['    -> ', 'from sold;\r'],
      ['quern> ', 'select nope;\r'],
      ['quern> ', '\x04'],
    ]);
    expect(exitCode).toBe(0);
    expect(shown).toContain('│ 3 │');
    expect(shown).toContain('error[unknown-column]');
  });

  test('Ctrl-C stops the query that runs, and throws away what was typed', async () => {
    const { shown, exitCode } = await typing([
      ['quern> ', 'select 1 as unfinished\r'],
      ['    -> ', '\x03'],
      [
        'quern> ',
        'select count(*) as n from unnest(generate_array(1, 1000000)) as a, unnest(generate_array(1, 1000000)) as b where mod(a * b, 7) = 3;\r',
      ],
      ['= 3;', '\x03'],
      ['quern> ', 'select 42 as answer;\r'],
      ['quern> ', '\\q\r'],
    ]);
    expect(exitCode).toBe(0);
    expect(shown).toContain('error[interrupted]');
    expect(shown).toContain('│     42 │');
    expect(shown).not.toContain('│ unfinished │');
  });

  test('Tab completes, and lines are remembered for their user alone', async () => {
    const { shown } = await typing([
      ['quern> ', 'with s as (select * from sol\t'],
      ['sold', ')\r'],
      ['    -> ', 'select max(tot\t'],
      ['total', ') as m from s;\r'],
      // No second bracket where one follows; nothing goes into those of a function without arguments.
      ['quern> ', `select sqr(4761) as root\x1b[H${'\x1b[C'.repeat(10)}`],
      ['\x1b[1C', '\t'],
      ['sqrt(4761)', '\x1b[F;\r'],
      ['quern> ', 'select rand\t'],
      ['rand()', ' < 2 as drawn;\r'],
      ['quern> ', '\\tim\t'],
      ['\\timing', '\r'],
      ['quern> ', '\\q\r'],
    ]);
    expect(shown).toContain('│ 7 │');
    expect(shown).toContain('│   69 │');
    expect(shown).toContain('│ true  │');
    expect(shown).toContain('timing is on');
    const file = join(home.folder, '.local/state/quern/history');
    expect(readFileSync(file, 'utf8')).toContain('select rand() < 2 as drawn;\n\\timing\n');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { shown: again } = await typing([
      ['quern> ', '\x1b[A\x1b[A'],
      ['\\timing', '\r'],
      ['quern> ', '\x04'],
    ]);
    expect(again).toContain('timing is on');
  });
});
