// UNNEST as ARRAY JOIN. Tables that are spread over shards get a single one, also for UNNESTs of what others show, as in
// `m.request r cross join unnest(r.headers) h`: ClickHouse loses columns where an ARRAY JOIN of several arrays stands on another one, and with a subquery
// between the two, shards would send all rows of the first. On 1M rows in one place, one took as long as two with a subquery.

import type { Type } from '../base/types.ts';
import type { From, SqlExpression } from '../target/ast.ts';
import { call, ident, lambda, lit } from '../target/build.ts';
import { nameOf } from '../target/checks.ts';
import { eachNode } from '../target/helpers.ts';
import { rewrite } from '../target/rewrite.ts';
import { comesFromShards } from '../target/send-to-shards.ts';
import { clickhouseType } from '../target/types.ts';
import type { Block } from './block.ts';
import type { Lowering } from './lowering.ts';

type ArrayJoin = Extract<From, { readonly kind: 'array_join' }>;
type Arrays = ArrayJoin['arrays'];

/** Returns the ARRAY JOIN of the block, if arrays of its elements are to be walked in the same one. */
export function joinOnShards({ from, named }: Block): ArrayJoin | undefined {
  if (from?.kind !== 'array_join' || !comesFromShards(from)) return undefined;
  const read = namesIn(named);
  return from.arrays.some(({ alias }) => read.has(alias)) ? undefined : from;
}

/** Returns FROM of the block with a row for each element of the arrays; `needed` are the columns that are read above. */
export function withArrays(block: Block & { readonly from: From }, arrays: Arrays, needed: ReadonlySet<number>, l: Lowering): From {
  const below = joinOnShards(block);
  if (below === undefined) return { kind: 'array_join', input: block.from, arrays };
  const shown = [...block.shown.values()].filter(({ column }) => needed.has(column.id));
  const read = namesIn([block.where, shown.map(({ value }) => value)]);
  const types = new Map<string, Type>();
  for (const { column, value } of block.shown.values()) types.set(nameOf(value) ?? '', column.type);
  const flat = (alias: string, value: SqlExpression) => ({ alias, value: flattened(value, types.get(alias)) });
  const lists = arrays.map(({ alias, value }) => ({ alias, value: forElements(below.arrays, value, l) }));
  const kept = below.arrays.filter(({ alias }) => read.has(alias));
  const repeated = kept.map(({ alias, value }) => flat(alias, repeatedFor(lists[0]?.value ?? value, value, l)));
  return { ...below, arrays: [...repeated, ...lists.map(({ alias, value }) => flat(alias, value))] };
}

/** Returns each value as often as its list has elements. */
function repeatedFor(lists: SqlExpression, values: SqlExpression, l: Lowering): SqlExpression {
  const [value, list, item] = [l.fresh('value'), l.fresh('list'), l.fresh('item')];
  return call('arrayMap', lambda([value, list], call('arrayMap', lambda([item], ident(value)), ident(list))), values, lists);
}

/** Returns the values of an expression over elements, in an array for each row. */
function forElements(arrays: Arrays, value: SqlExpression, l: Lowering): SqlExpression {
  const itself = arrays.find(({ alias }) => alias === nameOf(value));
  if (itself !== undefined) return itself.value;
  const read = namesIn(value);
  const ofElements = arrays.filter(({ alias }) => read.has(alias));
  const walked = ofElements.length === 0 ? arrays.slice(0, 1) : ofElements;
  const parameters = new Map(walked.map(({ alias }) => [alias, l.fresh(alias)]));
  const body = rewrite(value, (node) => {
    const parameter = parameters.get(nameOf(node) ?? '');
    return parameter === undefined ? undefined : ident(parameter);
  });
  return call('arrayMap', lambda([...parameters.values()], body), ...walked.map((one) => one.value));
}

/** Makes an array of arrays one of their elements, which are of this type. `arrayFlatten` would open arrays in them too; groupArray keeps these, as they are never NULL. */
const flattened = (value: SqlExpression, type: Type | undefined): SqlExpression =>
  type !== undefined && clickhouseType(type).startsWith('Array(')
    ? call('arrayReduce', lit('groupArrayArray'), value)
    : call('arrayFlatten', value);

function namesIn(tree: object): ReadonlySet<string> {
  const names = new Set<string>();
  eachNode(tree, (node) => {
    const name = nameOf(node);
    if (name !== undefined) names.add(name);
  });
  return names;
}
