// Log events as people ask for them: unnested records with filters, buckets of time, shares of errors, the newest of each.
import { INT64, STRING, TIMESTAMP } from '../../../../src/sql/base/types.ts';
import { atom, type Expression, type Node } from '../../tree.ts';
import type { Relation } from '../names.ts';
import { type Idiom, type Maker, sql } from './maker.ts';

const TIME = atom(TIMESTAMP, 'e.timestamp');

/** A condition on fields of the records. */
const test = (m: Maker, { columns }: Relation): Node => {
  const texts = columns.filter(({ type }) => type.kind === 'STRING');
  const numbers = columns.filter(({ type }) => type.kind === 'INT64' || type.kind === 'FLOAT64');
  const [text, number] = [m.random.pick(texts), numbers.length === 0 ? atom(INT64, 'LENGTH(e.id)') : m.random.pick(numbers)];
  return m.some(
    () => sql`${text} ${m.some('=', '!=')} ${m.some("'GET'", "'alpha'", "'/'", "'a'", "''", "'eu'")}`,
    () => sql`${text} ${m.some('LIKE', 'NOT LIKE')} ${m.some("'/%'", "'%v1%'", "'G%'", "'%'", "'_'")}`,
    () => sql`${m.some('', 'NOT ')}REGEXP_CONTAINS(${text}, ${m.some("'rest'", "'^/'", "'GET|x'", "'[a-c]'")})`,
    () => sql`${text} ${m.some('IN', 'NOT IN')} ('GET', 'a', 'eu')`,
    () => sql`${number} ${m.some('>=', '<', '=', '!=')} ${m.some('400', '200', '1', '2')}`,
    () => sql`${number} BETWEEN 200 AND 404`,
    () => sql`${m.random.pick(columns)} IS ${m.some('NULL', 'NOT NULL')}`,
    () => sql`(${text} = 'GET' OR ${number} >= 400)`,
    () => sql`STARTS_WITH(${text}, ${m.some("'/'", "'a'")})`,
    () => sql`e.timestamp ${m.some('>', '<=')} TIMESTAMP '2026-03-11'`,
    () => sql`IFNULL(${text}, '') ${m.some('=', '!=')} ''`,
    () => sql`COALESCE(${number}, 0) ${m.some('<', '>=')} 300`,
    () => sql`SAFE_CAST(${text} AS INT64) ${m.some('> 0', 'IS NULL', '= 1')}`,
    () => sql`CASE WHEN ${number} >= 400 THEN ${text} = 'GET' ELSE TRUE END`,
  )();
};

const where = (m: Maker, of: Relation): Node =>
  m.some(
    () => sql``,
    () => sql` WHERE ${test(m, of)}`,
    () => sql` WHERE ${test(m, of)} AND ${test(m, of)}`,
    () => sql` WHERE ${test(m, of)} ${m.some('OR', 'AND NOT')} ${test(m, of)}`,
  )();

/** What rows are grouped by. */
const key = (m: Maker, of: Relation): Expression =>
  m.random.pick([
    ...of.columns.filter(({ type }) => type.kind !== 'FLOAT64'),
    atom(TIMESTAMP, `TIMESTAMP_TRUNC(e.timestamp, ${m.some('DAY', 'HOUR')})`),
  ]);

