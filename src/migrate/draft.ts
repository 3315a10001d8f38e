// Makes a draft of each query that was found: its name here, and the text of its file.
import { QuernError } from '../base/errors.ts';
import type { ResolvedSources } from '../sources/kind.ts';
import { parse } from '../sql/index.ts';
import { declaresAsParameters } from './declares-as-parameters.ts';
import { draftNames } from './draft-names.ts';
import type { Endpoint, Unreadable } from './endpoint.ts';
import { findParameters } from './find-parameters.ts';
import type { Found } from './folder.ts';
import { clickHouseSql } from './placeholders.ts';
import { headerType, queryText } from './query-text.ts';
import { redirected } from './relations.ts';
import { templateIn } from './template.ts';

export interface Draft {
  readonly name: string;
  /** The name it had, where that was another. */
  readonly was?: string;
  readonly text: string;
  readonly notes: readonly string[];
  readonly sources: Endpoint['sources'];
}

/** A query that no file is written for. */
export interface Refusal {
  readonly was: string;
  readonly reason: string;
  readonly hint?: string;
}

/** The saved queries around, other than those of the folder that is written to. */
export interface Neighbours {
  /** Names and ids in lower case → the file that has them. */
  readonly names: ReadonlyMap<string, string>;
  readonly ids: ReadonlyMap<string, string>;
  /** The id of the file of that name in the folder that is written to. */
  idAt(name: string): string | undefined;
}

/** Languages that Logflare has and ClickHouse is not asked in. */
const OTHER_LANGUAGES: Readonly<Record<string, string>> = {
  pg_sql: 'it is PostgreSQL SQL: rewrite it in the BigQuery dialect',
  lql: 'it is LQL, which is not SQL: rewrite it in the BigQuery dialect',
};

type Kept = Exclude<Found, Unreadable>;

const LEGACY_SQL = 'it is legacy SQL: rewrite it in GoogleSQL';

interface DraftOptions {
  /** Variables of DECLARE become parameters. */
  readonly declareAsParameters?: boolean | undefined;
  /** Those that the queries may read. */
  readonly sources: ResolvedSources;
}

export function draftAll(found: readonly Found[], neighbours: Neighbours, options: DraftOptions): readonly (Draft | Refusal)[] {
  const read = found.map((one): Kept | Refusal => (one.kind === 'unreadable' ? leftOut(one) : (refusalOf(one) ?? one)));
  const kept = read.filter((one) => 'kind' in one);
  const drafted = new Map(draftNames(kept, new Set(neighbours.names.keys())).map((named, i) => [kept[i], named] as const));
  const names = new Map([...drafted].map(([one, { name }]) => [one, name] as const));
  const relations = relationsOf(kept, names);
  const ids = new Set<string>();
  return read.map((one): Draft | Refusal => {
    if (!('kind' in one)) return one;
    const notes: string[] = one.kind === 'endpoint' ? [...one.notes] : [];
    const { name, taken } = drafted.get(one) ?? { name: one.name };
    if (taken !== undefined) notes.push(`the saved query ${taken} already exists: ${neighbours.names.get(taken.toLowerCase())}`);
    const renamed = name === one.name ? {} : { was: one.name };
    if (one.kind === 'headed') return { name, ...renamed, text: one.text, notes, sources: {} };

    const id = one.id ?? neighbours.idAt(name);
    const clash = id === undefined ? undefined : (neighbours.ids.get(id) ?? (ids.has(id) ? 'another of these queries' : undefined));
    if (clash !== undefined) notes.push(`its id is already used by ${clash}, so it has a new one`);
    const ownId = clash === undefined ? id : neighbours.idAt(name);
    if (ownId !== undefined) ids.add(ownId);
    return { name, ...renamed, sources: one.sources, ...draftOf(one, name, ownId, { ...options, notes, relations }) };
  });
}

const leftOut = ({ name, reason, hint }: Unreadable): Refusal => ({ was: name, reason, hint });

