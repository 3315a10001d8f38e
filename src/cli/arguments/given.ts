// Reads the arguments of a saved query from the command line: from its flags, and from a JSON file.
import type { Command } from 'commander';
import { nearest, QuernError } from '../../base/errors.ts';
import type { QueryRequest } from '../../execution/request.ts';
import type { Parts } from '../parts.ts';
import { readFreeArguments } from './arguments.ts';

/** The part of a request that the words of a command contain. */
export type Given = Pick<QueryRequest, 'arguments'> & { readonly query: string };

export function acceptArguments(command: Command): Command {
  return command
    .argument('[query...]', 'name, UUID, .sql file, or SQL; - for standard input. Parameters of saved queries become flags')
    .allowUnknownOption()
    .option('--params <file>', 'read parameters from a JSON object in a file, or - for standard input');
}

/** True if the command was made by acceptArguments: its flags are also those of the query's parameters. */
export const takesParameters = (command: Command): boolean =>
  command.registeredArguments.some((one) => one.name() === 'query' && one.variadic);

/** True of what is SQL, or stands for it on standard input: a name, a UUID and a path have no spaces, but for a path that ends with `.sql`. */
export const isSql = (given: string): boolean => given === '-' || (/\s/.test(given.trim()) && !/\.sql$/i.test(given));

/** Makes both spellings of a parameter's name the same. */
const spelling = (name: string): string => name.replaceAll('-', '_');

/** Reads the words of a command made by acceptArguments. A flag wins over the same parameter in the file. */
export async function readGivenQuery(io: Parts['io'], words: readonly string[], flags: { readonly params?: string }): Promise<Given> {
  const { positional, flags: named } = readFreeArguments(words);
  const [reference, stray] = positional;
  if (reference === undefined) {
    throw new QuernError('usage', 'no saved query was given', { hint: 'list them with `quern list`' });
  }
  if (stray !== undefined) {
    throw new QuernError('usage', `unexpected argument: ${stray}`, {
      hint: `a parameter's value follows its flag, such as --name ${stray}`,
    });
  }
  const inFile = flags.params === undefined ? {} : await (await import('./parameters-file.ts')).readParametersFile(flags.params, io);
  const overridden = new Set(Object.keys(named).map(spelling));
  const remaining = Object.entries(inFile).filter(([name]) => !overridden.has(spelling(name)));
  return { query: reference, arguments: { ...Object.fromEntries(remaining), ...named } };
}

/**
 * Explains an error about parameters by the command's own flags: a parameter with the name of such a flag cannot be given as a flag, and an unknown one may be
 * such a flag, misspelt. A query given by its path is shown by its path.
 */
export function explainFlags(error: unknown, command: Command, reference: string): unknown {
  if (!(error instanceof QuernError) || error.code !== 'parameter') return error;
  const own = [...command.options, ...(command.parent?.options ?? [])].map((option) => option.long?.slice(2) ?? '');
  const problems = error.details.problems ?? [];
  const clash = problems.find(({ kind, name }) => kind === 'missing' && own.some((flag) => spelling(flag) === spelling(name)));
  const misspelt = problems.flatMap(({ kind, name }) => (kind === 'unknown' ? (nearest(name, own) ?? []) : []))[0];
  const hintFor = (): string | undefined => {
    if (clash !== undefined) return `--${clash.name} is a flag of quern itself: pass the parameter in a JSON object, with --params`;
    if (misspelt !== undefined) return `did you mean the flag --${misspelt}?`;
    return problems.length > 0 && reference.endsWith('.sql') ? `see its parameters with \`quern show ${reference}\`` : undefined;
  };
  const hint = hintFor();
  return hint === undefined ? error : new QuernError(error.code, error.message, { ...error.details, hint });
}
