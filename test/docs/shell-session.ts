// Runs the commands of a page in one bash, one after the other, as a reader would: in a home and a folder of their own.
import { spawn } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { removeFolder } from '../support/remove-folder.ts';
import { type Block, type Command, root, runnable } from './pages.ts';

export interface Ran {
  readonly command: Command;
  readonly output: string;
  /** Undefined for a server, which runs on. */
  readonly exitCode: number | undefined;
}

export interface Setting {
  /** Folder of the package. */
  readonly installed: string;
  /** Folder with the files that the page's commands read. */
  readonly project: string | undefined;
  /** A store that `quern demo` has filled. */
  readonly demoStore: string | undefined;
  /** Commands that name no store use that one. */
  readonly usesDemo?: boolean;
}

/** Servers end with the block that starts them; all else, such as variables, lasts to the end of the page. */
export async function runBlocks(
  blocks: readonly Block[],
  { installed, project, demoStore, usesDemo = false }: Setting,
): Promise<readonly Ran[]> {
  const folder = mkdtempSync(join(tmpdir(), 'quern-docs-'));
  const home = join(folder, 'home');
  const work = join(home, 'project');
  const session = join(folder, 'session');
  try {
    // A reader who completes words in fish has its folder.
    for (const each of [work, session, join(folder, 'bin'), join(home, '.config/fish/completions')]) mkdirSync(each, { recursive: true });
    if (project !== undefined) cpSync(project, work, { recursive: true });
    cpSync(join(root, 'examples'), join(work, 'examples'), { recursive: true });
    if (demoStore !== undefined) cpSync(demoStore, join(home, '.local/share/quern/demo'), { recursive: true });
    symlinkSync(join(installed, 'bin/quern.js'), join(folder, 'bin/quern'));
    writeFileSync(join(folder, 'bin/npx'), '#!/bin/sh\nexport npm_command=exec\nexec "$@"\n');
    chmodSync(join(folder, 'bin/npx'), 0o755);
    const script = [`source '${join(import.meta.dirname, 'session.sh')}'`];
    const commands: Command[] = [];
    for (const block of blocks) {
      if (block.file !== undefined) script.push(fileOf(session, block, commands.length));
      for (const command of runnable(block)) {
        const name = String(commands.push(command));
        writeFileSync(join(session, `${name}.sh`), `${command.text}\n`);
        script.push(`${howTo(command)} ${name}`);
      }
      script.push('stop_server');
    }
    await bash(script.join('\n'), work, {
      PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
      HOME: home,
      SESSION: session,
      LANG: 'C.UTF-8',
      NO_COLOR: '1',
      QUERN_PORT: '0',
      ...(usesDemo ? { QUERN_STORE: join(home, '.local/share/quern/demo') } : {}),
    });
    return commands.map((command, i) => {
      const read = (ending: string): string => {
        const file = join(session, `${i + 1}.${ending}`);
        return existsSync(file) ? readFileSync(file, 'utf8') : '';
      };
      const code = read('code').trim();
      const output = read('out')
        .replaceAll(home, '/home/you')
        // The log of a server, which stands between its words.
        .replaceAll(/^\{"level":.*\n/gm, '')
        .replace(/^(listening on http:\/\/127\.0\.0\.1):\d+$/m, '$1:4000');
      return { command, output, exitCode: code === '' ? undefined : Number(code) };
    });
  } finally {
    // What a page has started may still write there.
    await removeFolder(folder);
  }
}

/** What is installed, in a folder of its own: a build meanwhile does not change it. */
export function installPackage(folder: string): string {
  for (const name of ['bin', 'dist', 'queries', 'package.json']) cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

const isServer = (command: string): boolean => /(?:^|&& )(?:\w+=\S+ )*(?:npx )?quern serve\b/.test(command);

/** Written when its place in the page is reached, into the folder that the commands are in by then. */
function fileOf(session: string, { file = '', lines }: Block, before: number): string {
  const copy = join(session, `file-${before}-${file.replaceAll('/', '-')}`);
  writeFileSync(copy, lines.map((line) => `${line}\n`).join(''));
  return `mkdir -p '${dirname(file)}' && cp '${copy}' '${file}'`;
}

function howTo({ text, output = [] }: Command): string {
  if (isServer(text)) return 'serve';
  return output[0]?.startsWith('┌') === true ? 'run_with_table' : 'run';
}

function bash(script: string, cwd: string, env: Readonly<Record<string, string>>): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['-c', script], { cwd, env, stdio: 'ignore', timeout: 500_000 });
    child.on('error', reject);
    child.on('close', () => resolve());
  });
}
