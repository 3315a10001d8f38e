// Reads names of columns from a flag: separated by commas, or a JSON array for names that contain commas.
import { QuernError } from '../../base/errors.ts';

/** Throws `usage` for an empty name. */
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
    // Reported below, like all text that is not a list of names.
  }
  throw new QuernError('usage', `${flag} ${JSON.stringify(text)} is not a list of names`, {
    hint: `write it like ${flag} path,requests or ${flag} '["a, b", "c"]'`,
  });
}
