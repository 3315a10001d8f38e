// A prepared query: everything needed to execute a saved query without reading its header or translating it again.
import { QuernError } from '../base/errors.ts';
import { digest } from '../cache/json-memory.ts';
import type { CallerNames } from '../queries/caller-names.ts';
import type { QueryCatalog } from '../queries/catalog.ts';
import type { Expansion } from '../queries/expand.ts';
import type { ParameterDeclaration, SavedQuery } from '../queries/saved-query.ts';
import type { ResolvedSources, Sources, SourcesVersion } from '../sources/kind.ts';
import type { BucketedTranslation, Doubt, SpecializableTranslation, TranslatedParameter, TranslateOptions } from '../sql/translation.ts';
import type { TranslateCallers } from './callers-text.ts';

/** What the saved query says. Its limits are its own: what they leave out is for the settings to say. */
type OfQuery = Pick<
  SavedQuery,
  'name' | 'id' | 'dialect' | 'source' | 'maxRows' | 'ttlSeconds' | 'warmingSeconds' | 'sandbox' | 'redactPii' | 'limits' | 'result'
>;

/** What its translation says; of ClickHouse SQL, which nobody has looked into, the columns are not known, and rows may always share values. */
type OfTranslation = Pick<
  SpecializableTranslation,
  'sql' | 'statement' | 'settings' | 'sources' | 'results' | 'filteredBy' | 'sharedValues' | 'ownLimit' | 'small' | 'doubts' | 'repeatable'
> &
  Partial<Pick<SpecializableTranslation, 'columns'>>;

export interface PreparedQuery extends OfQuery, OfTranslation {
  /** The caller's SQL in place of the query's own SELECT: this prepared query is one of prepareSandbox. */
  readonly sandboxed?: string | undefined;
  /** The query's own, and those of the queries it reads as tables. */
  readonly parameters: readonly ParameterDeclaration[];
  /** Remarks of a run on the query's own text, see runRemarks. */
  readonly warnings?: readonly string[] | undefined;
  readonly notes?: readonly string[] | undefined;
  readonly bound: readonly TranslatedParameter[];
  /** The same in buckets of time, where its rows belong to such, and it is cached. */
  readonly buckets?: BucketedTranslation | undefined;
  /** The saved queries read as tables, with the hash of the text they had. */
  readonly uses: readonly Used[];
  /** The functions of files that it calls, by file. */
  readonly functions?: readonly Used[] | undefined;
  /** The version of the sources that it was translated for; absent for ClickHouse SQL, which names none. */
  readonly sourcesVersion?: SourcesVersion | undefined;
}

interface Used {
  readonly name: string;
  readonly digest: string;
}

/**
 * The engine may look at a condition of the caller's before one of the saved query's, and fail at a row that the latter leaves out: it tells
 * that there is such a row. Conditions of WHERE are taken in the order in which they stand, the saved query's first, unless some of them become PREWHERE.
 */
export const IN_ORDER = { optimize_move_to_prewhere: 0, short_circuit_function_evaluation: 'enable' } as const;

interface PreparedQueryMemory {
  read(key: string): Promise<PreparedQuery | undefined>;
  write(key: string, prepared: PreparedQuery): Promise<void>;
}

export interface PrepareDependencies {
  readonly catalog: QueryCatalog;
  readonly sources: Sources;
  /** Absent: nothing is remembered. */
  readonly preparedQueries?: PreparedQueryMemory;
  /** What names mean in SQL that is sent with the request; absent: what they mean in saved queries. */
  readonly names?: CallerNames | undefined;
}

/** Returns whether the queries and functions that a prepared query was made of are as they were. */
export function usesNow({ uses, functions = [] }: PreparedQuery, catalog: Pick<QueryCatalog, 'named' | 'functions'>): boolean {
  if (!uses.every(({ name, digest: before }) => textDigest(catalog.named(name)?.source.text) === before)) return false;
  if (functions.length === 0) return true;
  const texts = new Map(catalog.functions().map(({ name, text }) => [name, text]));
  return functions.every(({ name, digest: before }) => textDigest(texts.get(name)) === before);
}

/** Returns whether the sources that a prepared query reads are as they were. */
export async function readsNow(
  { sourcesVersion: before }: Pick<PreparedQuery, 'sourcesVersion'>,
  sources: Pick<Sources, 'versionOf'>,
): Promise<boolean> {
  return before === undefined || (await sources.versionOf(before.names)).value === before.value;
}

/** SQL of a caller's. */
interface CallersSql {
  /** In place of the saved query's SELECT, see prepareSandbox; absent: the query itself is the caller's. */
  readonly sql?: string;
  /** Absent: it is translated here and now. */
  readonly translate?: TranslateCallers | undefined;
}

const ofCallers = new WeakMap<PreparedQuery, CallerNames>();

/** Returns what names mean in the query, where a caller's names were said when it was prepared, in this process. */
export const callerNamesOf = (prepared: PreparedQuery): CallerNames | undefined => ofCallers.get(prepared);

