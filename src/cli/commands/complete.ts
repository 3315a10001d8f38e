// quern __complete: the words that can follow at the cursor. The scripts of `quern completion` call it at every press of the key.
import type { Command, Option } from 'commander';
import { parameterTypeText } from '../../queries/parameter-types.ts';
import type { ParameterDeclaration } from '../../queries/saved-query.ts';
import { valuesOf } from '../arguments/flags.ts';
import { takesParameters } from '../arguments/given.ts';
import { createVocabulary, type Vocabulary } from '../completion/vocabulary.ts';
import { type Candidate, type KnownArgument, type KnownCommand, type KnownFlag, printCandidates, readWords } from '../completion/words.ts';
import type { Parts } from '../parts.ts';
import { commands } from './index.ts';

type Mode = 'words' | 'files' | 'folders' | 'sql';
interface Answer {
  readonly mode: Mode;
  readonly candidates: readonly Candidate[];
}

/** The sources of the words. */
interface Sources {
  readonly names: Vocabulary;
  parametersOf(query: string): Promise<readonly ParameterDeclaration[]>;
}

export function register(command: Command, { io, settings, catalog, queryFolders, manifest }: Parts): void {
  const program = command.parent as Command; // cli/main.ts makes every command of the program
  // Flags such as --queries among the words apply to the answer too.
  program.hook('preSubcommand', ({ args }) => takeFlags(program, args.slice(1)));
  command.argument('[words...]').action(async (words: readonly string[]) => {
    const sources: Sources = {
      names: createVocabulary({ io, settings, queryFolders, manifest }),
      async parametersOf(query) {
        const { findSavedQuery } = await import('../../queries/find-query.ts');
        return findSavedQuery(query, await catalog()).parameters;
      },
    };
    const { mode, candidates } = await answer(program, sources, words.length === 0 ? [''] : words).catch(
      (): Answer => ({ mode: 'words', candidates: [] }),
    );
    await io.stdout.write(printCandidates(mode, candidates, words.at(-1) ?? ''));
  });
}

async function answer(program: Command, sources: Sources, words: readonly string[]): Promise<Answer> {
  const globals = knownCommand(program, sources);
  const top = readWords(words, takesValue(globals.flags));
  const [name] = top.positional;
  if (name === undefined) {
    if (top.wanted.kind === 'argument') return wordsOf(commandNames());
    return complete(globals, top, sources, {});
  }
  if (name === 'help') return wordsOf(commandNames());
  const entry = commands.find((candidate) => candidate.name === name);
  if (entry === undefined) return wordsOf([]);
  const probe = program.createCommand(name);
  (await entry.load()).register(probe, {} as Parts); // its actions do not run
  const rest = words.slice(words.indexOf(name) + 1);
  return completeCommand(probe, rest, globals, sources);
}

function completeCommand(command: Command, words: readonly string[], globals: KnownCommand, sources: Sources): Promise<Answer> {
  const own = knownCommand(command, sources);
  const flags = [...own.flags, ...globals.flags];
  const reading = readWords(
    words,
    (flag) => takesValue(flags)(flag) || (takesParameters(command) && !flags.some(({ long }) => long === flag)),
  );
  const [first] = reading.positional;
  if (command.commands.length > 0) {
    const inner = command.commands.find((candidate) => candidate.name() === first);
    if (inner !== undefined) return completeCommand(inner, words.slice(words.indexOf(inner.name()) + 1), globals, sources);
    if (reading.wanted.kind === 'argument')
      return Promise.resolve(wordsOf(command.commands.map((one) => ({ value: one.name(), help: one.summary() || one.description() }))));
  }
  const query = takesParameters(command) ? first : undefined;
  return complete({ flags, arguments: own.arguments }, reading, sources, { query, command: command.name() });
}

async function complete(
  known: KnownCommand,
  { wanted, positional }: ReturnType<typeof readWords>,
  sources: Sources,
  { query, command }: { readonly query?: string | undefined; readonly command?: string },
): Promise<Answer> {
  const parameters = query === undefined ? [] : await sources.parametersOf(query).catch(() => []);
  if (wanted.kind === 'flag') {
    const flags = known.flags.filter(({ long, repeatable }) => repeatable || !wanted.used.has(long));
    const named = parameters.filter((parameter) => parameter.array || !spellings(parameter.name).some((flag) => wanted.used.has(flag)));
    return wordsOf([
      ...named.map((parameter) => ({ value: spellings(parameter.name)[0] ?? '', help: helpOf(parameter) })),
      ...flags.map(({ long, help }) => ({ value: long, help })),
    ]);
  }
  if (wanted.kind === 'flag_value') {
    const flag = known.flags.find(({ long }) => long === wanted.flag);
    const parameter = parameters.find(({ name }) => spellings(name).includes(wanted.flag));
    const answered =
      flag !== undefined ? await flagValues(flag, sources) : wordsOf(parameter === undefined ? [] : parameterValues(parameter));
    return { ...answered, candidates: answered.candidates.map((one) => ({ ...one, value: `${wanted.glued}${one.value}` })) };
  }
  const argument = known.arguments[wanted.index] ?? known.arguments.filter(({ variadic }) => variadic).at(-1);
  // Only the first word of `run` is a query.
  return argument === undefined || (query !== undefined && wanted.index > 0)
    ? wordsOf([])
    : argumentValues(argument, { sources, command, before: positional.at(-1) });
}

