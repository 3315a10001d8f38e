// SQL that nobody has saved, from the command line: what is run of it, and what is remembered for `quern new --from-last`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { QuernError } from '../../errors.ts';
import type { QueryRequest } from '../../execution/request.ts';
import { replaceFileSync } from '../../files/replace-file.ts';
import type { SavedQuery } from '../../queries/saved-query.ts';
import type { SourceText } from '../../source-text.ts';
import type { Parts } from '../parts.ts';
import { type GivenParameter, readGivenParameter } from './given-parameter.ts';

/** Rows of SQL that says nothing itself: as of saved queries. */
const MAX_ROWS = 1000;

interface OneOff {
  readonly text: SourceText;
  /** As `-p` has them. */
  readonly parameters: readonly string[];
  readonly maxRows?: number | undefined;
  readonly ttlSeconds?: number | undefined;
}

/** The request for the rows of `text`, whose files in FROM become sources. Throws what is wrong with the text and its parameters. */
export async function oneOffRequest(
  { text, parameters, maxRows, ttlSeconds }: OneOff,
  parts: Pick<Parts, 'io' | 'connection' | 'typeFiles'>,
): Promise<QueryRequest & { readonly query: SavedQuery }> {
  const given = parameters.map(readGivenParameter);
  const [{ parseSavedQuery }, { referencesIn }] = await Promise.all([
    import('../../queries/header/header.ts'),
    import('../../queries/references.ts'),
  ]);
  if (text.text.trim() === '')
    throw new QuernError('usage', `${text.name} holds no SQL`, { hint: "write a query, such as 'select 1 as one'" });
  try {
    const query = parseSavedQuery(text, 'the query');
    const own = query.parameters.filter(({ name }) => !given.some((one) => isSame(one.declaration.name, name)));
    const asked: SavedQuery = {
      ...query,
      maxRows: maxRows ?? (query.id === '' ? MAX_ROWS : query.maxRows),
      ttlSeconds: ttlSeconds ?? 0,
      parameters: [...given.map(({ declaration }) => declaration), ...own],
    };
    if (query.dialect === 'bigquery') {
      const references = referencesIn(text.text);
      checkParameters(references.parameters, asked, given);
      await parts.typeFiles(references.tables.map(({ name }) => name));
    }
    const values = Object.fromEntries(given.map(({ declaration, value }) => [declaration.name, value]));
    return { query: asked, arguments: values, maxRows: asked.maxRows };
  } catch (error) {
    throw error instanceof QuernError ? error.in(text) : error;
  }
}

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

function checkParameters(
  used: readonly { readonly name: string; readonly span: { readonly start: number; readonly end: number } }[],
  { parameters }: SavedQuery,
  given: readonly GivenParameter[],
): void {
  const stray = given.find(({ declaration }) => !used.some(({ name }) => isSame(name, declaration.name)));
  if (stray !== undefined)
    throw new QuernError('usage', `the SQL has no @${stray.declaration.name}`, { hint: `leave -p ${stray.declaration.name}:… out` });
  const missing = used.find(({ name }) => !parameters.some((one) => isSame(one.name, name)));
  if (missing !== undefined)
    throw new QuernError('parameter', `@${missing.name} has no value`, {
      span: missing.span,
      hint: `give it with its type: -p ${missing.name}:INT64:5, or -p ${missing.name}::text for a STRING`,
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
    replaceFileSync(await lastFile(parts), `${JSON.stringify(last)}\n`, 0o600);
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
  throw new QuernError('usage', 'there is no SQL that was run last', { hint: "run some first: quern query 'select 1 as one'" });
}
