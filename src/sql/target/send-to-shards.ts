// What ClickHouse computes once for all shards. By itself it lets each shard read a subquery again, of tables that the shard may not have.
import type { From, SqlExpression, Statement } from './ast.ts';
import { eachNode } from './helpers.ts';
import { rebuilt } from './rewrite.ts';

type Node = SqlExpression | From;

/** Returns the statement with GLOBAL before IN of subqueries and before joins, if it reads tables of several servers. Elsewhere it would mean nothing. */
export function sendToShards(statement: Statement): Statement {
  let reads = false;
  eachNode(statement, (node) => {
    const part = node as Node;
    reads ||= part.kind === 'table' && part.sharded === true;
  });
  if (!reads) return statement;
  return rebuilt(statement, (node) => {
    const part = node as Node; // one of another kind has none of these
    if (part.kind === 'in' && 'kind' in part.items) return { ...part, global: true };
    return part.kind === 'join' && (part.type === 'INNER' || part.type === 'LEFT') ? { ...part, global: true } : node;
  });
}
