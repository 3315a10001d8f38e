// quern __complete: what could stand where the cursor is. The scripts of `quern completion` ask it at every press of the key.
import type { Command, Option } from 'commander';
import type { Vocabulary } from '../app/vocabulary.ts';
import type { App } from '../app.ts';
import { type Candidate, type KnownArgument, type KnownCommand, type KnownFlag, printCandidates, readWords } from '../completion/words.ts';
import type { ParameterDeclaration } from '../saved-query/saved-query.ts';
import { valuesOf } from './flags.ts';
import { commands } from './index.ts';

type Mode = 'words' | 'files' | 'folders';
interface Answer {
  readonly mode: Mode;
  readonly candidates: readonly Candidate[];
}

type Asked = App & { readonly names: Vocabulary };

export function register(command: Command, app: App): void {
  const program = command.parent as Command; // cli.ts makes every command of the program
  // Flags such as --queries among the words hold for the answer too.
  program.hook('preSubcommand', ({ args }) => takeFlags(program, args.slice(1)));
  command.argument('[words...]').action(async (words: readonly string[]) => {
    const { mode, candidates } = await answer(program, { ...app, names: await app.vocabulary() }, words.length === 0 ? [''] : words).catch(
      (): Answer => ({ mode: 'words', candidates: [] }),
    );
    await app.io.stdout.write(printCandidates(mode, candidates, words.at(-1) ?? ''));
  });
}

async function answer(program: Command, app: Asked, words: readonly string[]): Promise<Answer> {
  const globals = knownCommand(program, app);
  const top = readWords(words, takesValue(globals.flags));
  const [name] = top.positional;
  if (name === undefined) {
    if (top.wanted.kind === 'argument') return wordsOf(commandNames());
    return complete(globals, top, app, undefined);
  }
  if (name === 'help') return wordsOf(commandNames());
  const entry = commands.find((candidate) => candidate.name === name);
  if (entry === undefined) return wordsOf([]);
  const probe = program.createCommand(name);
  (await entry.load()).register(probe, app);
  const rest = words.slice(words.indexOf(name) + 1);
  return completeCommand(probe, rest, globals, app);
}

function completeCommand(command: Command, words: readonly string[], globals: KnownCommand, app: Asked): Promise<Answer> {
  const own = knownCommand(command, app);
  const flags = [...own.flags, ...globals.flags];
  const reading = readWords(
    words,
    (flag) => takesValue(flags)(flag) || (takesParameters(command) && !flags.some(({ long }) => long === flag)),
  );
  const [first] = reading.positional;
  if (command.commands.length > 0) {
    const inner = command.commands.find((candidate) => candidate.name() === first);
    if (inner !== undefined) return completeCommand(inner, words.slice(words.indexOf(inner.name()) + 1), globals, app);
    if (reading.wanted.kind === 'argument')
      return Promise.resolve(wordsOf(command.commands.map((one) => ({ value: one.name(), help: one.summary() || one.description() }))));
  }
  return complete({ flags, arguments: own.arguments }, reading, app, takesParameters(command) ? first : undefined, command.name());
}

async function complete(
  known: KnownCommand,
  { wanted }: ReturnType<typeof readWords>,
  app: Asked,
  query: string | undefined,
  command?: string,
): Promise<Answer> {
  const parameters =
    query === undefined
      ? []
      : await app.savedQuery(query).then(
          (saved) => saved.parameters,
          () => [],
        );
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
    const answered = flag !== undefined ? await flagValues(flag, app) : wordsOf(parameter === undefined ? [] : parameterValues(parameter));
    return { ...answered, candidates: answered.candidates.map((one) => ({ ...one, value: `${wanted.glued}${one.value}` })) };
  }
  const argument = known.arguments[wanted.index] ?? known.arguments.filter(({ variadic }) => variadic).at(-1);
  // Of the words of `run` only the first is a query.
  return argument === undefined || (query !== undefined && wanted.index > 0) ? wordsOf([]) : argumentValues(argument, app, command);
}

async function flagValues(flag: KnownFlag, app: Asked): Promise<Answer> {
  if (flag.values !== undefined) return listed(flag.values);
  if (flag.long === '--profile') return listed(await app.names.profiles());
  if (flag.long === '--query') return listed(await app.names.queries());
  return { mode: flag.value === 'dir' ? 'folders' : flag.value === 'file' ? 'files' : 'words', candidates: [] };
}

async function argumentValues({ name, values }: KnownArgument, app: Asked, command: string | undefined): Promise<Answer> {
  if (values !== undefined) return listed(values);
  if (name === 'query') return { ...listed(await app.names.queries()), mode: 'files' };
  if (name === 'names') return listed(await app.names.queries());
  if (name === 'source') return listed(await app.names.sources({ loadable: command === 'load' }));
  if (name === 'setting') return listed(app.names.settings());
  return { mode: name === 'file' ? 'files' : 'words', candidates: [] };
}

function knownCommand(command: Command, app: Asked): KnownCommand {
  return {
    flags: [
      ...command.options.filter(({ hidden }) => !hidden).map((option) => knownFlag(option, app)),
      { long: '--help', help: 'print help', repeatable: false },
    ],
    arguments: command.registeredArguments.map((argument) => ({
      name: argument.name(),
      variadic: argument.variadic,
      ...(argument.argChoices === undefined ? {} : { values: argument.argChoices }),
    })),
  };
}

function knownFlag(option: Option, app: Asked): KnownFlag {
  const value = /[<[]([^>\]]+)[>\]]/.exec(option.flags)?.[1];
  const long = option.long ?? option.short ?? '';
  const values = value === undefined ? undefined : (valuesOf(option) ?? app.names.valuesOf(long.slice(2)));
  return {
    long,
    help: option.description,
    ...(value === undefined ? {} : { value }),
    ...(values === undefined ? {} : { values }),
    // Who reads a flag's values one by one takes several of them.
    repeatable: option.parseArg !== undefined && option.argChoices === undefined,
  };
}

const takesValue =
  (flags: readonly KnownFlag[]) =>
  (flag: string): boolean =>
    flags.some(({ long, value }) => long === flag && value !== undefined) || flag === '-o';

/** Made by acceptArguments: its flags are also those of the query's parameters. */
const takesParameters = (command: Command): boolean => command.registeredArguments.some((one) => one.name() === 'query' && one.variadic);

const spellings = (name: string): readonly string[] => [`--${name.replaceAll('_', '-')}`, `--${name}`];

function helpOf({ description, required, type, array }: ParameterDeclaration): string {
  return `${description ?? `${array ? 'array of ' : ''}${type}`}${required ? ' (required)' : ''}`;
}

function parameterValues({ enum: allowed, type, default: fallback, example }: ParameterDeclaration): readonly Candidate[] {
  if (allowed !== undefined) return allowed.map((value) => ({ value: String(value) }));
  if (type === 'boolean') return [{ value: 'true' }, { value: 'false' }];
  return [
    ...(fallback === undefined || Array.isArray(fallback) ? [] : [{ value: String(fallback), help: 'default' }]),
    ...(example === undefined ? [] : [{ value: String(example), help: 'example' }]),
  ];
}

const commandNames = (): readonly Candidate[] => [
  ...commands.filter(({ hidden }) => hidden !== true).map(({ name, summary }) => ({ value: name, help: summary })),
  { value: 'help', help: 'print help of a command' },
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
