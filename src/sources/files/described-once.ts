// What is in the files of a source: found out once, and remembered until the files change.
import { QuernError, SEE_ENGINES_TEXT } from '../../base/errors.ts';
import { openJsonMemory } from '../../cache/json-memory.ts';
import type { FilesDescription } from './description.ts';
import type { DescribingOptions, FoundFiles } from './found-files.ts';

/** What is wrong with files, as long as they are the same. */
interface FailedFiles {
  readonly failure: string;
  readonly hint: string | undefined;
}

const MAX_BYTES = 32e6;

/** True for a failure of what is in the files. Rights may be given, a file may come back, and what only the engine has words for may be the engine's. */
const isLasting = ({ message, details: { hint, ofSource } }: QuernError): boolean =>
  ofSource === undefined && hint !== SEE_ENGINES_TEXT && !message.includes('permission denied');

/** Addresses where nobody has answered a moment ago, which takes seconds to find out: every request to a server would wait for it. */
const silences = new Map<string, { readonly untilMs: number; readonly error: QuernError }>();
const SILENCE_MS = 30_000;

/** Throws QuernError `config` for files with which something is wrong. */
export async function describedOnce(one: FoundFiles, options: DescribingOptions): Promise<FilesDescription> {
  const { folder, now } = options;
  const { key, lastKey } = keysOf(one, options);
  const memory = openJsonMemory<FilesDescription | FailedFiles>({ folder: `${folder}/files`, suffix: '.files', maxBytes: MAX_BYTES, now });
  const before = await memory.read(key);
  if (before !== undefined && 'failure' in before) throw new QuernError('config', before.failure, { hint: before.hint });
  if (before !== undefined) return before;
  const silence = lastKey === undefined ? undefined : silences.get(lastKey);
  if (silence !== undefined && now() < silence.untilMs) throw silence.error;
  const [{ FilesToDescribe }, { isSilence }] = await Promise.all([import('./describe-found.ts'), import('./file-trouble.ts')]);
  const files = new FilesToDescribe(one, options);
  const end = await files.provide();
  try {
    const description = await files.describe();
    await Promise.all([key, ...(lastKey === undefined ? [] : [lastKey])].map((each) => memory.write(each, description)));
    return description;
  } catch (error) {
    const silent = lastKey !== undefined && isSilence(error) ? lastKey : undefined;
    // A store that is away must not hold up queries that read other sources: what was known of it is good for another while.
    const last = silent === undefined ? undefined : await memory.read(silent);
    if (last !== undefined && !('failure' in last)) {
      await memory.write(key, last);
      return last;
    }
    const { failure, problem } = await files.failure(error);
    if (lastKey === undefined && isLasting(problem)) await memory.write(key, { failure: failure.message, hint: problem.details.hint });
    if (silent !== undefined) silences.set(silent, { untilMs: now() + SILENCE_MS, error: failure });
    throw failure;
  } finally {
    await end();
  }
}

/** What lies at an address is looked at again after a while, and has a key for what was last known of it. Secrets are no part of a key. */
function keysOf({ definition, found }: FoundFiles, { build, ttlSeconds, now }: DescribingOptions) {
  const { name: _, files, schema = [], ...rest } = definition;
  const keyOf = (state: unknown): string => JSON.stringify([build, files, schema, rest, state]);
  if (!('kind' in found)) return { key: keyOf(found.listed), lastKey: undefined };
  const [address] = found.args;
  return { key: keyOf([address, Math.floor(now() / (Math.max(ttlSeconds, 1) * 1000))]), lastKey: keyOf(address) };
}
