// Finds out why a query over the store has no rows, once there are none and somebody watches.

import { nearest } from '../base/errors.ts';
import { quoteIdentifier, quoteString } from '../clickhouse/quote.ts';
import type { Engine } from '../engine/engine.ts';
import type { AskedRows, Emptiness } from '../execution/asked-rows.ts';
import type { Sections } from '../sources/definition.ts';
import { STORE_DATABASE } from '../sources/log/log-catalog.ts';
import { findLogSource } from '../sources/log/log-sources.ts';
import { tablesOf } from '../sources/wildcard/stored-wildcard.ts';
import type { Manifest } from '../store/manifest.ts';
import type { Store } from '../store/store.ts';

const MOST_NAMED = 5;

/** Its rows are what queries can read, and not what was loaded. */
const OF_SCHEMA = /(?:^|\.)INFORMATION_SCHEMA\.\w+$/i;

interface StorePlace {
  manifest(): Promise<Manifest>;
  store(): Promise<Pick<Store, 'engine'>>;
  readonly sections: Sections;
  readonly dir: string;
}

/** Returns why a query over these sources of the store has no rows; undefined when nothing is known. Without `asked`, the engine is not asked. */
export async function whyStoreEmpty(
  { manifest, store, sections, dir }: StorePlace,
  names: readonly string[],
  asked: AskedRows | undefined,
): Promise<Emptiness | undefined> {
  const { sources, tables } = await manifest();
  const declared = Object.keys(Object(sections.sources?.value));
  const rowsOf = (name: string): number =>
    tables[name.toLowerCase()]?.rows ??
    sources[name]?.rows ??
    tablesOf(name, Object.values(tables)).reduce((sum, { rows }) => sum + rows, 0);
  const isStored = (name: string): boolean =>
    tables[name.toLowerCase()] !== undefined || findLogSource(name) !== undefined || tablesOf(name, Object.values(tables)).length > 0;
  // A file is read where it lies.
  if (names.some((name) => declared.includes(name) || OF_SCHEMA.test(name) || !isStored(name))) return undefined;
  const filled = names.filter((name) => rowsOf(name) > 0);
  if (filled.length > 0) {
    // Tables of the user's own have neither projects nor times that quern knows of.
    if (asked === undefined || filled.some((name) => sources[name] === undefined)) return undefined;
    return whyNoRows((await store()).engine, STORE_DATABASE, filled, asked);
  }
  return {
    reason: `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} empty in the store ${dir}: load data with \`quern load\``,
    isStoreEmpty: true,
  };
}

/** Returns what stands out, if anything does. The sources are tables of the database, sorted by project and time. */
export async function whyNoRows(
  engine: Pick<Engine, 'rows'>,
  database: string,
  sources: readonly string[],
  { project, instant }: AskedRows,
): Promise<Emptiness | undefined> {
  const where = project === undefined ? '' : ` WHERE project = ${quoteString(project)}`;
  const united = (select: string, filter: string): string =>
    sources.map((name) => `SELECT ${select} FROM ${database}.${quoteIdentifier(name)}${filter}`).join(' UNION ALL ');
  const range = `SELECT sum(n), toString(min(a)), toString(max(b)) FROM (${united('count() AS n, minOrNull(timestamp) AS a, maxOrNull(timestamp) AS b', where)})`;
  const [[count, first, last] = []] = await engine.rows(range);
  const named = sources.join(', ');
  if (Number(count) === 0) {
    if (project === undefined) return undefined;
    const rows = await engine.rows(
      `SELECT project FROM (${united('project', '')}) GROUP BY project ORDER BY count() DESC, project LIMIT 1000`,
    );
    const projects = rows.map(([name]) => String(name)).filter((name) => name !== '');
    const near = nearest(project, projects);
    const others = projects.slice(0, MOST_NAMED).join(', ') + (projects.length > MOST_NAMED ? ' …' : '');
    const known = others === '' ? '' : `; there are rows for ${others}`;
    const hint = near === undefined ? known : `: did you mean ${near}?`;
    return { reason: `${named} ${sources.length === 1 ? 'has' : 'have'} no rows for the project ${JSON.stringify(project)}${hint}` };
  }
  if (instant === undefined || typeof first !== 'string' || typeof last !== 'string') return undefined;
  const whose = `the rows of ${named}${project === undefined ? '' : ` for the project ${project}`}`;
  if (instant < first) return { reason: `${whose} begin at ${iso(first)}, after the period of the query` };
  if (hoursBetween(last, instant) < 1) return undefined;
  return { reason: `${whose} end at ${iso(last)}`, asOf: iso(last) };
}

/** To the second, upwards, so that the last row is in it. */
function iso(text: string): string {
  const second = Math.ceil(Date.parse(`${text.replace(' ', 'T')}Z`) / 1000) * 1000;
  return `${new Date(second).toISOString().slice(0, 19)}Z`;
}

const hoursBetween = (from: string, to: string): number =>
  (Date.parse(`${to.replace(' ', 'T')}Z`) - Date.parse(`${from.replace(' ', 'T')}Z`)) / 3_600_000;
