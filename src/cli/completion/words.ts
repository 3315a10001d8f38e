// Which words could follow on a command line: the words themselves, or the kind of thing that is wanted there.

/** A flag as its command declares it. */
export interface KnownFlag {
  readonly long: string;
  readonly help: string;
  /** What its value is called in the help; undefined for a switch. */
  readonly value?: string | undefined;
  /** Values that it is known to take. */
  readonly values?: readonly string[] | undefined;
  readonly repeatable: boolean;
}

export interface KnownArgument {
  readonly name: string;
  readonly variadic: boolean;
  readonly values?: readonly string[] | undefined;
}

export interface KnownCommand {
  readonly flags: readonly KnownFlag[];
  readonly arguments: readonly KnownArgument[];
}

/** What stands where the cursor is. */
type Wanted =
  | { readonly kind: 'flag'; readonly used: ReadonlySet<string> }
  /** `glued` is the `--flag=` before the value. */
  | { readonly kind: 'flag_value'; readonly flag: string; readonly glued: string }
  | { readonly kind: 'argument'; readonly index: number };

interface Reading {
  readonly wanted: Wanted;
  readonly positional: readonly string[];
}

/**
 * Reads the words of a command; the last is the one that is being typed. `takesValue` tells of a flag whether a word follows it.
 */
export function readWords(words: readonly string[], takesValue: (flag: string) => boolean): Reading {
  const typed = words.at(-1) ?? '';
  const positional: string[] = [];
  const used = new Set<string>();
  let open: string | undefined;
  let flagsEnded = false;
  for (const word of words.slice(0, -1)) {
    if (open !== undefined) open = undefined;
    else if (!flagsEnded && word === '--') flagsEnded = true;
    else if (!flagsEnded && word.startsWith('-') && word !== '-') {
      const name = word.split('=')[0] ?? word;
      used.add(name);
      if (name === word && takesValue(name)) open = name;
    } else positional.push(word);
  }
  const equals = typed.indexOf('=');
  const wanted: Wanted =
    open !== undefined
      ? { kind: 'flag_value', flag: open, glued: '' }
      : !flagsEnded && typed.startsWith('--') && equals > 0
        ? { kind: 'flag_value', flag: typed.slice(0, equals), glued: typed.slice(0, equals + 1) }
        : !flagsEnded && typed.startsWith('-')
          ? { kind: 'flag', used }
          : { kind: 'argument', index: positional.length };
  return { wanted, positional };
}

export interface Candidate {
  readonly value: string;
  readonly help?: string;
}

/** The answer to a shell's script: what it completes itself, then a line per word, with its meaning behind a tab. */
export function printCandidates(mode: 'words' | 'files' | 'folders' | 'sql', candidates: readonly Candidate[], typed: string): string {
  const lines = candidates
    // A line break or a tab would be taken for the next word.
    .filter(({ value }) => value.startsWith(typed) && !/[\p{Cc}\u2028\u2029]/u.test(value))
    .map(({ value, help = '' }) => (help === '' ? value : `${value}\t${help.replace(/[\p{Cc}\s]+/gu, ' ').trim()}`));
  return `${[mode, ...new Set(lines)].join('\n')}\n`;
}
