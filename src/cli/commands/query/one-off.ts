// SQL from the command line that is not saved: how it is run, and how it is remembered for `quern new --from-last`.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { QuernError } from '../../../base/errors.ts';
import { type OneOff, oneOffRequest } from '../../../execution/one-off.ts';
import type { QueryRequest } from '../../../execution/request.ts';
import { makeFolder } from '../../../files/make-folder.ts';
import { replaceFileSync } from '../../../files/replace-file.ts';
import type { SavedQuery } from '../../../queries/saved-query.ts';
import type { SourceDefinition } from '../../../sources/definition.ts';
import type { RawFileOptions } from '../../../sources/files/options.ts';
import type { Parts } from '../../parts.ts';
import { readGivenParameters } from './given-parameter.ts';

export interface GivenSql extends Omit<OneOff, 'given' | 'hints'> {
  /** By default those for flags. */
  readonly hints?: OneOff['hints'] | undefined;
  /** Parameters in the form of `-p`. */
  readonly parameters: readonly string[];
  /** The options by which files that it names by their paths are read. */
  readonly files?: RawFileOptions | undefined;
  /** Called with these files before they are read. */
  readonly onFiles?: ((files: readonly SourceDefinition[]) => void) | undefined;
}

/** A parameter that is called by its position has no name before the colon. */
const nameIn = (called: string): string => (called.startsWith('@') ? called.slice(1) : '');

const HINTS = {
  stray: (called: string): string => `leave out -p ${nameIn(called)}:…`,
  missing: (called: string): string => `pass it with its type: -p ${nameIn(called)}:INT64:5, or -p ${nameIn(called)}::text for a STRING`,
};

/** Returns the request for the rows of `text`, whose files in FROM become sources. Throws the errors of the text and its parameters, and those of `onFiles`. */
export async function sqlRequest(
  { parameters, files, onFiles, hints = HINTS, ...rest }: GivenSql,
  { filesAmong, preparedQueries }: Pick<Parts, 'filesAmong' | 'preparedQueries'>,
): Promise<QueryRequest & { readonly query: SavedQuery }> {
  const { texts } = await preparedQueries();
  return oneOffRequest(
    { ...rest, given: readGivenParameters(parameters), hints },
    {
      texts,
      async filesAmong(names) {
        const found = await filesAmong(names, files);
        onFiles?.(found);
        return found;
      },
    },
  );
}

interface Last {
  readonly sql: string;
  readonly parameters: readonly string[];
}

const lastFile = async ({ settings }: Pick<Parts, 'settings'>): Promise<string> =>
  join((await settings()).values.cache_dir, 'last-query.json');

/** Remembers the SQL for `quern new --from-last`; where that fails, only that command is affected. */
export async function rememberLast(last: Last, parts: Pick<Parts, 'settings'>): Promise<void> {
  try {
    const file = await lastFile(parts);
    makeFolder(dirname(file));
    replaceFileSync(file, `${JSON.stringify(last)}\n`, { mode: 0o600, passing: true });
  } catch {
    // The rows of the query are still printed.
  }
}

/** Throws `usage` when there is none. */
export async function readLast(parts: Pick<Parts, 'settings'>): Promise<Last> {
  const file = await lastFile(parts);
  try {
    const last: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof last === 'object' && last !== null && 'sql' in last && 'parameters' in last) return last as Last; // as rememberLast wrote it
  } catch {
    // There is no file, or another program wrote it.
  }
  throw new QuernError('usage', 'no SQL has been run yet', { hint: "run some first: quern query 'select 1 as one'" });
}
