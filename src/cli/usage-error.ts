// What is wrong with a command line, and what was probably meant.
import type { Command } from 'commander';
import { didYouMean, QuernError } from '../base/errors.ts';
import { formatOf, tableNameFor } from '../sources/files/formats.ts';
import { shellPath } from './demo/place.ts';

interface CommandLine {
  readonly argv: readonly string[];
  /** Its first word, and after `help` the second. */
  readonly words: readonly string[];
  readonly program: Command;
  /** Names of the commands. */
  readonly names: readonly string[];
}

/** Throws `usage` for `help` of a command that does not exist, which commander answers with all of its help. */
export function mustExist({ words: [first, second], names }: CommandLine): void {
  if (first !== 'help' || second === undefined || names.includes(second)) return;
  throw new QuernError('usage', `unknown command '${second}'`, { hint: didYouMean(second, names) ?? 'see quern --help' });
}

/** Rewrites commander's `error: unknown option '--formt'\n(Did you mean --format?)` in quern's words. */
export function usageError(text: string, line: CommandLine): QuernError {
  // The text after the = of an unknown flag may be a secret.
  const [first = '', ...rest] = text
    .replace(/^error: (unknown option '[^'=]*)=[\s\S]*?'(?=\n|$)/, "$1'")
    .replace(/^error: /, '')
    .split('\n');
  const [, option, typed = '', choices = ''] =
    /^option '(?:-\w, )?(--\S+).*' argument '(.*)' is invalid\. Allowed choices are (.*)\.$/.exec(first) ?? [];
  if (option !== undefined) {
    const hint = didYouMean(typed, choices.split(', '));
    return new QuernError('usage', `${option} ${JSON.stringify(typed)} is not one of: ${choices}`, { hint });
  }
  const suggestion = /^\(Did you mean (.*)\?\)$/.exec(rest.join(' '))?.[1];
  const hint =
    hintFor(first, line) ??
    (suggestion === undefined
      ? `see ${['quern', ...commandPath(line.program, line.argv), '--help'].join(' ')}`
      : `did you mean ${suggestion}?`);
  return new QuernError('usage', first, { hint });
}

/** Returns the names of the command that the words lead to, and of those that it is a part of. */
function commandPath({ commands: parts }: Pick<Command, 'commands'>, words: readonly string[]): readonly string[] {
  const [word, ...rest] = words;
  if (word === undefined) return [];
  const part = parts.find((one) => one.name() === word);
  return part === undefined ? commandPath({ commands: parts }, rest) : [word, ...commandPath(part, rest)];
}

const BEGINS_SQL = /^\s*(?:select|with|from|\(|create|declare)\b/i;

function hintFor(text: string, { argv, names }: CommandLine): string | undefined {
  const command = /^unknown command '(.*)$/.exec(text)?.[1]?.replace(/'$/, '');
  if (command !== undefined) return hintForWord(command);
  const option = /^unknown option '(--?[\w-]+)/.exec(text)?.[1];
  const later = argv.findIndex((word) => names.includes(word));
  if (option !== undefined && later > argv.findIndex((word) => word.startsWith(option)))
    return `flags of a command stand behind it: quern ${argv[later]} … ${option}`;
  const [named] = argv.filter((word) => formatOf(word) !== undefined);
  if (/^missing required argument 'file'/.test(text) && argv.includes('load') && named !== undefined)
    return `name the table first: quern load ${tableNameFor(named)} ${shellPath(named)}`;
  return /^missing required argument/.test(text) ? MISSING[argv[later] ?? ''] : undefined;
}

/** What to write for the arguments of a command. */
const MISSING: Readonly<Record<string, string>> = {
  load: 'name a table and a file: quern load orders orders.csv',
  translate: 'write SQL, the name of a file or a saved query, or - for standard input: quern translate report.sql',
};

function hintForWord(word: string): string | undefined {
  if (BEGINS_SQL.test(word)) return "SQL is run by quern query, such as quern query 'select 1 as one'";
  if (word === 'version') return 'the version is printed by quern --version';
  if (word.endsWith('.sql')) return `a file of SQL is run by quern query ${word}`;
  if (formatOf(word) !== undefined) return `files are read in FROM: quern query 'select * from \`${word}\`'`;
  return undefined;
}
