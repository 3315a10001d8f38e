// SQL that nobody has saved, from the command line: what is run of it, and what is remembered for `quern new --from-last`.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { QuernError } from '../../../base/errors.ts';
import type { SourceText } from '../../../base/source-text.ts';
import { oneOffRequest as requestOf } from '../../../execution/one-off.ts';
import type { QueryRequest } from '../../../execution/request.ts';
import { makeFolder } from '../../../files/make-folder.ts';
import { replaceFileSync } from '../../../files/replace-file.ts';
import type { SavedQuery } from '../../../queries/saved-query.ts';
import type { SourceDefinition } from '../../../sources/definition.ts';
import type { RawFileOptions } from '../../../sources/files/options.ts';
import type { Parts } from '../../parts.ts';
import { readGivenParameter } from './given-parameter.ts';

export interface OneOff {
  readonly text: SourceText;
  /** As `-p` has them. */
  readonly parameters: readonly string[];
  readonly maxRows?: number | undefined;
  readonly usualMaxRows?: number | undefined;
  readonly ttlSeconds?: number | undefined;
  /** How files are read that it names by their paths. */
  readonly files?: RawFileOptions | undefined;
  /** Called with these files before they are read. */
  readonly onFiles?: ((files: readonly SourceDefinition[]) => void) | undefined;
}

const HINTS = {
  stray: (name: string): string => `leave out -p ${name}:…`,
  missing: (name: string): string => `pass it with its type: -p ${name}:INT64:5, or -p ${name}::text for a STRING`,
};

/** The request for the rows of `text`, whose files in FROM become sources. Throws what is wrong with the text and its parameters, and what `onFiles` throws. */
export async function oneOffRequest(
  { parameters, files, onFiles, ...asked }: OneOff,
  { filesAmong }: Pick<Parts, 'filesAmong'>,
): Promise<QueryRequest & { readonly query: SavedQuery }> {
  return requestOf({ ...asked, given: parameters.map(readGivenParameter), hints: HINTS }, async (names) => {
    const found = await filesAmong(names, files);
    onFiles?.(found);
    return found;
  });
}

interface Last {
  readonly sql: string;
  readonly parameters: readonly string[];
}

const lastFile = async ({ settings }: Pick<Parts, 'settings'>): Promise<string> =>
  join((await settings()).values.cache_dir, 'last-query.json');

/** Keeps the SQL for `quern new --from-last`; where that is not possible, nothing is lost but that. */
export async function rememberLast(last: Last, parts: Pick<Parts, 'settings'>): Promise<void> {
  try {
    const file = await lastFile(parts);
    makeFolder(dirname(file));
    replaceFileSync(file, `${JSON.stringify(last)}\n`, 0o600);
  } catch {
    // The rows are there all the same.
  }
}

/** Throws `usage` when there is none. */
export async function readLast(parts: Pick<Parts, 'settings'>): Promise<Last> {
  const file = await lastFile(parts);
  try {
    const last: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof last === 'object' && last !== null && 'sql' in last && 'parameters' in last) return last as Last; // as rememberLast wrote it
  } catch {
    // None, or not ours.
  }
  throw new QuernError('usage', 'no SQL has been run yet', { hint: "run some first: quern query 'select 1 as one'" });
}
