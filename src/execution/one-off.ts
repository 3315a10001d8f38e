// SQL that nobody has saved: the saved query that it would be, and the request for its rows.
import { QuernError } from '../base/errors.ts';
import type { SourceText } from '../base/source-text.ts';
import { digest } from '../cache/json-memory.ts';
import { reservedFor } from '../queries/parameter-names.ts';
import { readSavedQuery } from '../queries/read-query.ts';
import type { References } from '../queries/references.ts';
import { DRAFT, type ParameterDeclaration, type SavedQuery } from '../queries/saved-query.ts';
import type { SourceDefinition } from '../sources/definition.ts';
import { calledParameter, positionOf } from '../sql/base/positional.ts';
import type { QueryRequest } from './request.ts';

/** Rows of SQL that says nothing itself, where not all are wanted: as of saved queries. */
export const MAX_ROWS = 1000;
/** No result has more rows; one more is still a number that JavaScript and ClickHouse count exactly. */
export const ALL_ROWS = Number.MAX_SAFE_INTEGER - 1;

export { positionalName } from '../sql/base/positional.ts';

export interface GivenParameter {
  readonly declaration: ParameterDeclaration;
  /** As arguments are given; null for NULL. */
  readonly value: unknown;
}

export interface OneOff {
  readonly text: SourceText;
  /** They go before those that a header of the text declares. */
  readonly given: readonly GivenParameter[];
  readonly maxRows?: number | undefined;
  /** How many rows are wanted where neither `maxRows` nor a header says it. */
  readonly usualMaxRows?: number | undefined;
  readonly ttlSeconds?: number | undefined;
  /** Hints for a parameter that the text does not use (absent: such are left out), and for one without a value; `@name` or `parameter 2`. */
  readonly hints: { readonly stray?: (called: string) => string; readonly missing: (called: string) => string };
}

/** What a text says by itself, whatever there is to read. */
export interface ReadText {
  readonly query: SavedQuery;
  /** Absent for ClickHouse SQL. */
  readonly references?: Pick<References, 'parameters' | 'tables'> | undefined;
}

interface OneOffDependencies {
  /** Finds the files among the names that the text has in FROM. */
  readonly filesAmong: (names: readonly string[]) => Promise<readonly SourceDefinition[]>;
  /** Where texts that were right are remembered; absent: nowhere. */
  readonly texts?: { read(key: string): Promise<ReadText | undefined>; write(key: string, read: ReadText): Promise<void> };
}

/** The request for the rows of `text`. Throws what is wrong with the text and its parameters, with the text as its source. */
export async function oneOffRequest(
  { text, given: all, maxRows, usualMaxRows = MAX_ROWS, ttlSeconds, hints }: OneOff,
  { filesAmong, texts }: OneOffDependencies,
): Promise<QueryRequest & { readonly query: SavedQuery }> {
  if (text.text.trim() === '')
    throw new QuernError('usage', `${text.name} contains no SQL`, { hint: "write a query, such as 'select 1 as one'" });
  try {
    const key = digest(JSON.stringify(text));
    const remembered = await texts?.read(key);
    const read = remembered ?? (await readText(text));
    const { query, references } = read;
    const given = hints.stray === undefined && references !== undefined ? all.filter(isUsedIn(references)) : all;
    const own = query.parameters.filter(({ name }) => !given.some((one) => isSame(one.declaration.name, name)));
    const wantedRows = maxRows ?? (query.id === '' ? usualMaxRows : undefined);
    const wanted: SavedQuery = {
      ...query,
      maxRows: wantedRows ?? query.maxRows,
      ttlSeconds: ttlSeconds ?? 0,
      parameters: [...given.map(({ declaration }) => declaration), ...own],
    };
    let files: readonly SourceDefinition[] = [];
    if (references !== undefined) {
      checkParameters(references.parameters, wanted, given, hints);
      files = await filesAmong(references.tables.map(({ name }) => name));
    }
    return {
      query: wanted,
      files,
      arguments: Object.fromEntries(given.map(({ declaration, value }) => [declaration.name, value])),
      maxRows: wantedRows,
      remember: remembered === undefined ? async () => texts?.write(key, read) : undefined,
    };
  } catch (error) {
    throw error instanceof QuernError ? error.in(text) : error;
  }
}

