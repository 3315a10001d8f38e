// Joins whose rows meet on a shard: tables that are spread over the shards of one cluster by the same function of their keys, and joined by these keys.
import { quoteIdentifier } from '../../clickhouse/quote.ts';
import { splitConjunction } from '../logical/build.ts';
import type { Expr, Join, Rel, SourceScan } from '../logical/nodes.ts';
import { childrenOf, hasSubquery, visitRels } from '../logical/walk.ts';

/** How the rows of a relation came to their shards: by a function of columns, each of which may be shown under several ids. */
interface Spread {
  readonly cluster: string;
  readonly by: string;
  readonly columns: readonly { readonly ids: ReadonlySet<number>; readonly type: string }[];
}

/**
 * Returns the join as one that each shard makes of its own rows, if each row of the left side is on the shard where the rows of the right side are that it may
 * be joined with. Rows without any are then found on one shard alone, so that holds for outer joins as well. The right side is a table with filters. So is the
 * left side of a right join, which becomes a left one; that of a full join has none, as they would have to stand in a subquery.
 */
export function joinedOnShards(join: Join): Join | undefined {
  const turned: Join = { ...join, type: 'LEFT', left: join.right, right: join.left };
  if (join.type === 'RIGHT' && isColocated(turned)) return { ...turned, colocated: true };
  const keepsRight = join.type === 'RIGHT' || join.type === 'FULL';
  return (!keepsRight || isBare(join.left)) && isColocated(join) ? { ...join, colocated: true } : undefined;
}

const isBare = (rel: Rel): boolean => rel.kind === 'source_scan' || (rel.kind === 'join' && isBare(rel.left));

function isColocated({ type, left, right, on }: Join): boolean {
  if (type === 'CROSS' || on === null || hasSubqueries(right)) return false;
  const [ofLeft, ofRight] = [spreadOf(left, true), spreadOf(right, false)];
  if (ofLeft === undefined || ofRight === undefined) return false;
  const isSame = ofLeft.cluster === ofRight.cluster && ofLeft.by === ofRight.by && ofLeft.columns.length === ofRight.columns.length;
  const equal = splitConjunction(on).map(pairOf);
  return (
    isSame &&
    ofLeft.columns.every(
      (key, i) => key.type === ofRight.columns[i]?.type && equal.some((pair) => joins(pair, key.ids, ofRight.columns[i]?.ids)),
    )
  );
}

/** Subqueries on the right would be read by each shard for itself. */
function hasSubqueries(rel: Rel): boolean {
  let found = false;
  visitRels({ rel }, (one) => {
    found ||= childrenOf(one).some(hasSubquery);
  });
  return found;
}

type Pair = readonly (number | undefined)[];

const pairOf = (test: Expr): Pair =>
  test.kind === 'call' && test.fn.name === '$equal' ? test.args.map((arg) => (arg?.kind === 'column' ? arg.column.id : undefined)) : [];

const joins = (pair: Pair, left: ReadonlySet<number>, right: ReadonlySet<number> | undefined): boolean =>
  pair.some((id) => id !== undefined && left.has(id)) && pair.some((id) => id !== undefined && right?.has(id) === true);

function spreadOf(rel: Rel, joined: boolean): Spread | undefined {
  switch (rel.kind) {
    case 'source_scan':
      return spreadOfTable(rel);
    case 'filter':
      return spreadOf(rel.input, joined);
    case 'project':
      return withNames(spreadOf(rel.input, joined), rel.items);
    case 'join':
      return joined ? spreadOf(rel.left, joined) : undefined;
    default:
      return undefined;
  }
}

function spreadOfTable({ source: { distributedOver, shardingKey, readsOthers }, columns }: SourceScan): Spread | undefined {
  if (distributedOver === undefined || shardingKey === undefined || readsOthers === true) return undefined;
  const [, by = '', names = shardingKey] = /^(\w+)\((.*)\)$/.exec(shardingKey) ?? [];
  const keyOf = (name: string) =>
    columns.flatMap(({ column, from: { read }, part }) =>
      part.kind === 'whole' && read.layout === 'column' && quoteIdentifier(read.column) === name
        ? [{ ids: new Set([column.id]), type: plainType(read.clickhouseType) }]
        : [],
    )[0];
  const keys = names.split(', ').map(keyOf);
  const known = keys.filter((key) => key !== undefined);
  return known.length === keys.length ? { cluster: distributedOver, by, columns: known } : undefined;
}

/** The type whose values are hashed: a value in a dictionary is hashed as itself. */
const plainType = (type: string): string => /^LowCardinality\((.*)\)$/.exec(type)?.[1] ?? type;

const withNames = (spread: Spread | undefined, items: Extract<Rel, { readonly kind: 'project' }>['items']): Spread | undefined =>
  spread && {
    ...spread,
    columns: spread.columns.map(({ ids, type }) => ({
      type,
      ids: new Set([
        ...ids,
        ...items.flatMap(({ column, value }) => (value.kind === 'column' && ids.has(value.column.id) ? [column.id] : [])),
      ]),
    })),
  };