export const LOG_IDIOMS: Readonly<Record<string, Idiom>> = {
  logsCounted(m) {
    const of = m.logs();
    const [k, c] = [key(m, of), m.random.pick(of.columns)];
    return m.some(
      () =>
        sql`SELECT ${k} AS y, COUNT(*) AS n, COUNT(${c}) AS c, COUNTIF(${test(m, of)}) AS bad FROM ${of.node}${where(m, of)} GROUP BY y`,
      () =>
        sql`SELECT ${k} AS y, COUNT(DISTINCT ${c}) AS c, MIN(${c}) AS lo, MAX(${TIME}) AS last FROM ${of.node}${where(m, of)} GROUP BY 1`,
      () => sql`SELECT COUNT(*) AS n, COUNT(DISTINCT e.id) AS ids, SUM(IF(${test(m, of)}, 1, 0)) AS s FROM ${of.node}${where(m, of)}`,
      () =>
        sql`SELECT TIMESTAMP_TRUNC(e.timestamp, HOUR) AS t, COUNT(*) AS n, SAFE_DIVIDE(COUNTIF(${test(m, of)}), COUNT(*)) AS share FROM ${of.node}${where(m, of)} GROUP BY t ORDER BY t${m.some('', ' DESC')} LIMIT 4`,
      () =>
        sql`SELECT ${k} AS y, ${key(m, of)} AS z, COUNT(*) AS n FROM ${of.node}${where(m, of)} GROUP BY y, z HAVING n ${m.some('> 1', '>= 1')}`,
      () =>
        sql`SELECT DATE(e.timestamp) AS d, APPROX_COUNT_DISTINCT(e.id) - COUNT(DISTINCT e.id) AS zero, AVG(${m.value(INT64, of.columns, 0)}) AS mean FROM ${of.node}${where(m, of)} GROUP BY d`,
    )();
  },
  logsListed(m) {
    const of = m.logs();
    const c = m.random.pick(of.columns);
    return m.some(
      () => sql`SELECT e.id, ${c} AS y, ${m.value(STRING, of.columns)} AS z FROM ${of.node}${where(m, of)}`,
      () => sql`SELECT DISTINCT ${c} AS y, ${m.random.pick(of.columns)} AS z FROM ${of.node}${where(m, of)}`,
      () =>
        sql`SELECT e.id, ${c} AS y, ROW_NUMBER() OVER (PARTITION BY e.project ORDER BY e.timestamp DESC, e.id) AS r FROM ${of.node} WHERE ${test(m, of)} QUALIFY r <= 2`,
      () =>
        sql`SELECT id, y FROM (SELECT e.id, ${c} AS y, e.timestamp AS t FROM ${of.node}${where(m, of)}) WHERE ${m.some('y IS NULL', 'y IS NOT NULL', "t > '2026-03-11'", "id != 'e1'")}`,
      () =>
        sql`WITH w AS (SELECT e.id, e.project, ${c} AS y FROM ${of.node}${where(m, of)}) SELECT p.id, q.id AS o FROM w AS p ${m.some('JOIN', 'LEFT JOIN')} w AS q ON p.y = q.y AND p.id < q.id`,
      () =>
        sql`SELECT t.id, ${c} AS y FROM ${of.node} JOIN t1 AS t ON ${m.some("CONCAT('e', CAST(t.id AS STRING)) = e.id", 't.id = LENGTH(e.id) - 1', 't.v = e.id')}${where(m, of)}`,
      () =>
        sql`SELECT e.id, ${c} AS y FROM ${of.node} WHERE e.id IN (SELECT CONCAT('e', CAST(t.${m.some('id', 'k')} AS STRING)) FROM t1 AS t) AND ${test(m, of)}`,
      () =>
        sql`SELECT t.id, (SELECT COUNT(*) FROM ${of.node} WHERE ${test(m, of)} AND e.id = CONCAT('e', CAST(t.id AS STRING))) AS n FROM t1 AS t`,
      () =>
        sql`SELECT t.id FROM t1 AS t WHERE ${m.some('', 'NOT ')}EXISTS(SELECT 1 FROM ${of.node} WHERE ${test(m, of)} AND e.id = CONCAT('e', CAST(t.k AS STRING)))`,
      () =>
        sql`SELECT e.project, ARRAY_AGG(STRUCT(e.id, ${c} AS y) ORDER BY e.id, TO_JSON_STRING(${c}) LIMIT 3) AS l FROM ${of.node}${where(m, of)} GROUP BY e.project`,
    )();
  },
  /** Without an unnested record around: what subqueries read of each event. */
  logsInside(m) {
    const field = m.some('method', 'path', 'host');
    const request = sql`(SELECT r.${field} FROM UNNEST(e.metadata) AS x, UNNEST(x.request) AS r${m.some('', ' LIMIT 1')})`;
    return m.some(
      () => sql`SELECT e.id, ${request} AS y FROM edge_logs AS e`,
      () => sql`SELECT ${request} AS y, COUNT(*) AS n FROM edge_logs AS e GROUP BY y`,
      () => sql`SELECT e.id FROM edge_logs AS e WHERE ${request} ${m.some("= 'GET'", 'IS NULL', "LIKE '/%'", "!= 'x'")}`,
      () =>
        sql`SELECT e.id, EXISTS(SELECT 1 FROM UNNEST(e.metadata) AS x, UNNEST(x.response) AS r WHERE r.status_code ${m.some('>= 400', 'IS NULL', '= 200')}) AS y FROM edge_logs AS e`,
      () =>
        sql`SELECT e.id, (SELECT COUNT(*) FROM UNNEST(e.metadata) AS x, UNNEST(x.request) AS r, UNNEST(r.headers) AS h WHERE h.x_custom ${m.some("= 'a'", 'IS NOT NULL')}) AS n FROM edge_logs AS e`,
      () => sql`SELECT e.id, ARRAY_LENGTH(e.metadata) AS n, (SELECT x.region FROM UNNEST(e.metadata) AS x) AS y FROM edge_logs AS e`,
      () =>
        sql`SELECT e.id, ARRAY(SELECT r.${field} FROM UNNEST(e.metadata) AS x, UNNEST(x.request) AS r WHERE r.${field} IS NOT NULL) AS y FROM edge_logs AS e`,
      () =>
        sql`SELECT m.region, r.${field} AS y, s.status_code FROM edge_logs AS e CROSS JOIN UNNEST(metadata) AS m LEFT JOIN UNNEST(m.request) AS r LEFT JOIN UNNEST(m.response) AS s${m.some('', ' ON s.status_code >= 400', ' WHERE s.status_code IS NULL OR s.status_code < 500', " WHERE r.method = 'GET' OR s.status_code = 404")}`,
      () =>
        sql`SELECT m.region, COUNT(r.${field}) AS n, COUNT(s.status_code) AS c FROM edge_logs AS e, UNNEST(metadata) AS m LEFT JOIN UNNEST(m.request) AS r ON r.${field} ${m.some("!= 'x'", 'IS NOT NULL')} LEFT JOIN UNNEST(m.response) AS s ON TRUE GROUP BY m.region`,
    )();
  },
};
