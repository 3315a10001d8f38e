// What ClickHouse sends to the shards of a cluster along with a SELECT.
import type { From, Lit, SqlExpression, Statement } from './ast.ts';
import { call } from './build.ts';
import { eachNode } from './helpers.ts';
import { rebuilt } from './rewrite.ts';

type Node = SqlExpression | From;

/** True if ClickHouse sends a SELECT from these tables to shards. */
export function comesFromShards(from: From): boolean {
  if (from.kind === 'join') return comesFromShards(from.left);
  if (from.kind === 'array_join') return comesFromShards(from.input);
  return from.kind === 'table' && from.sharded === true;
}

/**
 * Returns the statement, which reads tables of several servers, in the form that their shards understand. Joins and IN of subqueries get GLOBAL: by
 * itself ClickHouse lets each shard read a subquery again, of tables that the shard may not have.
 */
export function sendToShards(statement: Statement): Statement {
  let joins = false;
  eachNode(statement, (node) => {
    joins ||= 'kind' in node && node.kind === 'join';
  });
  return rebuilt(statement, (node) => {
    const part = node as Node; // one of another kind has none of these
    switch (part.kind) {
      case 'in':
        return 'kind' in part.items ? { ...part, global: true } : part;
      case 'table':
        // ClickHouse does not find the columns of the key of cluster(…) where tables are joined.
        return joins && part.shardingKey !== undefined ? { ...part, shardingKey: undefined } : part;
      case 'join':
        if (part.colocated === true) return { ...part, right: ofOneShard(part.right) };
        return part.type === 'INNER' || part.type === 'LEFT' || part.type === 'LEFT SEMI' ? { ...part, global: true } : part;
      case 'lit':
        return isUInt64(part) ? call('toInt64', part) : part;
      default:
        return node;
    }
  });
}

/** Returns what each shard joins with its rows: ClickHouse puts the shard's own table for a Distributed one, but not for that of `cluster(…)`. */
const ofOneShard = (from: From): From =>
  rebuilt(from, (node) => {
    const part = node as Node; // one of another kind is no table
    return part.kind === 'table' && part.cluster !== undefined ? { ...part, cluster: undefined } : node;
  });

/** True of a number that ClickHouse takes for an UInt64. Only of one in the text it finds that it is an Int64 too, and shards are sent the value and its type. */
const isUInt64 = ({ value }: Lit): boolean =>
  (typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))) && value >= 2 ** 32 && value < 2 ** 63;
