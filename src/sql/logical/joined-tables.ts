// Counts the tables that one FROM joins. ClickHouse's analysis of a join looks through all the others again, and ignores limits of time: it takes half a
// second for 100 tables, and 20 seconds for 480.
import type { LogicalPlan, Rel } from './nodes.ts';
import { relationsOf } from './walk.ts';

/** Returns the most tables, subqueries among them, that are joined with each other. */
export function mostJoined(query: LogicalPlan): number {
  const counted = new Set<Rel>();
  let most = 0;
  relationsOf(query).forEach((rel) => {
    if (rel.kind === 'join' && !counted.has(rel)) most = Math.max(most, joined(rel, counted));
  });
  return most;
}

/** Counts the tables of one chain, without recursion; projections and filters may stand between its joins. */
function joined(root: Rel, counted: Set<Rel>): number {
  let tables = 0;
  const waiting: Rel[] = [root];
  for (let rel = waiting.pop(); rel !== undefined; rel = waiting.pop()) {
    if (rel.kind === 'project' || rel.kind === 'filter') waiting.push(rel.input);
    else if (rel.kind === 'join') {
      counted.add(rel);
      waiting.push(rel.left, rel.right);
    } else tables++;
  }
  return tables;
}
