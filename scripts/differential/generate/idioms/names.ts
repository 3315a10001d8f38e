// Names that mean something else at each place: aliases that are columns, columns of inner and outer tables, tables and elements that are named alike.
import { INT64, STRING } from '../../../../src/sql/base/types.ts';
import { atom } from '../../tree.ts';
import { type Idiom, type Maker, ordered, sql } from './maker.ts';

/** Columns of every table, by their bare names, that are numbers. */
const number = (m: Maker): string => m.some('id', 'i', 'j', 'k');
const BARE = [atom(INT64, 'id'), atom(INT64, 'i'), atom(INT64, 'k'), atom(STRING, 'v'), atom(STRING, 's'), atom(STRING, 'w')];
/** What is computed of bare names. */
const bare = (m: Maker) => m.value(m.some(INT64, STRING), BARE);

export const NAME_IDIOMS: Readonly<Record<string, Idiom>> = {
  aliasesOfColumns(m) {
    const [x, y] = [number(m), number(m)];
    return m.some(
      () =>
        sql`SELECT ${x} + 1 AS ${y}, COUNT(*) AS n FROM t1 GROUP BY ${m.some('1', `${x}`, `${x} + 1`)}${m.some('', ` HAVING COUNT(*) > 0`)}`,
      () => sql`SELECT k * 2 AS k FROM t1 WHERE k > 1`,
      () => sql`SELECT -k AS k, id FROM t1 QUALIFY ROW_NUMBER() OVER (PARTITION BY k ORDER BY id) = 1`,
      () => sql`SELECT MAX(k) AS k, c FROM t1 GROUP BY c HAVING ${m.some('MAX(k) > 1', 'k > 1', 'COUNT(*) > 1 AND k IS NOT NULL')}`,
      () => sql`SELECT IFNULL(i, 0) AS i, COUNT(*) AS n FROM t1 GROUP BY i`,
      () => sql`SELECT IFNULL(i, 0) AS z, COUNT(*) AS n FROM t1 GROUP BY z`,
      () => sql`SELECT id AS k, k AS id FROM t1 WHERE k > 1 AND id > 1`,
      () => sql`SELECT SUM(i) AS k, SUM(k) AS i FROM t1`,
      () =>
        sql`SELECT ${bare(m)} AS v, ${bare(m)} AS k FROM t1 WHERE ${m.some('k = 2', "v != 'a'", 'k IS NOT NULL', 'i IS NULL OR k > 0')}`,
      () => sql`SELECT v, COUNT(*) AS v_2, MAX(k) AS k FROM (SELECT ${bare(m)} AS v, k FROM t1) GROUP BY v`,
    )();
  },
  sortedByNames(m) {
    return ordered(
      m.some(
        () => sql`SELECT -id AS id, id AS n FROM t1 ORDER BY id${m.some('', ' DESC')}`,
        () => sql`SELECT id AS n, -id AS k FROM t1 ORDER BY ${m.some('k', 'k DESC', 'id', '-k', '1', '2 DESC')}, n`,
        () => sql`SELECT a.id, -a.k AS k FROM t1 AS a ORDER BY ${m.some('k', 'a.k', 'a.k + k', 'a.k DESC')}, a.id LIMIT 4`,
        () => sql`SELECT k, COUNT(*) AS n FROM t1 GROUP BY k ORDER BY ${m.some('n DESC', 'COUNT(*)', 'MAX(id)', 'n + MAX(id) DESC')}, k`,
        () => sql`SELECT k AS id, MAX(id) AS k FROM t1 GROUP BY ${m.some('1', 't1.k')} ORDER BY ${m.some('id', 'k', 'MAX(t1.id)')}, 1`,
        () => sql`SELECT id FROM t1 UNION ALL SELECT -k AS id FROM t2 ORDER BY id`,
        () => sql`SELECT * FROM (SELECT id, k FROM t1 ORDER BY k DESC, id LIMIT 3) ORDER BY id`,
        () => sql`SELECT DISTINCT k + 1 AS k FROM t1 ORDER BY k${m.some('', ' DESC')}`,
        () => sql`SELECT id, (SELECT MAX(k) FROM t2 WHERE t2.id <= t1.id) AS k FROM t1 ORDER BY k, ${m.some('t1.k', 'id')}, id`,
      )(),
    );
  },
  innerAndOuter(m) {
    const [x, y] = [number(m), number(m)];
    return m.some(
      () => sql`SELECT id, (SELECT MAX(${x}) FROM t2 WHERE ${y} <= t1.${y}) AS n FROM t1`,
      () => sql`SELECT id FROM t1 WHERE EXISTS(SELECT 1 FROM t2 WHERE t2.id = t1.k AND ${x} = ${y})`,
      () => sql`SELECT id FROM t1 WHERE ${x} IN (SELECT ${y} FROM t2 WHERE k > 0)`,
      () => sql`SELECT id, (SELECT COUNT(*) FROM t2 AS t1 WHERE t1.k > 1) AS n FROM t1`,
      () => sql`SELECT id, (SELECT COUNT(*) FROM t2 AS b WHERE EXISTS(SELECT 1 FROM t3 AS b WHERE b.k = t1.k)) AS n FROM t1`,
      () => sql`SELECT a.id, (SELECT a.k FROM t2 AS a WHERE a.id = 1) AS n FROM t1 AS a`,
      () => sql`SELECT id, ARRAY(SELECT k FROM UNNEST(ai) AS k WHERE k IS NOT NULL ORDER BY k) AS l, k FROM t1`,
      () => sql`SELECT id, (SELECT SUM(id) FROM UNNEST(ai) AS id) AS n FROM t1`,
      () => sql`SELECT id, (SELECT MAX(x.k) FROM (SELECT k + 1 AS k, id AS o FROM t2) AS x WHERE o = t1.id) AS n FROM t1`,
      () => sql`SELECT k, (SELECT COUNT(*) FROM t2 WHERE t2.k = t1.k) AS n FROM t1 GROUP BY k`,
    )();
  },
  tablesOfOneName(m) {
    return m.some(
      () => sql`WITH t1 AS (SELECT id, k FROM t2) SELECT t1.id, t1.k FROM t1`,
      () => sql`WITH t1 AS (SELECT id + 10 AS id, k FROM t1) SELECT id FROM t1 WHERE k IN (SELECT k FROM t1)`,
      () => sql`WITH w AS (SELECT id, k FROM t1) SELECT w.id, (WITH w AS (SELECT MAX(k) AS k FROM t2) SELECT k FROM w) AS n FROM w`,
      () =>
        sql`WITH w AS (SELECT id, k FROM t1), x AS (WITH w AS (SELECT id FROM t2) SELECT id FROM w) SELECT x.id, w.k FROM x JOIN w ON x.id = w.id`,
      () => sql`SELECT k.id, k.k FROM t1 AS k`,
      () => sql`SELECT id.k, id.id FROM t1 AS id ${m.some('JOIN', 'LEFT JOIN')} t2 AS k ON id.id = k.id`,
      () => sql`SELECT t1.id, t2.id AS id2, t3.id AS id3 FROM t1 JOIN t2 ON t1.k = t2.k LEFT JOIN t3 ON t3.id = t2.id AND t1.c`,
      () => sql`SELECT t1.id FROM t1, (SELECT id AS o FROM t1 WHERE k > 1) AS t2 WHERE t1.id = t2.o`,
      () => sql`SELECT x.id, y.id AS m FROM t1 AS x, t1 AS y WHERE x.k = y.k AND x.id ${m.some('<', '!=')} y.id`,
      () =>
        sql`WITH a AS (SELECT id, ${bare(m)} AS v FROM t1), b AS (SELECT id, v FROM a WHERE id > 1), c AS (SELECT a.v FROM a LEFT JOIN b USING (id)) SELECT v, COUNT(*) AS n FROM c GROUP BY v`,
    )();
  },
  elementsOfOneName(m) {
    return m.some(
      () => sql`SELECT id, ai FROM t1, UNNEST(ai) AS ai`,
      () => sql`SELECT id, x FROM t1, UNNEST(ai) AS x WHERE x = k`,
      () => sql`SELECT id, offset FROM t1, UNNEST(sa) WITH OFFSET WHERE offset < k`,
      () => sql`SELECT a.id, ai FROM t1 AS a, a.ai`,
      () => sql`SELECT a.id, o FROM t1 AS a LEFT JOIN a.ai WITH OFFSET AS o`,
      () => sql`SELECT id, (SELECT MAX(ai) FROM UNNEST(ai) AS ai) AS n, ARRAY_LENGTH(ai) AS l FROM t1`,
      () => sql`SELECT v, v_2 FROM (SELECT id, ARRAY(SELECT AS STRUCT x AS v, x AS v_2 FROM UNNEST(ai) AS x) AS l FROM t1), UNNEST(l)`,
      () =>
        sql`SELECT id, l.v FROM (SELECT id, [STRUCT(k AS v, s), STRUCT(id, v)] AS l FROM t1), UNNEST(l) AS l WHERE l.v ${m.some('> 1', 'IS NOT NULL')}`,
      () => sql`SELECT e.id, key, value.int_value FROM ev AS e, UNNEST(params) WHERE key ${m.some("= 'page'", "!= 'count'")}`,
      () => sql`SELECT id, name FROM ev, UNNEST(items) WHERE quantity > ${m.some('1', 'id')}`,
    )();
  },
};
