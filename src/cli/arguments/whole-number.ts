// Reads whole numbers from flags.
import { QuernError } from '../../base/errors.ts';

interface Wanted {
  readonly least?: number;
  /** Says what the number counts, where that is clearer than "a whole number". */
  readonly what?: string;
  /** Says what to write, where it may be more than a number. */
  readonly hint?: string;
}

export function wholeNumber(flag: string, text: string, { least = 1, what, hint }: Wanted = {}): number {
  const number = /^\d+$/.test(text) ? Number(text) : -1;
  if (Number.isSafeInteger(number) && number >= least) return number;
  const wanted = least === 1 ? 'a whole number above 0' : `a whole number of at least ${least}`;
  throw new QuernError('usage', `${flag} ${JSON.stringify(text)} is not ${what ?? wanted}`, {
    hint: hint ?? (what === undefined ? `write it like ${flag} 10` : `write ${wanted}`),
  });
}
