// `SELECT … FROM (… ORDER BY x) LIMIT n` takes the first n in the subquery's order, as users of saved queries expect, and lets
// ClickHouse read in the order of its key and stop: the limit and the order end up in one SELECT. It is there for the order: where ClickHouse moves the
// limit by itself, the time is the same.
import type { Rel, ResolvedQuery } from '../../logical/resolved.ts';
import { rewriteRel } from '../../logical/rewrite.ts';

export function keepOrderUnderLimit(query: ResolvedQuery): ResolvedQuery {
  return { ...query, rel: rewriteRel(query.rel, pull), ctes: query.ctes.map((c) => ({ ...c, rel: rewriteRel(c.rel, pull) })) };
}

function pull(rel: Rel): Rel {
  if (rel.kind !== 'order_limit' || rel.orderBy.length > 0 || rel.limit === null) return rel;
  const lifted = lift(rel.input);
  return lifted === undefined ? rel : { ...lifted.order, input: lifted.input, limit: rel.limit, offset: rel.offset };
}

/** The order below projections and filters, and the relation without it. */
function lift(rel: Rel): { order: Extract<Rel, { kind: 'order_limit' }>; input: Rel } | undefined {
  if (rel.kind === 'order_limit') return rel.limit === null ? { order: rel, input: rel.input } : undefined;
  if (rel.kind !== 'project' && rel.kind !== 'filter') return undefined;
  const inner = lift(rel.input);
  return inner === undefined ? undefined : { order: inner.order, input: { ...rel, input: inner.input } };
}
