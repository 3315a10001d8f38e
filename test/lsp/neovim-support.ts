// A real Neovim, which is typed into and asked what it shows: `nvim --headless`, with what docs/editors.md says to write in init.lua.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** Major and minor version of the `nvim` at hand; undefined where there is none. */
const version = ((): readonly [number, number] | undefined => {
  try {
    const [, major, minor] = /NVIM v(\d+)\.(\d+)/.exec(execFileSync('nvim', ['--version'], { encoding: 'utf8' })) ?? [];
    return [Number(major), Number(minor)];
  } catch {
    return undefined;
  }
})();

/** Where there is no Neovim the tests are left out, unless somebody counts on them. */
export const describeInNeovim = (name: string, tests: () => void): void => {
  if (version === undefined && process.env['EDITOR_TESTS'] !== 'required') {
    describe.skip(`${name} (left out: there is no Neovim; apt-get install neovim)`, tests);
  } else describe(name, tests);
};

/** The blocks of Lua in the page: first that of newer versions, then that of older ones, then what is for both. */
function pageConfiguration(): string {
  const page = readFileSync(join(root, 'docs/editors.md'), 'utf8');
  const [newer = '', older = '', both = ''] = [...page.matchAll(/^```lua\n(.*?)^```$/gms)].map(([, block]) => block ?? '');
  const [major = 0, minor = 0] = version ?? [];
  return `${major > 0 || minor >= 11 ? newer : older}\n${both}`;
}

/** The user has a plugin for choices, which takes the first; without one Neovim waits for a number. */
const FIRST_CHOICE = 'vim.ui.select = function(items, _, chosen) chosen(items[1], 1) end\n';

/** How many servers know the text; the older way is gone in newer versions. */
const CLIENTS = 'vim.tbl_count(vim.lsp.get_clients and vim.lsp.get_clients({ bufnr = 0 }) or vim.lsp.buf_get_clients(0))';

export class Neovim {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'quern-nvim-')));
  readonly #socket = join(this.folder, 'socket');
  readonly #child: ChildProcess;

  /** Started in the folder `project`, with its files. */
  constructor(files: Readonly<Record<string, string>>) {
    const write = (name: string, text: string): void => {
      mkdirSync(dirname(join(this.folder, name)), { recursive: true });
      writeFileSync(join(this.folder, name), text);
    };
    for (const [name, text] of Object.entries(files)) write(`project/${name}`, text);
    write('init.lua', pageConfiguration() + FIRST_CHOICE);
    mkdirSync(join(this.folder, 'bin'));
    symlinkSync(join(root, 'bin/quern.js'), join(this.folder, 'bin/quern'));
    const env = {
      PATH: `${join(this.folder, 'bin')}:${process.env['PATH']}`,
      HOME: this.folder,
      SHELL: '/bin/sh',
      QUERN_STORE: join(this.folder, 'store'),
      QUERN_CACHE_DIR: join(this.folder, 'cache'),
    };
    const argv = ['--headless', '-n', '-u', join(this.folder, 'init.lua'), '--listen', this.#socket];
    this.#child = spawn('nvim', argv, { cwd: join(this.folder, 'project'), env, stdio: 'ignore' });
  }

  /** Presses keys, written as in Vim: `<Esc>`, `<C-x>`. */
  press(keys: string): void {
    execFileSync('nvim', ['--server', this.#socket, '--remote-send', keys], { timeout: 5000 });
  }

  /** What an expression of Vim's gives. */
  value(expression: string): unknown {
    const argv = ['--server', this.#socket, '--remote-expr', `json_encode(${expression})`];
    const { stdout, stderr } = spawnSync('nvim', argv, { encoding: 'utf8', timeout: 5000 });
    // Versions before 0.8 write it to the standard error.
    return JSON.parse(stdout || stderr);
  }

  /** Opens a file as it is on the disk, with nothing left of those before, and waits for the server. */
  async edit(name: string): Promise<void> {
    this.press(`<Esc>:silent! %bdelete! | edit ${name}<CR>`);
    await this.until(`luaeval("${CLIENTS}")`, (count) => count === 1);
  }

  lua(code: string): void {
    this.press(`<Esc>:lua ${code.replaceAll('<', '<lt>')}<CR>`);
  }

  /** The value of an expression once it is as wanted; what it was last when that takes too long. */
  async until(expression: string, wanted: (value: unknown) => boolean, seconds = 20): Promise<unknown> {
    let value: unknown;
    for (const end = Date.now() + seconds * 1000; Date.now() < end; await pause(30)) {
      try {
        value = this.value(expression);
        if (wanted(value)) return value;
      } catch (error) {
        // It is still starting.
        value = error;
      }
    }
    return value;
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.press('<C-\\><C-n>:qall!<CR>');
    await Promise.race([ended, pause(3000)]);
    this.#child.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }
}
