// A join with a single row of constants (`from t, (select … as cutoff)`) is no join: its columns are written where they are read. ClickHouse
// can then use them for its primary key and partitions, which a value from the other side of a join never reaches.
import type { Join, Project, Rel, ResolvedQuery } from '../../logical/resolved.ts';
import { columnsRead, contains, rewriteRel } from '../../logical/rewrite.ts';

export function mergeOneRowJoins(query: ResolvedQuery): ResolvedQuery {
  return { ...query, rel: rewriteRel(query.rel, merge), ctes: query.ctes.map((c) => ({ ...c, rel: rewriteRel(c.rel, merge) })) };
}

function merge(rel: Rel): Rel {
  if (rel.kind !== 'join' || (rel.type !== 'CROSS' && rel.type !== 'INNER')) return rel;
  const right = constantRow(rel.right);
  if (right !== undefined) return joined(rel, rel.left, right);
  const left = constantRow(rel.left);
  return left === undefined ? rel : joined(rel, rel.right, left);
}

function joined(join: Join, other: Rel, projections: readonly Project[]): Rel {
  const added = projections.reduce<Rel>((input, p) => ({ ...p, input }), other);
  return join.on === null ? added : { kind: 'filter', input: added, condition: join.on };
}

/** The projections over one row without columns, innermost first; undefined for any other relation. */
export function constantRow(rel: Rel): readonly Project[] | undefined {
  if (rel.kind === 'one_row') return [];
  if (rel.kind !== 'project') return undefined;
  const inner = constantRow(rel.input);
  if (inner === undefined) return undefined;
  const made = new Set(inner.flatMap((p) => p.items.map((i) => i.column.id)));
  const plain = rel.items.every(
    (i) => [...columnsRead(i.value)].every((id) => made.has(id)) && !contains(i.value, (e) => e.kind === 'subquery'),
  );
  return plain ? [...inner, rel] : undefined;
}
