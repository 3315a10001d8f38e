// Handles the lines of a shell: it runs statements, and obeys commands that begin with a backslash.
import { performance } from 'node:perf_hooks';
import { QuernError } from '../../base/errors.ts';
import { FORMAT_NAMES } from '../../base/formats.ts';
import { hereOrElsewhere } from '../../mcp/elsewhere.ts';
import { type FileFlags, readFileFlags } from '../arguments/file-flags.ts';
import { runOneOff } from '../commands/query/run-one-off.ts';
import { readRowFlags } from '../commands/run/run-rows.ts';
import { printSources } from '../commands/source-rows.ts';
import { HandedOver } from '../hand-over/commands.ts';
import { doElsewhere, wordsOf } from '../hand-over/elsewhere.ts';
import type { Parts } from '../parts.ts';
import { statementsOf } from './statements.ts';

export const COMMANDS = {
  '\\d': 'the sources; \\d NAME: the columns of one',
  '\\format': 'set the output format, such as \\format csv; \\format alone restores the default',
  '\\timing': 'show how long each statement takes, or stop showing it',
  '\\?': 'this list',
  '\\q': 'quit, as Ctrl-D does',
} as const;

export interface Session {
  /** The lines of a statement that has not ended. */
  readonly begun: string;
  /** Does what the line says; rejects with what went wrong. False where the user leaves. */
  take(line: string, signal: AbortSignal): Promise<boolean>;
  /** Runs what has been begun. */
  end(signal: AbortSignal): Promise<void>;
  /** Forgets what has been begun. */
  clear(): void;
}

const DECLARE = 'declare a variable in front of the query: DECLARE least INT64 DEFAULT 5; select … where x >= least;';
const HINTS = { missing: () => DECLARE };

/** `fileFlags` say how files are read that statements name by their paths. */
export function openSession(parts: Parts, usual: string | undefined, fileFlags: FileFlags = {}): Session {
  const { terminal, io, settings } = parts;
  const files = readFileFlags(fileFlags);
  let begun = '';
  let format = usual;
  let timing = false;

  /** Does the work, or has the process that uses the store do the command. Throws HandedOver where that fails, of which the user has read by then. */
  const shared = (
    command: { readonly argv: readonly string[]; readonly text: string; readonly signal: AbortSignal },
    work: () => Promise<void>,
  ) =>
    hereOrElsewhere(work, async (store) => {
      const exitCode = await doElsewhere({ ...command, io, store });
      if (exitCode !== undefined && exitCode !== 0) throw new HandedOver(exitCode);
      return exitCode === undefined ? undefined : { result: undefined };
    });

  const run = async (sql: string, signal: AbortSignal): Promise<void> => {
    const rowOptions = readRowFlags({ format, pager: false }, (await settings()).values.format, io.stdout);
    const startedAt = performance.now();
    const argv = ['query', '-', ...wordsOf({ ...parts.flags(), format })];
    const given = { text: { name: '<shell>', text: sql }, parameters: [], files, hints: HINTS };
    await shared({ argv, text: sql, signal }, () => runOneOff({ ...parts, signal }, given, rowOptions));
    if (timing) await terminal.warn(`time: ${(performance.now() - startedAt).toFixed(1)} ms`);
  };

  const listSources = async (name: string): Promise<void> => {
    const argv = ['sources', ...(name === '' ? [] : [name])];
    await shared({ argv, text: '', signal: parts.signal }, () => printSources(parts, name === '' ? undefined : name, {}));
  };

  const command = async (line: string): Promise<boolean> => {
    const [name = '', ...words] = line.split(/\s+/);
    const argument = words.join(' ').replace(/;$/, '').trim();
    switch (name) {
      case '\\q':
        return false;
      case '\\d':
        await listSources(argument.replaceAll('`', ''));
        return true;
      case '\\timing':
        timing = !timing;
        await terminal.warn(`timing is ${timing ? 'on' : 'off'}`);
        return true;
      case '\\format': {
        const wanted = argument === '' ? usual : argument;
        readRowFlags({ format: wanted }, undefined, io.stdout);
        format = wanted;
        return true;
      }
      case '\\?':
        for (const [of, what] of Object.entries(COMMANDS)) await terminal.warn(`${of.padEnd(9)} ${what}`);
        await terminal.warn('a statement ends with ; and may have several lines. Ctrl-C stops it.');
        return true;
      default:
        throw new QuernError('usage', `${name} is not a shell command`, { hint: `the commands are ${Object.keys(COMMANDS).join(', ')}` });
    }
  };

  return {
    get begun() {
      return begun;
    },
    async take(line, signal) {
      const word = line.trim();
      if (word.startsWith('\\')) return command(word);
      if (begun === '') {
        if (/^(?:exit|quit)\s*;?$/i.test(word)) return false;
        if (/^(?:-p|--param)\s/.test(word))
          throw new QuernError('usage', '-p is a flag of quern query, and the shell takes statements', { hint: DECLARE });
      }
      const { statements, rest } = statementsOf(`${begun}${line}\n`);
      begun = rest;
      for (const statement of statements) await run(statement, signal);
      return true;
    },
    async end(signal) {
      const sql = begun;
      begun = '';
      if (sql !== '') await run(sql, signal);
    },
    clear() {
      begun = '';
    },
  };
}

export const FORMATS: readonly string[] = FORMAT_NAMES;