async function flagValues(flag: KnownFlag, sources: Sources): Promise<Answer> {
  if (flag.values !== undefined) return listed(flag.values);
  if (flag.long === '--profile') return listed(await sources.names.profiles());
  if (flag.long === '--query') return listed(await sources.names.queries());
  return { mode: flag.value === 'dir' ? 'folders' : modeOf(flag.value), candidates: [] };
}

const modeOf = (value: string | undefined): Mode => (value === 'file' ? 'files' : 'words');

interface ArgumentPlace {
  readonly sources: Sources;
  readonly command: string | undefined;
  /** The preceding argument. */
  readonly before: string | undefined;
}

async function argumentValues({ name, values }: KnownArgument, { sources: { names }, command, before }: ArgumentPlace): Promise<Answer> {
  if (values !== undefined) return listed(values);
  if (name === 'query') return { ...listed(await names.queries()), mode: 'sql' };
  if (name === 'names') return listed(await names.queries());
  if (name === 'source') return wordsOf(await names.sources({ loadable: command === 'load' }));
  if (name === 'table') return wordsOf(await names.tables());
  if (name === 'load') return wordsOf(await names.loads());
  if (name === 'setting') return listed(names.settings());
  if (name === 'value') return listed(names.valuesOfSetting(before ?? ''));
  return { mode: modeOf(name), candidates: [] };
}

function knownCommand(command: Command, sources: Sources): KnownCommand {
  return {
    flags: [
      ...command.options.filter(({ hidden }) => !hidden).map((option) => knownFlag(option, sources)),
      { long: '--help', help: 'print help', repeatable: false },
    ],
    arguments: command.registeredArguments.map((argument) => ({
      name: argument.name(),
      variadic: argument.variadic,
      values: argument.argChoices,
    })),
  };
}

function knownFlag(option: Option, { names }: Sources): KnownFlag {
  const value = /[<[]([^>\]]+)[>\]]/.exec(option.flags)?.[1];
  const long = option.long ?? option.short ?? '';
  const values = value === undefined ? undefined : (valuesOf(option) ?? names.valuesOf(long.slice(2)));
  return {
    long,
    help: option.description,
    value,
    values,
    // A flag whose values are read one by one takes several of them.
    repeatable: option.parseArg !== undefined && option.argChoices === undefined,
  };
}

const takesValue =
  (flags: readonly KnownFlag[]) =>
  (flag: string): boolean =>
    flags.some(({ long, value }) => long === flag && value !== undefined) || flag === '-o';

const spellings = (name: string): readonly string[] => [`--${name.replaceAll('_', '-')}`, `--${name}`];

function helpOf(parameter: ParameterDeclaration): string {
  const { description, required, format, array } = parameter;
  const type = format === undefined ? parameterTypeText(parameter) : `${array ? 'array of ' : ''}${format}`;
  return `${description ?? type}${required ? ' (required)' : ''}`;
}

function parameterValues({ enum: allowed, suggest, type, default: fallback, example }: ParameterDeclaration): readonly Candidate[] {
  if (allowed !== undefined) return allowed.map((value) => ({ value: String(value) }));
  if (type === 'boolean') return [{ value: 'true' }, { value: 'false' }];
  if (suggest !== undefined) return suggest.map((value) => ({ value: String(value) }));
  return [
    ...(fallback === undefined || Array.isArray(fallback) ? [] : [{ value: writtenText(fallback), help: 'default' }]),
    ...(example === undefined ? [] : [{ value: writtenText(example), help: 'example' }]),
  ];
}

const writtenText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

const commandNames = (): readonly Candidate[] => [
  ...commands.filter(({ hidden }) => hidden !== true).map(({ name, summary }) => ({ value: name, help: summary })),
  { value: 'help', help: 'print help for a command' },
];
const wordsOf = (candidates: readonly Candidate[]): Answer => ({ mode: 'words', candidates });
const listed = (values: readonly string[]): Answer => wordsOf(values.map((value) => ({ value })));

/** Gives the program the flags among words that are not its own to parse. */
function takeFlags(program: Command, words: readonly string[]): void {
  words.slice(0, -1).forEach((word, i) => {
    const [name = '', ...glued] = word.split('=');
    const option = program.options.find(({ long }) => long === name);
    if (option === undefined || !option.flags.includes('<')) return;
    const value = glued.length > 0 ? glued.join('=') : words.slice(0, -1)[i + 1];
    if (value === undefined) return;
    const before: unknown = program.getOptionValue(option.attributeName());
    program.setOptionValue(option.attributeName(), option.parseArg === undefined ? value : option.parseArg(value, before));
  });
}
