// One more command is its file and its line in the list: help, completion and pages know it then.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CommandEntry, commands } from '../../src/cli/commands/index.ts';
import { commandPages } from '../../src/docs/command-pages.ts';
import { type CliHome, cliHome } from '../support/run-cli.ts';
import { importsOf, textsOf } from '../support/source-imports.ts';

/** What a file of a command would hold, and its line. */
const GREET: CommandEntry = {
  name: 'greet',
  group: 'Set up',
  summary: 'greet somebody',
  load: async () => ({
    register(command, { io, settings }) {
      command
        .argument('<name>', 'who')
        .option('--loud', 'with an exclamation mark')
        .addHelpText('after', '\nExamples:\n  quern greet Ada --loud')
        .action(async (name: string, { loud }: { readonly loud?: true }) => {
          await io.stdout.write(`Hello ${name}${loud === true ? '!' : ''} ${(await settings()).values.timeout}\n`);
        });
    },
  }),
};

const list = commands as CommandEntry[]; // an array it is

let home: CliHome;
beforeAll(() => {
  home = cliHome();
  list.push(GREET);
});
afterAll(() => {
  list.splice(list.indexOf(GREET), 1); // other files of tests share the process
  home.remove();
});

test('a command runs, with the flags of every command, once its line is in the list', async () => {
  expect(await home.run(['greet', 'Ada', '--loud', '--timeout', '2m'])).toEqual({ stdout: 'Hello Ada! 120\n', stderr: '', exitCode: 0 });
});

test.each([
  ['help', ['--help'], '  greet                      greet somebody'],
  ['its own help', ['help', 'greet'], 'Usage: quern greet [options] <name>'],
  ['completion', ['__complete', '--', 'gre'], 'greet\tgreet somebody'],
  ['completion of its flags', ['__complete', '--', 'greet', '--lo'], '--loud\twith an exclamation mark'],
])('%s knows it', async (_, argv, line) => {
  expect((await home.run(argv)).stdout).toContain(line);
});

test('its page is made', async () => {
  const pages = await commandPages();
  expect(pages.get('greet.md')).toContain('quern greet Ada --loud');
  expect(pages.get('README.md')).toContain('[`quern greet`](greet.md)');
});

test('nothing but the list takes the file of a command', () => {
  const index = 'src/cli/commands/index.ts';
  const imports = importsOf(textsOf('src'));
  const files = imports.filter(({ from, kind }) => from === index && kind === 'dynamic').map(({ to }) => to);
  expect(files.length).toBe(commands.length - 1);
  expect(imports.filter(({ from, to }) => files.includes(to) && from !== index)).toEqual([]);
});

test('completion, which loads the file of a command at a press of a key, loads no translator and no YAML parser', () => {
  const imports = importsOf(textsOf('src')).filter(({ kind }) => kind === 'static');
  const reached = (file: string, seen: Set<string> = new Set()): Set<string> => {
    if (seen.has(file)) return seen;
    seen.add(file);
    for (const { from, to } of imports) if (from === file) reached(to, seen);
    return seen;
  };
  const heavy = ['yaml', 'src/sql/index.ts', 'src/sql/compile/compile.ts'];
  const loading = importsOf(textsOf('src'))
    .filter(({ from, kind }) => from === 'src/cli/commands/index.ts' && kind === 'dynamic')
    .flatMap(({ to }) => heavy.filter((one) => reached(to).has(one)).map((one) => `${to} loads ${one}`));
  expect(loading).toEqual([]);
});
