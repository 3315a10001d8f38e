// The command line: builds the program, runs the command, shows errors and picks the exit code.
import { Command, CommanderError, Help, Option } from 'commander';
import { asQuernError, type ErrorCode, QuernError } from '../base/errors.ts';
import type { Io } from '../base/io.ts';
import { type GlobalFlags, globalSettings } from '../config/flags.ts';
import type { Engine } from '../engine/engine.ts';
import { packageVersion } from '../package-file.ts';
import { openServices, type Services } from '../services.ts';
import { asciiIo, asciiOnly } from './ascii.ts';
import { commands as all, type CommandEntry } from './commands/index.ts';
import { CHANGING, commandWords, HANDED_OVER, HandedOver, RUNNING } from './hand-over/commands.ts';
import { type RepeatableInput, repeatableInput } from './hand-over/input.ts';
import type { Listening } from './hand-over/listen.ts';
import { mayListen } from './hand-over/socket-file.ts';
import type { Parts } from './parts.ts';
import { createTerminal } from './terminal.ts';

export { processIo } from '../process-io.ts';

/** 0 is success. */
export const exitCodes: Readonly<Record<ErrorCode, number>> = {
  load: 1,
  check: 1,
  result: 1,
  data: 1,
  limit: 1,
  engine: 1,
  internal: 1,
  usage: 2,
  'unknown-query': 2,
  parameter: 2,
  syntax: 2,
  'unknown-function': 2,
  'unknown-column': 2,
  'unknown-source': 2,
  type: 2,
  unsupported: 2,
  'too-complex': 2,
  config: 2,
  unreachable: 3,
  busy: 3,
  budget: 3,
  timeout: 4,
  interrupted: 130,
};

/** Runs `quern <argv…>` and returns its exit code. Errors are printed, never thrown. */
export async function main(argv: readonly string[], world: Io): Promise<number> {
  return runHere(argv, world);
}

/** A process that uses the store for longer takes commands of others. */
const LISTENS_AFTER_MS = 150;

/**
 * `opened` is the store that this process already uses, for commands that another process has handed over; only commands that may be run then. Without
 * it, such commands may be handed over to the process that uses the store.
 */
async function runHere(argv: readonly string[], world: Io, opened?: Services['store']): Promise<number> {
  const known = asciiOnly(world.env) ? asciiIo(world) : world;
  const mayHandOver = opened === undefined && isAmong(HANDED_OVER, argv);
  const input = mayHandOver ? repeatableInput(() => known.stdin) : undefined;
  const io = input === undefined ? known : withInput(known, input);
  const controller = new AbortController();
  const { signal } = controller;
  /** Is shown to a user who does not wait for an interrupted command. */
  let unsure: QuernError | undefined;
  const stopListening = io.onInterrupt((again) => {
    if (!again) controller.abort(new QuernError('interrupted', 'interrupted'));
    else if (unsure !== undefined) return terminal.showError(unsure);
    return undefined;
  });
  // Until the flags are parsed, the words alone say how an error is to be shown.
  let flags: GlobalFlags = {
    jsonErrors: argv.includes('--json-errors'),
    verbose: argv.includes('--verbose'),
    color: !argv.includes('--no-color'),
  };
  const beforeStore = async (store: string): Promise<void> => {
    if ((input === undefined && !argv.includes('shell')) || !mayListen(store)) return;
    const { handOver, mustBeHere } = await import('./hand-over/hand-over.ts');
    if (input === undefined) return mustBeHere(store); // each statement is handed over by itself
    const onUnsure = (error: QuernError | undefined): void => {
      unsure = error;
    };
    await handOver({ argv, io: known, input, isChange: isAmong(CHANGING, argv), store, signal, note: terminal.note, onUnsure });
  };
  const sharing = new Sharing(io, (given, to) => runHere(given, to, services.store));
  const onStore = (folder: string): void => {
    input?.forget();
    // `quern serve` shares its store in words of its log.
    if (opened === undefined && !argv.includes('serve')) sharing.begin(folder);
  };
  const watch = async (engine: Engine): Promise<Engine> =>
    io.stderr.isTerminal && flags.quiet !== true ? (await import('./progress-line.ts')).watched(engine, io.stderr) : engine;
  const sparesStore = opened === undefined && isAmong(RUNNING, argv);
  const services = openServices({ io, signal, flags: () => flags, sparesStore, opened, beforeStore, onStore, watch });
  const terminal = createTerminal(services);
  try {
    await parse({ argv, handedOver: opened !== undefined }, { ...services, terminal, runStoreCommand: runHere }, (parsed) => {
      flags = parsed;
    });
    return 0;
  } catch (error) {
    if (isBrokenPipe(error)) return 0;
    if (error instanceof HandedOver) return error.exitCode;
    const shown = asQuernError(error, 'this is a bug in quern: please report it with the output of the same command with --verbose');
    await terminal.showError(shown).catch(() => undefined); // nobody reads standard error any more
    return exitCodes[shown.code];
  } finally {
    await sharing.end(signal.aborted);
    await services.close();
    stopListening(); // Ctrl-C while this closes what it has used would otherwise end it as if nothing had been done
  }
}

const isAmong = (commands: ReadonlySet<string>, argv: readonly string[]): boolean => commandWords(argv).some((word) => commands.has(word));

/** The same world, with its standard input through `input`. Its outputs are opened when they are used. */
const withInput = (world: Io, input: RepeatableInput): Io => Object.create(world, { stdin: { get: () => input.stdin, enumerable: true } });

/** Does commands of other processes while this one uses the store. */
class Sharing {
  readonly #io: Io;
  readonly #runCommand: (argv: readonly string[], io: Io) => Promise<number>;
  #timer: NodeJS.Timeout | undefined;
  #listening: Promise<Listening> | undefined;

