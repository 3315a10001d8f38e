// docs/commands/: a page per command, made from the definitions that the command line itself uses.
import type { EventEmitter } from 'node:events';
import { Command, type Option } from 'commander';
import { valuesOf } from '../cli/arguments/flags.ts';
import { type CommandEntry, commands } from '../cli/commands/index.ts';
import { exitCodes } from '../cli/main.ts';
import type { Parts } from '../cli/parts.ts';
import { globalSettings } from '../config/flags.ts';
import { SETTING_NAMES, SETTINGS, type Setting } from '../config/settings.ts';

const MADE = '<!-- Made from the definitions of the commands by `npm run docs`. -->';

/** The meanings of exit codes; a test compares them with those that commands end with. */
export const EXIT_CODE_MEANINGS: Readonly<Record<number, string>> = {
  0: 'done',
  1: 'the query or a check failed, the rows are not what a flag asks for, or data could not be loaded',
  2: 'wrong usage, unknown query, invalid parameters, or SQL that is wrong or refused',
  3: 'the engine cannot be reached, refuses the login, or is in use by another process',
  4: 'timed out',
  130: 'interrupted',
};

/** File name → Markdown. */
export async function commandPages(): Promise<ReadonlyMap<string, string>> {
  const shown = commands.filter(({ hidden }) => hidden !== true);
  const pages = new Map<string, string>([['README.md', overview(shown)]]);
  for (const entry of shown) pages.set(`${entry.name}.md`, page(await defined(entry), entry));
  return pages;
}

async function defined(entry: CommandEntry): Promise<Command> {
  const command = new Command('quern').createCommand(entry.name).helpOption(false).helpCommand(false);
  // Definitions take parts for their actions, which do not run here.
  (await entry.load()).register(command, {} as Parts);
  return command;
}

function overview(entries: readonly CommandEntry[]): string {
  const flags = globalSettings.map(({ flag, value, help }) => [
    `\`--${flag}${value === undefined ? '' : ` <${value}>`}\``,
    help,
    environmentOf(flag),
  ]);
  const more = [
    ['`--verbose`', 'show the details behind an error', ''],
    ['`--quiet`', 'print nothing but results and errors', ''],
    ['`--json-errors`', 'print errors as JSON', ''],
    ['`--version`', 'print the version', ''],
    ['`-h`, `--help`', 'print help; also of a command: `quern help run`', ''],
  ];
  return document([
    '# The commands of quern',
    table(
      ['command', 'what it does'],
      entries.map(({ name, summary }) => [`[\`quern ${name}\`](${name}.md)`, summary]),
    ),
    '## Flags of every command',
    'You can write them before or after the name of the command.',
    table(['flag', 'meaning', 'environment'], [...flags, ...more]),
    exitCodeSection(),
    '## Environment',
    'Every setting has its own variable: [configuration.md](../configuration.md). `QUERN_TRUST=1` trusts every `quern.yaml`: [security.md](../security.md#what-a-quernyaml-may-do). `NO_COLOR` turns off colours. `QUERN_PAGER` or `PAGER` shows long tables.',
  ]);
}

function page(command: Command, { name, summary }: CommandEntry): string {
  return document([
    `# quern ${name}`,
    sentence(summary),
    ...sections(command, `quern ${name}`, '##'),
    ...command.commands.flatMap((inner) => [
      `## quern ${name} ${inner.name()}`,
      inner.description() || sentence(inner.summary()),
      ...sections(inner, `quern ${name} ${inner.name()}`, '###'),
    ]),
    exitCodeSection(),
    '## See also',
    'Flags of every command, and the environment: [the commands of quern](README.md). Settings: [configuration.md](../configuration.md).',
  ]);
}

