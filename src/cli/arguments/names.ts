// Names of columns as a flag gives them: with commas between, or as a JSON array where names hold commas.
import { QuernError } from '../../base/errors.ts';

/** Throws `usage` for text that leaves a name out. */
export function splitNames(text: string, flag: string): readonly string[] {
  const names = text.trimStart().startsWith('[') ? readNames(text, flag) : text.split(',').map((name) => name.trim());
  if (names.length > 0 && !names.includes('')) return names;
  throw new QuernError('usage', `${flag} ${JSON.stringify(text)} has an empty name`, { hint: `write it like ${flag} path,requests` });
}

function readNames(text: string, flag: string): readonly string[] {
  try {
    const names: unknown = JSON.parse(text);
    if (Array.isArray(names) && names.every((name) => typeof name === 'string')) return names;
  } catch {
    // Told below, with all else that is no list of names.
  }
  throw new QuernError('usage', `${flag} ${JSON.stringify(text)} is not a list of names`, {
    hint: `write it like ${flag} path,requests or ${flag} '["a, b", "c"]'`,
  });
}
