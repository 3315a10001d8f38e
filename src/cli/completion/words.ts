// Reads a command line up to the cursor: which words could follow, or what kind of word is wanted there.

/** A flag as its command declares it. */
export interface KnownFlag {
  readonly long: string;
  readonly help: string;
  /** The name of its value in the help; undefined for a switch. */
  readonly value?: string | undefined;
  /** Its known values. */
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

/** The kind of word at the cursor. */
type Wanted =
  | { readonly kind: 'flag'; readonly used: ReadonlySet<string> }
  /** `glued` is the `--flag=` before the value. */
  | { readonly kind: 'flag_value'; readonly flag: string; readonly glued: string }
  | { readonly kind: 'argument'; readonly index: number };

interface Reading {
  readonly wanted: Wanted;
  readonly positional: readonly string[];
}

/** Reads the words of a command, the last of which is being typed. `takesValue` is true if a word follows the flag. */
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
  const wanted = (): Wanted => {
    if (open !== undefined) return { kind: 'flag_value', flag: open, glued: '' };
    if (flagsEnded || !typed.startsWith('-')) return { kind: 'argument', index: positional.length };
    if (!typed.startsWith('--') || equals <= 0) return { kind: 'flag', used };
    return { kind: 'flag_value', flag: typed.slice(0, equals), glued: typed.slice(0, equals + 1) };
  };
  return { wanted: wanted(), positional };
}

export interface Candidate {
  readonly value: string;
  readonly help?: string;
}

/** Prints the answer to a shell's script: what the shell completes itself, then a line per word, with its meaning after a tab. */
export function printCandidates(mode: 'words' | 'files' | 'folders' | 'sql', candidates: readonly Candidate[], typed: string): string {
  const lines = candidates
    // A line break or a tab would be taken for the next word.
    .filter(({ value }) => value.startsWith(typed) && !/[\p{Cc}\u2028\u2029]/u.test(value))
    .map(({ value, help = '' }) => (help === '' ? value : `${value}\t${help.replace(/[\p{Cc}\s]+/gu, ' ').trim()}`));
  return `${[mode, ...new Set(lines)].join('\n')}\n`;
}