function sections(command: Command, title: string, heading: string): readonly string[] {
  const options = command.options.filter(({ hidden }) => !hidden);
  const help = afterHelp(command);
  return [
    `\`\`\`\n${`${title} ${usageOf(command, options.length > 0)}`.trimEnd()}\n\`\`\``,
    ...(command.registeredArguments.length === 0
      ? []
      : [
          `${heading} Arguments`,
          table(
            ['argument', 'meaning'],
            command.registeredArguments.map((one) => [
              `\`${one.name()}${one.variadic ? '…' : ''}\`${one.required ? '' : ' (optional)'}`,
              one.description,
            ]),
          ),
        ]),
    ...(options.length === 0
      ? []
      : [
          `${heading} Flags`,
          table(
            ['flag', 'meaning', 'environment'],
            options.map((option) => [
              `\`${option.flags}\``,
              meaningOf(option),
              isSetting(option) ? environmentOf((option.long ?? '').replace(/^--/, '')) : '',
            ]),
          ),
        ]),
    ...(help.examples === '' ? [] : [`${heading} Examples`, `\`\`\`sh\n${help.examples}\n\`\`\``]),
    ...help.text,
  ];
}

function usageOf(command: Command, hasOptions: boolean): string {
  const own = command.usage();
  if (command.commands.length > 0) return '<command>';
  const words = command.registeredArguments.map((one) => {
    const name = `${one.name()}${one.variadic ? '...' : ''}`;
    return one.required ? `<${name}>` : `[${name}]`;
  });
  return own.startsWith('[options]') ? [...(hasOptions ? ['[flags]'] : []), ...words].join(' ') : own;
}

function meaningOf({ description, argChoices, defaultValue, mandatory }: Option): string {
  const choices = argChoices === undefined ? '' : `: ${argChoices.join(', ')}`;
  const fallback = typeof defaultValue === 'string' || typeof defaultValue === 'number' ? `; ${defaultValue} by default` : '';
  return `${description}${choices}${fallback}${mandatory ? ' (required)' : ''}`;
}

/** Not every `--format` is that of the setting, which tables are printed in. */
const isSetting = (option: Option): boolean => option.long !== '--format' || valuesOf(option)?.includes('table') === true;

/** The variable of the setting that a flag is. */
function environmentOf(flag: string): string {
  const rows: readonly Setting<unknown>[] = SETTING_NAMES.map((name) => SETTINGS[name]);
  const row = rows.find((setting) => setting.flag === flag);
  return row === undefined ? '' : `\`${row.env}\``;
}

/** Returns the help of a command below its flags: its examples, and the paragraphs behind them. */
function afterHelp(command: Command): { readonly examples: string; readonly text: readonly string[] } {
  const written: string[] = [];
  // Commands are emitters; their types do not say so.
  (command as unknown as EventEmitter).emit('afterHelp', { error: false, command, write: (text: string) => void written.push(text) });
  const [, examples = '', rest = ''] = /Examples:\n((?:(?: {2}.*)?\n)*(?: {2}.*)?)([\s\S]*)/.exec(written.join('')) ?? [];
  // In the help a word about an example stands far behind it; in a page it is a comment, so that the line can be copied.
  const lines = examples.split('\n').map((line) => line.slice(2).replace(/(?<=\S)( {5,})(?=\S)/, '$1# '));
  const text =
    rest.trim() === ''
      ? []
      : rest
          .trim()
          .split(/\n{2,}/)
          .map((paragraph) => paragraph.replaceAll('<', '&lt;'));
  return { examples: lines.join('\n').trim(), text };
}

const exitCodeSection = (): string =>
  `## Exit codes\n\n${table(
    ['code', 'meaning'],
    [0, ...new Set(Object.values(exitCodes))].sort((a, b) => a - b).map((code) => [String(code), EXIT_CODE_MEANINGS[code] ?? '']),
  )}`;

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const table = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cell).join(' | ')} |`).join('\n');
const sentence = (text: string): string => `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}.`;
const document = (parts: readonly string[]): string => `${[MADE, ...parts].join('\n\n')}\n`;
