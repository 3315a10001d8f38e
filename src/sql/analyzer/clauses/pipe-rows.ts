// The rows between two pipe operators, with the meanings of names there, and the order that ORDER BY gave the rows.
import type { OrderItem, Rel } from '../../logical/nodes.ts';
import type { AnalyzedFrom } from '../analyzed.ts';
import { type Context, scopeOf, within } from '../context.ts';

export interface PipeRows extends AnalyzedFrom {
  /** The order that rows leave the query in, unless a later operator makes new rows. */
  readonly order: readonly OrderItem[];
  /** True if `rel` returns its rows in that order already. */
  readonly sorted: boolean;
}

/** Returns a place in which the columns of `rows` are visible; `operator` names it where aggregates or windows are refused. */
export function inPipe(rows: AnalyzedFrom, context: Context, operator: string): Context {
  return { ...within(context, scopeOf(rows, context)), noAggregates: `the pipe operator ${operator}`, noWindows: null, windows: new Map() };
}

/** Returns the relation in its order. */
export function sortedRel({ rel, order, sorted }: PipeRows): Rel {
  return sorted || order.length === 0 ? rel : { kind: 'order_limit', input: rel, orderBy: order, limit: null, offset: null };
}

/** Returns rows in no order. */
export const newRows = (from: AnalyzedFrom): PipeRows => ({ ...from, order: [], sorted: true });
