// Reads the JSON object that `--params` names.

import { messageOf, QuernError } from '../../base/errors.ts';
import type { Io } from '../../base/io.ts';
import { parseJson } from '../../engine/lossless-json.ts';
import { readTextFile } from './text-file.ts';

/**
 * The object in a file, or on standard input for `-`; integers beyond 2^53 are bigints. Throws `usage` when it cannot be read or holds
 * something else.
 */
export async function readParametersFile(file: string, io: Pick<Io, 'cwd' | 'stdin'>): Promise<Readonly<Record<string, unknown>>> {
  const { name, text } = await readTextFile(file, io);
  const value = parsed(text, name);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Readonly<Record<string, unknown>>; // an object it is
  throw new QuernError('usage', `${name} does not contain a JSON object`, { hint: 'write the parameters as {"name": value, …}' });
}

function parsed(json: string, name: string): unknown {
  try {
    return parseJson(json);
  } catch (cause) {
    throw new QuernError('usage', `${name} is not JSON: ${messageOf(cause)}`, {
      hint: 'write the parameters as {"name": value, …}',
      cause,
    });
  }
}
