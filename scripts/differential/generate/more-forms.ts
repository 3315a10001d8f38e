// PIVOT, UNPIVOT and recursive WITH tables: forms of their own, over a table of the batch.
import type { Random } from '../../../src/cli/demo/random.ts';
import { type Node, optional } from '../tree.ts';

/** A whole query of such a form. */
export function otherForm(random: Random): Node {
  const table = random.pick(['t1', 't2', 't3']);
  const some = (from: readonly string[]): string => random.pick(from);
  const where = optional(' WHERE ', some(['id > 1', 'b', 'w IS NOT NULL', 'k IN (1, 2)']));
  const source: Node = { parts: [`(SELECT w, c, i, k FROM ${table}`, where, ')'] };
  const number = some(['i', 'k']);
  const key = number === 'i' ? 'k' : 'i';
  switch (random.below(5)) {
    case 0: {
      const aggregates = some([
        `SUM(${number})`,
        'COUNT(*)',
        `MAX(${number}) AS m, COUNT(${number}) AS n`,
        `COUNT(DISTINCT ${number})`,
        `AVG(${number})`,
        `ANY_VALUE(1)`,
      ]);
      return {
        parts: [
          'SELECT * FROM ',
          source,
          ` PIVOT(${aggregates} FOR w IN (${some(["'a', 'b'", "'a' AS x, 'c' AS y", "'', 'zz'", "'a', NULL"])}))`,
        ],
      };
    }
    case 1:
      return {
        parts: ['SELECT * FROM ', source, ` PIVOT(SUM(${number}) AS s FOR ${key} IN (1, 2, -1 AS less, ${some(['0', 'NULL AS none'])}))`],
      };
    case 2:
      return {
        parts: [
          `SELECT * FROM (SELECT id, i, j, k FROM ${table}`,
          where,
          `) UNPIVOT${some(['', ' INCLUDE NULLS', ' EXCLUDE NULLS'])}(v FOR name IN (i, j${some(['', ', k'])}))`,
        ],
      };
    case 3:
      return {
        parts: [
          `SELECT * FROM (SELECT id, s, u, i, j FROM ${table}`,
          where,
          `) UNPIVOT${some(['', ' INCLUDE NULLS'])}((v, n) FOR name IN ((s, i) AS ${some(["'one'", "'x'"])}, (u, j) AS 'two'))`,
        ],
      };
    default: {
      const op = some(['UNION ALL', 'UNION ALL', 'UNION DISTINCT']);
      const next = some(['n + 1', 'n + 1', 'n + 2']);
      return {
        parts: [
          `WITH RECURSIVE r AS (SELECT ${some(['1', 'id', 'k'])} AS n, 0 AS depth FROM ${table}`,
          where,
          ` ${op} SELECT ${next}, depth + 1 FROM r WHERE depth < ${1 + random.below(3)}${some(['', ` AND n IN (SELECT id FROM ${table})`])}) SELECT n, depth, COUNT(*) AS times FROM r GROUP BY n, depth`,
        ],
      };
    }
  }
}
