// Whether all of a result fits into a few bytes, whatever the data and arguments are.
import { SHORT_KINDS } from '../base/types.ts';
import type { LogicalPlan, Rel } from './nodes.ts';

/** Returns true of one row of short values. */
export function isSmallResult({ rel, outputs }: LogicalPlan): boolean {
  return outputs.every(({ column }) => SHORT_KINDS.has(column.type.kind)) && hasOneRow(rel);
}

/** Returns true where there cannot be a second row: without FROM, of an aggregate without keys, and below LIMIT 1. */
function hasOneRow(rel: Rel): boolean {
  switch (rel.kind) {
    case 'one_row':
      return true;
    case 'aggregate':
      return rel.keys.length === 0 && rel.groupingSets === null;
    case 'order_limit':
      return (rel.limit?.kind === 'literal' && (rel.limit.value === 0n || rel.limit.value === 1n)) || hasOneRow(rel.input);
    case 'project':
    case 'filter':
    case 'window':
    case 'distinct':
      return hasOneRow(rel.input);
    default:
      return false;
  }
}