/** Returns the reason why no file is written for it. */
function refusalOf(one: Kept): Refusal | undefined {
  if (one.kind === 'headed') return undefined;
  const { name, language, sql } = one;
  if (!['bq_sql', 'ch_sql'].includes(language))
    return { was: name, reason: OTHER_LANGUAGES[language] ?? `its language ${JSON.stringify(language)} is not supported` };
  if (language !== 'bq_sql') return undefined;
  if (/^\s*#legacysql\b/i.test(sql)) return { was: name, reason: LEGACY_SQL };
  const template = isSql(sql) ? undefined : templateIn(sql);
  return template === undefined ? undefined : { was: name, ...template };
}

function isSql(sql: string): boolean {
  try {
    parse(sql);
    return true;
  } catch (error) {
    if (error instanceof QuernError) return false;
    throw error;
  }
}

/** Tables that queries were written to, in lower case, with the queries' names; of a table that several were written to none is known. */
function relationsOf(kept: readonly Kept[], names: ReadonlyMap<Kept | undefined, string>): ReadonlyMap<string, string> {
  const relations = new Map<string, string | undefined>();
  for (const one of kept) {
    const relation = one.kind === 'endpoint' ? one.relation?.toLowerCase() : undefined;
    if (relation !== undefined) relations.set(relation, relations.has(relation) ? undefined : names.get(one));
  }
  return new Map([...relations].flatMap(([relation, name]) => (name === undefined ? [] : [[relation, name] as const])));
}

interface OneDraftOptions extends DraftOptions {
  readonly notes: readonly string[];
  readonly relations: ReadonlyMap<string, string>;
}

function draftOf(
  endpoint: Endpoint,
  name: string,
  id: string | undefined,
  { notes, relations, ...options }: OneDraftOptions,
): Pick<Draft, 'text' | 'notes'> {
  const dialect = endpoint.language === 'ch_sql' ? 'clickhouse' : 'bigquery';
  const said = [...notes];
  if ((endpoint.warmingSeconds ?? 0) > 0 && (endpoint.ttlSeconds ?? 0) === 0)
    said.push('it had no cache, so there is nothing to keep warm');
  if (dialect === 'clickhouse' && endpoint.sandbox === true) said.push('only SQL in the BigQuery dialect can have a sandbox');
  if (endpoint.enableAuth === false) said.push('it answered without a key; `quern serve` requires one');
  const others = new Map([...relations].filter(([relation]) => relation !== endpoint.relation?.toLowerCase()));
  const { sql, parameters, declared, notes: ofTables } = readSql(endpoint, dialect, { ...options, relations: others });
  said.push(...ofTables);
  const guessed = parameters.filter(({ isGuess }) => isGuess === true).map((one) => `@${one.name} (${headerType(one)})`);
  if (guessed.length > 0) said.push(`the SQL does not say of which type ${guessed.join(', ')} must be: look at the header`);
  if (declared) said.push('its variables are now parameters, with their values as defaults');
  if (sql !== endpoint.sql && dialect === 'clickhouse')
    said.push('its parameters are now written {name:Nullable(String)}, as in ClickHouse');
  return { text: queryText({ id, name, endpoint, dialect, sql, parameters }), notes: said };
}

interface ReadSql extends Pick<Parameters<typeof queryText>[0], 'sql' | 'parameters'> {
  /** Variables of DECLARE are among the parameters. */
  readonly declared: boolean;
  readonly notes: readonly string[];
}

/** Text that cannot be read is kept, for its author to mend: what is wrong with it the trial says. */
function readSql(
  { sql: written, given, onlyTexts }: Endpoint,
  dialect: 'bigquery' | 'clickhouse',
  { declareAsParameters = false, relations, sources }: Omit<OneDraftOptions, 'notes'>,
): ReadSql {
  try {
    if (dialect === 'clickhouse') return { ...clickHouseSql(written), declared: false, notes: [] };
    const { sql, read, hidden } = redirected(written, relations);
    const notes = [
      ...[...read].map(([table, query]) => `it reads the saved query ${query}, whose rows used to be in the table ${table}`),
      ...[...hidden].map(
        ([table, query]) => `it reads the table ${table}, whose query ${query} has the same name as a WITH table: rename one of them`,
      ),
    ];
    const parameters = findParameters(sql, { given, onlyTexts, sources });
    if (!declareAsParameters) return { sql, parameters, declared: false, notes };
    const names = parameters.map(({ name }) => name);
    const variables = declaresAsParameters(sql, names);
    return {
      sql: variables.sql,
      parameters: [...parameters, ...variables.parameters],
      declared: variables.parameters.length > 0,
      notes,
    };
  } catch (error) {
    if (!(error instanceof QuernError)) throw error;
    return { sql: written, parameters: [], declared: false, notes: [] };
  }
}