/** Prepares a parsed query or, with `callers`, their SQL in its place. */
export async function prepareQuery(query: SavedQuery, deps: PrepareDependencies, callers?: CallersSql): Promise<PreparedQuery> {
  const { description: _description, checks: _checks, keepBuckets: _buckets, keepComments: _comments, ...base } = query;
  if (query.dialect === 'clickhouse') {
    const { checkClickHouse } = await import('../queries/clickhouse/text.ts');
    const { sql, parameters } = checkClickHouse(query);
    return {
      ...base,
      sql,
      bound: parameters,
      sharedValues: true,
      settings: { session_timezone: 'UTC' },
      sources: [],
      uses: [],
    };
  }
  const { options, ...expansion } = await (callers?.sql === undefined ? expand : expandOnce)(query, deps);
  const { parameters, sources } = expansion;
  const uses = [...expansion.uses.values(), ...(expansion.inner?.uses.values() ?? [])];
  const isPinned = (deps.names?.pinned ?? []).length > 0;
  try {
    const translation = await translated(query, expansion, options, callers);
    const { parameters: bound, buckets, functions, textsReadAs, helpers: _helpers, differences: _differences, ...facts } = translation;
    // Places in other texts than the query's own would be reported as its own.
    const doubts = uses.length === 0 && functions === undefined ? translation.doubts : undefined;
    const prepared: PreparedQuery = {
      ...base,
      ...facts,
      // Whoever may write the SQL must not get around what a saved query hides.
      redactPii: query.redactPii || (deps.names !== undefined && uses.some((used) => used.redactPii)),
      sandboxed: callers?.sql,
      parameters: await withFormats(parameters, textsReadAs),
      doubts,
      ...(callers === undefined ? await remarked(query, doubts, sources) : {}),
      bound,
      buckets: buckets === undefined || 'why' in buckets ? undefined : buckets,
      settings: isPinned ? { ...facts.settings, ...IN_ORDER } : facts.settings,
      uses: uses.map((used) => ({ name: used.name, digest: digest(used.source.text) })),
      functions: functions?.map((name) => ({
        name,
        digest: digest(options.functions?.find((file) => file.name === name)?.text ?? ''),
      })),
      sourcesVersion: await deps.sources.versionOf(facts.sources),
    };
    if (deps.names !== undefined) ofCallers.set(prepared, deps.names);
    return prepared;
  } catch (error) {
    throw error instanceof QuernError ? error.in(query.source) : error;
  }
}

/** Adds the formats that the query itself requires of texts. */
async function withFormats(
  parameters: readonly ParameterDeclaration[],
  textsReadAs: SpecializableTranslation['textsReadAs'],
): Promise<readonly ParameterDeclaration[]> {
  if (textsReadAs === undefined) return parameters;
  const { impliedFormats } = await import('../queries/text-formats/implied-formats.ts');
  return impliedFormats(parameters, textsReadAs);
}

async function remarked(
  query: SavedQuery,
  doubts: readonly Doubt[] = [],
  sources: ResolvedSources,
): Promise<Pick<PreparedQuery, 'warnings' | 'notes'>> {
  const { runRemarks, tableFinder } = await import('../queries/remarks.ts');
  const { warnings, notes } = runRemarks(query, doubts, tableFinder(sources));
  return { ...(warnings.length === 0 ? {} : { warnings }), ...(notes.length === 0 ? {} : { notes }) };
}

type Expanded = Expansion & { readonly options: TranslateOptions };

/** For saved queries for which callers send one text after the other: reading a large one takes longer than all other work for a text. */
const expanded = new WeakMap<SavedQuery, Required<Pick<PreparedQuery, 'sourcesVersion'>> & { readonly known: Expanded }>();

/** A saved query that reads others is another object once these have changed: see reloadEndpoints. */
async function expandOnce(query: SavedQuery, deps: PrepareDependencies): Promise<Expanded> {
  const before = expanded.get(query);
  if (before !== undefined && (await readsNow(before, deps.sources))) return before.known;
  const known = await expand(query, deps);
  expanded.set(query, { sourcesVersion: await deps.sources.versionOf(known.named), known });
  return known;
}

/** Returns whether the saved queries may be among what a text lists. */
export const listsSavedQueries = ({ id, source }: SavedQuery, names?: CallerNames): boolean =>
  (id === '' || names !== undefined) && /information_schema|__tables__/i.test(source.text);

async function expand(query: SavedQuery, { catalog, sources, names }: PrepareDependencies): Promise<Expanded> {
  const { translateOptions } = await import('../queries/expand.ts');
  if (!listsSavedQueries(query, names)) return translateOptions(query, catalog, sources, names);
  // What is prepared for a saved query is remembered, and nothing in it would say that another saved query has changed.
  const [{ listSavedQueries }, { withSavedQueries }] = await Promise.all([
    import('../queries/saved-listing.ts'),
    import('../queries/caller-names.ts'),
  ]);
  const saved = () => listSavedQueries(catalog, sources);
  return names === undefined
    ? translateOptions(query, catalog, withSavedQueries(sources, { saved }))
    : translateOptions(query, catalog, sources, { saved, ...names });
}

async function translated(
  { source, sandbox, ttlSeconds, result, keepBuckets = true, keepComments }: SavedQuery,
  expansion: Expansion,
  options: TranslateOptions,
  callers: CallersSql | undefined,
): Promise<SpecializableTranslation> {
  const buckets = ttlSeconds > 0 && keepBuckets;
  if (callers === undefined) {
    const { translateSpecializable } = await import('../sql/index.ts');
    const commentsFrom = keepComments === undefined ? undefined : (await import('../queries/header/text.ts')).sqlStart(source.text);
    return translateSpecializable(source.text, { ...options, result, commentsFrom }, { sandbox, buckets });
  }
  const { callersText, translateCallersText } = await import('./callers-text.ts');
  const { sql, translate = translateCallersText } = callers;
  const texts = sql === undefined ? { sql: source.text } : { saved: source.text, sql };
  return translate(callersText({ ...texts, buckets }, expansion, options));
}

function textDigest(text: string | undefined): string | undefined {
  return text === undefined ? undefined : digest(text);
}
