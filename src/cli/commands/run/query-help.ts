// `quern run NAME --help`: describes that query and its parameters.
import type { Command } from 'commander';
import type { ParameterDeclaration, SavedQuery } from '../../../queries/saved-query.ts';
import { takesParameters } from '../../arguments/given.ts';
import { readWords } from '../../completion/words.ts';
import type { Parts } from '../../parts.ts';
import { describe, flagOf } from '../parameter-lines.ts';

/** Returns undefined where the words name no query, or the command runs none. Throws as looking for the query does. */
export async function queryHelp(
  command: Command,
  words: readonly string[],
  { catalog, io }: Pick<Parts, 'catalog' | 'io'>,
): Promise<string | undefined> {
  if (!takesParameters(command)) return undefined;
  const own = [...command.options, ...(command.parent?.options ?? [])];
  const isSwitch = (flag: string): boolean =>
    ['-h', '--help'].includes(flag) ||
    own.some(({ long, short, required, optional }) => [long, short].includes(flag) && !required && !optional);
  const [reference] = readWords([...words, ''], (flag) => !isSwitch(flag)).positional;
  if (reference === undefined || reference === '-') return undefined;
  const { findSavedQuery } = await import('../../../queries/find-query.ts');
  const query = findSavedQuery(reference, await catalog());
  const called = `quern ${command.name()} ${reference}`;
  const usage = query.parameters.map((one) => (one.required ? `${flagOf(one)} <value>` : `[${flagOf(one)} <value>]`));
  return `${[
    `Usage: ${[called, ...usage, '[flags]'].join(' ')}`,
    ...(query.description === '' ? [] : ['', `${query.description}.`.replace(/([.!?])\.$/, '$1')]),
    ...(query.parameters.length === 0 ? [] : ['', 'Parameters:', ...items(query.parameters, command, io.stdout.columns ?? 100)]),
    '',
    'Example:',
    `  ${[called, ...exampleArguments(query)].join(' ')}`,
    '',
    `Flags of the command: quern ${command.name()} --help`,
    `Its SQL: quern show ${reference}`,
  ].join('\n')}\n`;
}

/** Formats a list as commander formats its flags. */
function items(parameters: readonly ParameterDeclaration[], command: Command, helpWidth: number): readonly string[] {
  const help = command.createHelp();
  help.prepareContext({ helpWidth });
  const width = Math.max(...parameters.map((one) => flagOf(one).length));
  return parameters.map((one) => help.formatItem(flagOf(one), width, describe(one), help));
}

/** Returns every required parameter, and optional ones for which the header has a value. */
function exampleArguments({ parameters }: SavedQuery): readonly string[] {
  return parameters.flatMap((parameter) => {
    const value = exampleOf(parameter);
    return value === undefined ? [] : [flagOf(parameter), quoted(value)];
  });
}

const OF_TYPE: Readonly<Record<ParameterDeclaration['type'], string>> = {
  string: 'text',
  integer: '10',
  float: '0.5',
  boolean: 'true',
  timestamp: '2026-01-15T12:00:00Z',
  date: '2026-01-15',
  datetime: '2026-01-15T12:00:00',
  time: '12:00:00',
  numeric: '0.5',
  bignumeric: '0.5',
  bytes: 'aGVsbG8=',
  json: '{}',
  interval: 'P1D',
  struct: '{}',
};

function exampleOf({ example, default: usual, enum: allowed, required, type }: ParameterDeclaration): string | undefined {
  const [value] = [example ?? usual ?? allowed?.[0]].flat();
  const fallback = required ? OF_TYPE[type] : undefined;
  return value === undefined ? fallback : writtenText(value);
}

const writtenText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/** Quotes text for a shell. */
const quoted = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
