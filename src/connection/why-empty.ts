// Asks the engine why a query over log sources of the store has no rows, once there are none and somebody watches.

import { nearest } from '../base/errors.ts';
import { quoteIdentifier, quoteString } from '../clickhouse/quote.ts';
import type { Engine } from '../engine/engine.ts';
import type { AskedRows, Emptiness } from '../execution/asked-rows.ts';

const MOST_NAMED = 5;

/** Undefined where nothing stands out. The sources are tables of the database, sorted by project and time. */
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
  const held = sources.join(', ');
  if (Number(count) === 0) {
    if (project === undefined) return undefined;
    const named = await engine.rows(
      `SELECT project FROM (${united('project', '')}) GROUP BY project ORDER BY count() DESC, project LIMIT 1000`,
    );
    const projects = named.map(([name]) => String(name)).filter((name) => name !== '');
    const near = nearest(project, projects);
    const others = projects.slice(0, MOST_NAMED).join(', ') + (projects.length > MOST_NAMED ? ' …' : '');
    const known = others === '' ? '' : `; there are rows for ${others}`;
    const hint = near === undefined ? known : `: did you mean ${near}?`;
    return { reason: `${held} ${sources.length === 1 ? 'has' : 'have'} no rows for the project ${JSON.stringify(project)}${hint}` };
  }
  if (instant === undefined || typeof first !== 'string' || typeof last !== 'string') return undefined;
  const whose = `the rows of ${held}${project === undefined ? '' : ` for the project ${project}`}`;
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
