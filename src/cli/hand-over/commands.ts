// Which commands may be done by the process that uses the store. The part of handing over that main needs.
import { globalSettings } from '../../config/flags.ts';

/** Commands that change the store: one after the other, each as a whole or not at all. */
export const CHANGING: ReadonlySet<string> = new Set(['load', 'loads', 'drop']);

/** Commands that run one query after the other. */
export const RUNNING: ReadonlySet<string> = new Set(['query', 'run', 'explain']);

/** All that end by themselves and may need the store. */
export const HANDED_OVER: ReadonlySet<string> = new Set([
  ...CHANGING,
  ...RUNNING,
  ...['check', 'verify', 'doctor', 'sources', 'new', 'import', 'cache', 'show', 'list', 'lint', '__agent'],
]);

/** Ends such a command once another process has done it. */
export class HandedOver extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super('the command was done by the process that uses the store');
    this.exitCode = exitCode;
  }
}

/** The word that names the command, and after `help` the one it is about. */
export function commandWords(argv: readonly string[]): readonly string[] {
  const takesValue = new Set(globalSettings.flatMap(({ flag, value }) => (value === undefined ? [] : [`--${flag}`])));
  const words = argv.filter((word, i) => !word.startsWith('-') && !takesValue.has(argv[i - 1] ?? ''));
  return words.slice(0, words[0] === 'help' ? 2 : 1);
}
