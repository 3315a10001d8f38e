// Reads the JSON object that `--params` names.
import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { parseJson } from './engine/lossless-json.ts';
import { QuernError } from './errors.ts';

/** The object in a file or stream; integers beyond 2^53 are bigints. Throws `usage` when it cannot be read or holds something else. */
export async function readJsonObject(from: string | Readable): Promise<Readonly<Record<string, unknown>>> {
  const name = typeof from === 'string' ? from : 'standard input';
  const value = parsed(await text(from, name), name);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Readonly<Record<string, unknown>>; // an object it is
  throw new QuernError('usage', `${name} does not hold a JSON object`, { hint: 'write the parameters as {"name": value, …}' });
}

async function text(from: string | Readable, name: string): Promise<string> {
  try {
    if (typeof from === 'string') return await readFile(from, 'utf8');
    const chunks: Buffer[] = [];
    for await (const chunk of from) chunks.push(Buffer.from(chunk));
    return Buffer.concat(chunks).toString('utf8');
  } catch (cause) {
    throw new QuernError('usage', `${name} cannot be read`, {
      hint: 'check --params: it names a file that holds a JSON object, or is -',
      cause,
    });
  }
}

function parsed(json: string, name: string): unknown {
  try {
    return parseJson(json);
  } catch (cause) {
    throw new QuernError('usage', `${name} is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`, {
      hint: 'write the parameters as {"name": value, …}',
      cause,
    });
  }
}
