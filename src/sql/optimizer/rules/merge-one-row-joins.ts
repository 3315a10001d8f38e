// A join with a single row of constants (`from t, (select … as cutoff)`) is no join: its columns are written where they are read. ClickHouse
// can then use them for its primary key and partitions, which a value from the other side of a join never reaches.
import type { Join, Project, Rel } from '../../logical/nodes.ts';
import { constantRow } from '../column-origin.ts';
import type { Rule } from '../rule.ts';

export const mergeOneRowJoins: Rule = { name: 'merge-one-row-joins', changes: () => ({ relations: { join: merged } }) };

function merged(join: Join): Rel {
  if (join.type !== 'CROSS' && join.type !== 'INNER') return join;
  const right = constantRow(join.right);
  if (right !== undefined) return joined(join, join.left, right);
  const left = constantRow(join.left);
  return left === undefined ? join : joined(join, join.right, left);
}

function joined({ on }: Join, other: Rel, projections: readonly Project[]): Rel {
  const added = projections.reduce<Rel>((input, p) => ({ ...p, input }), other);
  return on === null ? added : { kind: 'filter', input: added, condition: on };
}
