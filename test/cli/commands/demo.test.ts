// quern demo: what a stranger sees first.
import { afterAll, expect, test } from 'vitest';
import { cliHome } from '../../support/run-cli.ts';

const home = cliHome();
afterAll(() => home.remove());

test('shows the three queries with their commands, tables and charts, and again without loading', async () => {
  const first = await home.run(['demo']);
  expect(first.exitCode).toBe(0);
  expect(first.stderr.replace(/\d+\.\d s/, '0.0 s').replace(home.folder, '~')).toBe(
    'Generating a week of sample logs and loading them into ~/.local/share/quern/demo\n102,000 events of 9 log sources in 0.0 s\n',
  );
  const commands = first.stdout.split('\n').filter((line) => line.startsWith('$ '));
  expect(commands.map((line) => line.split(' ').slice(0, 4).join(' '))).toEqual([
    '$ quern run usage.api-counts',
    '$ quern run functions.invocation-stats',
    '$ quern run logs.all',
  ]);
  expect(first.stdout.split('\n').filter((line) => line.startsWith('│ 2026-01-'))).toHaveLength(8 + 24);
  expect(first.stdout.split('\n').filter((line) => /^ .*└─.*┬/.test(line))).toHaveLength(2);

  expect(await home.run(['demo'])).toEqual({ stdout: first.stdout, stderr: '', exitCode: 0 });

  // The command it prints works as printed.
  const argv = (commands[0] ?? '').split(' ').slice(2);
  const { stdout, exitCode } = await home.run([...argv.slice(0, -1), argv.at(-1)?.replace('~', home.folder) ?? '', '--format', 'csv']);
  expect({ exitCode, lines: stdout.split('\n').length }).toEqual({ exitCode: 0, lines: 10 });
});