async function readText(text: SourceText): Promise<ReadText> {
  const query = await readSavedQuery(text, 'the query');
  if (query.dialect !== 'bigquery') return { query };
  const { referencesIn } = await import('../queries/references.ts');
  const { parameters, tables } = referencesIn(text.text);
  return { query, references: { parameters, tables } };
}

const isUsedIn =
  ({ parameters }: Pick<References, 'parameters'>) =>
  ({ declaration }: GivenParameter): boolean =>
    parameters.some(({ name }) => isSame(name, declaration.name));

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

function checkParameters(
  used: readonly { readonly name: string; readonly span: { readonly start: number; readonly end: number } }[],
  { parameters }: SavedQuery,
  given: readonly GivenParameter[],
  hints: OneOff['hints'],
): void {
  const reserved = given.find(({ declaration: { name } }) => positionOf(name) === undefined && reservedFor(name) !== undefined);
  if (reserved !== undefined) {
    const { name } = reserved.declaration;
    throw new QuernError('parameter', `the parameter ${name} ${reservedFor(name)}`, { hint: 'choose another name' });
  }
  const named = used.find(({ name }) => positionOf(name) === undefined);
  if (named !== undefined && used.some(({ name }) => positionOf(name) !== undefined))
    throw new QuernError('parameter', `the SQL has ? and @${named.name}`, {
      span: named.span,
      hint: 'use one of the two for all parameters',
    });
  const stray = given.find(({ declaration }) => !used.some(({ name }) => isSame(name, declaration.name)));
  if (stray !== undefined) {
    const called = calledParameter(stray.declaration.name);
    throw new QuernError('usage', `the SQL has no ${called.replace('@', 'parameter @')}`, { hint: hints.stray?.(called) });
  }
  const missing = used.find(({ name }) => !parameters.some((one) => isSame(one.name, name)));
  if (missing !== undefined)
    throw new QuernError('parameter', `${calledParameter(missing.name)} has no value`, {
      span: missing.span,
      hint: hints.missing(calledParameter(missing.name)),
    });
}

/**
 * Returns the query that a caller's SQL is: comments in it are comments, whatever they look like, all of its rows are wanted, and values that it does not use
 * are left out. Throws what parsing throws, QuernError `unsupported` for a text that is there to create a table or to add to one, and `parameter` for a `?` without
 * a value.
 */
export async function callersQuery(source: SourceText, given: readonly GivenParameter[]): Promise<SavedQuery> {
  const [{ parse }, { referencesOf }] = await Promise.all([import('../sql/index.ts'), import('../queries/references.ts')]);
  try {
    const script = parse(source.text);
    const { creates } = script;
    if (creates !== null)
      throw new QuernError('unsupported', `the query is there to fill ${creates.name}, and quern only reads`, {
        span: creates.span,
        hint: 'send the SELECT inside it',
      });
    const { parameters: wanted } = referencesOf(script);
    const used = new Set(wanted.map(({ name }) => name.toLowerCase()));
    const values = given.filter((one) => used.has(one.declaration.name.toLowerCase()));
    // Others may be those of saved queries that the text reads.
    const missing = wanted.find(
      ({ name }) => positionOf(name) !== undefined && !values.some(({ declaration }) => declaration.name === name),
    );
    if (missing !== undefined)
      throw new QuernError('parameter', `${calledParameter(missing.name)} has no value`, {
        span: missing.span,
        hint: 'send one for each ? of the text, in their order',
      });
    return { ...DRAFT, name: 'the query', maxRows: ALL_ROWS, parameters: values.map(({ declaration }) => declaration), source };
  } catch (error) {
    throw error instanceof QuernError ? error.in(source) : error;
  }
}