  constructor(io: Io, runCommand: (argv: readonly string[], io: Io) => Promise<number>) {
    this.#io = io;
    this.#runCommand = runCommand;
  }

  begin(store: string): void {
    this.#timer = setTimeout(() => {
      this.#listening = this.#listen(store);
    }, LISTENS_AFTER_MS).unref();
  }

  async end(now: boolean): Promise<void> {
    clearTimeout(this.#timer);
    const listening = await this.#listening?.catch(() => undefined);
    // What reads the output of this process may be one of the commands that it waits for.
    if (listening?.isWorking() === true) this.#io.endOutput?.();
    await (now ? listening?.stop() : listening?.finish());
  }

  async #listen(store: string): Promise<Listening> {
    const { listenForCommands } = await import('./hand-over/listen.ts');
    const quiet = { info: ignored, warn: ignored, error: ignored };
    return listenForCommands({ store, io: this.#io, log: quiet, runCommand: this.#runCommand });
  }
}

const ignored = (): void => undefined;

/** The reader of standard output has left (`quern run … | head`). */
function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE';
}

interface Given {
  readonly argv: readonly string[];
  /** True if another process has handed the command over, which may do so with commands for the store only. */
  readonly handedOver: boolean;
}

async function parse({ argv, handedOver }: Given, parts: Parts, onFlags: (flags: GlobalFlags) => void): Promise<void> {
  const help: string[] = [];
  const program = new Command('quern')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void help.push(text),
      // Commander writes here the help of a command that needs another word; errors are shown by main.
      writeErr: (text) => void help.push(text),
      outputError: () => undefined,
      getOutHelpWidth: () => parts.io.stdout.columns ?? 100,
    })
    .configureHelp({ formatHelp: flagsLast })
    .description('Run saved BigQuery-dialect queries on ClickHouse.')
    .usage('[flags] <command> [arguments]')
    .version(packageVersion(), '--version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .addHelpCommand(new Command('help').argument('[command]').description('print help for a command').helpGroup('Set up:'))
    .addHelpText('after', '\nStart with: quern demo');
  for (const { flag, value, repeatable, help: text } of globalSettings) {
    const option = new Option(`--${flag}${value === undefined ? '' : ` <${value}>`}`, text);
    program.addOption(repeatable ? option.argParser((word: string, before: readonly string[] = []) => [...before, word]) : option);
  }
  program
    .option('--verbose', 'show the details behind an error')
    .option('--quiet', 'print nothing but results and errors')
    .option('--json-errors', 'print errors as JSON')
    // A command's own flags too, since some are settings.
    .hook('preAction', (_, command) => onFlags(command.optsWithGlobals()));
  const used = commandWords(argv);
  const commands = handedOver ? all.filter(({ name }) => HANDED_OVER.has(name)) : all;
  for (const entry of commands) await addCommand(program, entry, parts, used.includes(entry.name));
  try {
    if (argv.length === 0) program.outputHelp();
    else await program.parseAsync(argv.map(withOwnValue), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const line = {
      argv,
      words: used,
      program,
      names: commands.filter(({ hidden }) => hidden !== true).map(({ name }) => name),
    };
    if (error.code === 'commander.help') (await import('./usage-error.ts')).mustExist(line);
    else if (handedOver && error.code === 'commander.unknownCommand') {
      throw new QuernError('usage', `other processes do only these commands: ${[...HANDED_OVER].join(', ')}`);
    } else if (error.code === 'commander.helpDisplayed') {
      onFlags(program.opts());
      const ofQuery = await helpOfQuery(program, used[0], argv, parts);
      if (ofQuery !== undefined) help.splice(0, help.length, ofQuery);
    } else if (error.exitCode !== 0) throw (await import('./usage-error.ts')).usageError(error.message, line);
  }
  if (help.length > 0) await parts.io.stdout.write(help.join(''));
}

/** In the help of the program, flags that every command takes stand behind the commands. */
function flagsLast(command: Command, help: Help): string {
  const text = Help.prototype.formatHelp.call(help, command, help);
  if (command.parent !== null) return text;
  const [, flags = ''] = /^(Options:\n[\s\S]*?\n\n)/m.exec(text) ?? [];
  return `${text.replace(flags, '')}\n${flags.replace('Options:', 'Flags of every command:').trimEnd()}\n`;
}

/** Flags whose value may be left out. What follows them is no value of theirs: it has to be written with `=`. */
const VALUE_AFTER_EQUALS: Readonly<Record<string, string>> = { '--skip-bad-lines': '--skip-bad-lines=all' };
const withOwnValue = (word: string): string => VALUE_AFTER_EQUALS[word] ?? word;

/** `quern run NAME --help` is about that query. */
async function helpOfQuery(program: Command, name: string | undefined, argv: readonly string[], parts: Parts): Promise<string | undefined> {
  const command = program.commands.find((one) => one.name() === name);
  if (command === undefined) return undefined;
  const { queryHelp } = await import('./commands/run/query-help.ts');
  return queryHelp(command, argv.slice(argv.indexOf(command.name()) + 1), parts);
}

/** Loads a command's own file only when its name is among the words. */
async function addCommand(program: Command, entry: CommandEntry, parts: Parts, used: boolean): Promise<void> {
  const command = program
    .command(entry.name, { hidden: entry.hidden === true })
    .helpGroup(`${entry.group}:`)
    .summary(entry.summary)
    .description(`${entry.summary[0]?.toUpperCase()}${entry.summary.slice(1)}.`);
  if (!used) return;
  (await entry.load()).register(command, parts);
  command.addHelpText('after', '\nFlags that every command takes, such as --store and --timeout: quern --help');
}
