// `SELECT … FROM (… ORDER BY x) LIMIT n` takes the first n in the subquery's order, as users of saved queries expect, and lets
// ClickHouse read in the order of its key and stop: the limit and the order end up in one SELECT. It is there for the order: where ClickHouse moves the
// limit by itself, the time is the same.
import type { OrderLimit, Rel } from '../../logical/nodes.ts';
import type { Rule } from '../rule.ts';

export const keepOrderUnderLimit: Rule = {
  name: 'keep-order-under-limit',
  changes: () => ({
    relations: {
      order_limit(rel) {
        const lifted = rel.orderBy.length > 0 || rel.limit === null ? undefined : lift(rel.input);
        return lifted === undefined ? rel : { ...lifted.order, input: lifted.input, limit: rel.limit, offset: rel.offset };
      },
    },
  }),
};

/** Returns the order below projections and filters, and the relation without it. */
function lift(rel: Rel): { order: OrderLimit; input: Rel } | undefined {
  if (rel.kind === 'order_limit') return rel.limit === null ? { order: rel, input: rel.input } : undefined;
  if (rel.kind !== 'project' && rel.kind !== 'filter') return undefined;
  const inner = lift(rel.input);
  return inner === undefined ? undefined : { order: inner.order, input: { ...rel, input: inner.input } };
}
