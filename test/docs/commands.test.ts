// Every command line of the pages is run, with the built `quern`, and prints what the page shows.
import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exitCodes } from '../../src/cli/main.ts';
import { removeFolder } from '../support/remove-folder.ts';
import { cannotRun } from './cannot-run.ts';
import { blocksOf, type Command, commandsOf, pages, pageText, runnable, workflowBlocks } from './pages.ts';
import { sameText } from './same-text.ts';
import { installPackage, type Ran, runBlocks } from './shell-session.ts';

const workflow = 'docs/github-actions.yml';
const blocks = new Map([...pages.map((page) => [page, blocksOf(pageText(page))] as const), [workflow, workflowBlocks(workflow)]]);
const written = (page: string): readonly string[] => (blocks.get(page) ?? []).flatMap(commandsOf).map(({ text }) => text);
/** Those of the commands have the examples of help, see help-examples.test.ts. */
const isHelp = (page: string): boolean => page.startsWith('docs/commands/');
const withCommands = [...blocks.keys()].filter(
  (page) => !isHelp(page) && (blocks.get(page) ?? []).some((block) => runnable(block).length > 0),
);

/** Pages in which a project is begun start in an empty folder. */
const project = (page: string): string | undefined =>
  written(page).some((command) => command.startsWith('quern init')) ? undefined : join(import.meta.dirname, 'project');

const needsDemo = (page: string): boolean => /quern demo|quern\/demo/.test(written(page).join('\n'));

const results = new Map<string, readonly Ran[]>();
const folder = mkdtempSync(join(tmpdir(), 'quern-docs-'));
const installed = installPackage(join(folder, 'quern'));
let demo: Promise<{ readonly stdout: string }>;

beforeAll(async () => {
  demo = promisify(execFile)(process.execPath, [join(installed, 'bin/quern.js'), 'demo'], { env: { HOME: folder, npm_command: 'exec' } });
  // Its store is ready by the time that those pages' turn comes which read it.
  const waiting = [...withCommands.filter((page) => !needsDemo(page)), ...withCommands.filter(needsDemo)];
  const worker = async (): Promise<void> => {
    for (let page = waiting.shift(); page !== undefined; page = waiting.shift()) {
      if (needsDemo(page)) await demo;
      const demoStore = needsDemo(page) ? join(folder, '.local/share/quern/demo') : undefined;
      results.set(page, await runBlocks(blocks.get(page) ?? [], { installed, project: project(page), demoStore }));
    }
  };
  await Promise.all([demo, worker(), worker()]);
}, 600_000);

// A server that has just been stopped may still write there.
afterAll(() => removeFolder(folder));

test.each(withCommands)('the commands of %s do what the page shows', (page) => {
  const ran = results.get(page) ?? [];
  expect(ran.map(seen).join('\n')).toBe(ran.map(promised).join('\n'));
});

test('the picture of the demo shows what it prints', async () => {
  const [, shown = ''] = /<desc[^>]*>([^<]*)<\/desc>/.exec(pageText('docs/pictures/demo.svg')) ?? [];
  expect(shown).toBe(`$ npx quern demo\n${(await demo).stdout.split('\n\nHow long its functions took')[0]}`);
});

test('every reason for not running a command is still needed', () => {
  const all = [...blocks.keys()].flatMap(written);
  expect(cannotRun.filter(({ command }) => !all.some((text) => command.test(text))).map(({ command }) => String(command))).toEqual([]);
});

test('command lines stand in blocks that are run', () => {
  // The pages of the commands have a line of usage too.
  const written = pages.filter((page) => !isHelp(page));
  const others = written.flatMap((page) =>
    (blocks.get(page) ?? [])
      .filter(({ language, file, lines }) => file === undefined && !['console', 'sh'].includes(language) && lines.some(isCommand))
      .map(({ lines }) => `${page}: ${lines.find(isCommand)}`),
  );
  expect(others).toEqual([]);
});

const isCommand = (line: string): boolean => /^(\$ |(npx )?quern [a-z]+ [^<[]*$)/.test(line);

/** What the page says: where it shows an error, the command ends with that error's exit code. */
function promised({ command, exitCode }: Ran): string {
  const lines = [`$ ${command.text}`, ...(command.output ?? [])];
  return [...lines, ...(exitCode === undefined ? [] : [`[exit code ${promisedCode(command)}]`])].join('\n');
}

function promisedCode(command: Command): number {
  const pattern = command.text.includes('--json-errors') ? /^\{"error":\{"code":"([\w-]+)"/ : /^error\[([\w-]+)\]/;
  const shownError = command.output?.map((line) => pattern.exec(line)?.[1]).find((code) => code !== undefined);
  return shownError === undefined ? 0 : (new Map<string, number>(Object.entries(exitCodes)).get(shownError) ?? -1);
}

/** What came: in the page's words where they say the same. */
function seen({ command, output, exitCode }: Ran): string {
  const came = output === '' ? [] : output.replace(/\n$/, '').split('\n');
  const asPromised = exitCode === undefined || exitCode === promisedCode(command);
  const shown = asPromised && (command.output === undefined || sameText(command.output, came)) ? (command.output ?? []) : came;
  return [`$ ${command.text}`, ...shown, ...(exitCode === undefined ? [] : [`[exit code ${exitCode}]`])].join('\n');
}
