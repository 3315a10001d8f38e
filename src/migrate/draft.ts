// What becomes of each query that was found: its name here, and the text of its file.
import { randomUUID } from 'node:crypto';
import { QuernError } from '../errors.ts';
import { declaresAsParameters } from './declares-as-parameters.ts';
import type { Endpoint } from './endpoint.ts';
import { findParameters } from './find-parameters.ts';
import type { Found } from './folder.ts';
import { clickHouseSql } from './placeholders.ts';
import { freeName, queryName } from './query-name.ts';
import { queryText } from './query-text.ts';

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
  pg_sql: 'it is PostgreSQL SQL: write it in the BigQuery dialect',
  lql: 'it is LQL, which is not SQL: write it in the BigQuery dialect',
};

export function draftAll(found: readonly Found[], neighbours: Neighbours, declareAsParameters = false): readonly (Draft | Refusal)[] {
  const names = new Set<string>();
  const ids = new Set<string>();
  return found.map((one, i): Draft | Refusal => {
    if (one.kind === 'unreadable') return { was: one.name, reason: one.reason };
    const other = one.kind === 'endpoint' && !['bq_sql', 'ch_sql'].includes(one.language);
    if (other)
      return { was: one.name, reason: OTHER_LANGUAGES[one.language] ?? `its language ${JSON.stringify(one.language)} is not known here` };

    const notes: string[] = one.kind === 'endpoint' ? [...one.notes] : [];
    const wanted = queryName(one.name) || `endpoint-${one.id?.slice(0, 8) ?? i + 1}`;
    const neighbour = neighbours.names.get(wanted.toLowerCase());
    if (neighbour !== undefined) notes.push(`there is a saved query ${wanted} already: ${neighbour}`);
    const name = freeName(neighbour === undefined ? wanted : `${wanted}-imported`, new Set([...names, ...neighbours.names.keys()]));
    names.add(name.toLowerCase());
    const renamed = name === one.name ? {} : { was: one.name };
    if (one.kind === 'headed') return { name, ...renamed, text: one.text, notes, sources: {} };

    const id = one.id ?? neighbours.idAt(name) ?? randomUUID();
    const clash = neighbours.ids.get(id) ?? (ids.has(id) ? 'another of these queries' : undefined);
    if (clash !== undefined) notes.push(`its id is that of ${clash}: it has a new one`);
    const ownId = clash === undefined ? id : (neighbours.idAt(name) ?? randomUUID());
    ids.add(ownId);
    return { name, ...renamed, sources: one.sources, ...draftOf(one, name, ownId, { notes, declareAsParameters }) };
  });
}

interface DraftWishes {
  readonly notes: readonly string[];
  readonly declareAsParameters: boolean;
}

function draftOf(endpoint: Endpoint, name: string, id: string, { notes, declareAsParameters }: DraftWishes): Pick<Draft, 'text' | 'notes'> {
  const dialect = endpoint.language === 'ch_sql' ? 'clickhouse' : 'bigquery';
  const said = [...notes];
  if ((endpoint.warmingSeconds ?? 0) > 0 && (endpoint.ttlSeconds ?? 0) === 0)
    said.push('it had no cache, so there is nothing to keep warm');
  if (dialect === 'clickhouse' && endpoint.sandbox === true) said.push('only SQL of the BigQuery dialect can have a sandbox');
  if (endpoint.enableAuth === false) said.push('it answered without a key; `quern serve` asks for one');
  const { sql, parameters } = readSql(endpoint.sql, dialect, declareAsParameters);
  if (sql !== endpoint.sql && dialect === 'bigquery')
    said.push('its variables are parameters now, which keep their values where none is given');
  if (sql !== endpoint.sql && dialect === 'clickhouse')
    said.push('its parameters are written {name:Nullable(String)} now, as ClickHouse does');
  return { text: queryText({ id, name, endpoint, dialect, sql, parameters }), notes: said };
}

/** Text that cannot be read is kept, for its author to mend: what is wrong with it the trial says. */
function readSql(
  sql: string,
  dialect: 'bigquery' | 'clickhouse',
  declareAsParameters: boolean,
): Pick<Parameters<typeof queryText>[0], 'sql' | 'parameters'> {
  try {
    if (dialect === 'clickhouse') return clickHouseSql(sql);
    const parameters = findParameters(sql);
    if (!declareAsParameters) return { sql, parameters };
    const declared = declaresAsParameters(
      sql,
      parameters.map(({ name }) => name),
    );
    return { sql: declared.sql, parameters: [...parameters, ...declared.parameters] };
  } catch (error) {
    if (!(error instanceof QuernError)) throw error;
    return { sql, parameters: [] };
  }
}
