// Reads words that commander does not know: flags named after a saved query's parameters.
import { QuernError } from '../../base/errors.ts';

interface FreeArguments {
  readonly positional: readonly string[];
  /** By flag name as typed, without the dashes; a repeated flag gives an array. */
  readonly flags: Readonly<Record<string, string | readonly string[]>>;
}

/**
 * Splits `--name value`, `--name=value` and bare words. A value that begins with `--` must be given with `=`.
 * Throws `usage` for a short flag and for a flag without a value.
 */
export function readFreeArguments(words: readonly string[]): FreeArguments {
  const positional: string[] = [];
  const flags: Record<string, string | readonly string[]> = Object.create(null); // a parameter may be called __proto__
  const add = (name: string, value: string) => {
    const before = flags[name];
    if (before === undefined) flags[name] = value;
    else flags[name] = [...(typeof before === 'string' ? [before] : before), value];
  };
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    const next = words[i + 1];
    const equals = word.indexOf('=');
    if (word === '--') {
      positional.push(...words.slice(i + 1));
      break;
    }
    if (!word.startsWith('-') || word === '-') positional.push(word);
    else if (!word.startsWith('--'))
      throw new QuernError('usage', `${word} is not a flag of this command`, { hint: 'pass parameters as --name value' });
    else if (equals > 0) add(word.slice(2, equals), word.slice(equals + 1));
    else if (next === undefined || next.startsWith('--')) {
      throw new QuernError('usage', `${word} needs a value`, { hint: `write ${word} VALUE, or ${word}= for an empty one` });
    } else {
      add(word.slice(2), next);
      i++;
    }
  }
  return { positional, flags };
}
