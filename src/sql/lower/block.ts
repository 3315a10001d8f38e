// A SELECT under construction: relations are folded into it clause by clause for as long as SQL's order of clauses allows.

import { isAggregate } from '../../clickhouse/functions.ts';
import { spend } from '../base/budget.ts';
import type { Column } from '../logical/nodes.ts';
import type { From, NamedConstant, OrderBy, Select, SqlExpression } from '../target/ast.ts';
import { and, call, ident, lit, not, select, unwidened, widened } from '../target/build.ts';
import { withStoredElements } from './element-fields.ts';
import { guardNameConditions } from './name-conditions.ts';

/** The clauses in the order in which they take effect; `Block.stage` is the last one that has. */
export const Stage = { FROM: 0, WHERE: 1, GROUP: 2, WINDOW: 3, DISTINCT: 4, ORDER: 5, LIMIT: 6 } as const;
export type Stage = (typeof Stage)[keyof typeof Stage];

export interface Shown {
  readonly column: Column;
  readonly value: SqlExpression;
}

export interface Block {
  readonly from: From | null;
  readonly where: readonly SqlExpression[];
  /** null: not grouped; []: one group of all rows. */
  readonly keys: readonly SqlExpression[] | null;
  readonly groupingSets: readonly (readonly SqlExpression[])[] | null;
  readonly having: readonly SqlExpression[];
  readonly qualify: readonly SqlExpression[];
  /** Columns of SELECT DISTINCT: exactly these must be selected. */
  readonly distinct: readonly Column[] | null;
  readonly orderBy: readonly OrderBy[];
  readonly limit: SqlExpression | null;
  readonly offset: SqlExpression | null;
  /** Long expressions that this SELECT's own WITH names. */
  readonly named: readonly NamedConstant[];
  readonly stage: Stage;
  /** Every visible column and how it is written inside this SELECT. */
  readonly shown: ReadonlyMap<number, Shown>;
}

export const EMPTY_BLOCK: Block = {
  from: null,
  where: [],
  keys: null,
  groupingSets: null,
  having: [],
  qualify: [],
  distinct: null,
  orderBy: [],
  limit: null,
  offset: null,
  named: [],
  stage: Stage.FROM,
  shown: new Map(),
};

export function union(...sets: readonly Iterable<number>[]): Set<number> {
  const all = new Set(sets.flatMap((s) => [...s]));
  spend(all.size >> 1);
  return all;
}

export function withShown(block: Block, added: readonly Shown[]): Block {
  spend((block.shown.size + added.length) >> 1);
  return { ...block, shown: new Map([...block.shown, ...added.map((s) => [s.column.id, s] as const)]) };
}

const all = (conditions: readonly SqlExpression[]): SqlExpression | null => (conditions.length === 0 ? null : and(...conditions));

/** Always true, but ClickHouse does not see that. The aggregate in it makes a SELECT grouped. */
export const GROUPED: SqlExpression = not(call('ignore', call('count')));

/** True if ClickHouse may find that the value needs no aggregate: there is none in it, or only one where a constant chooses. */
function isBare(value: SqlExpression): boolean {
  switch (value.kind) {
    case 'func':
      if (isAggregate(value.name) || value.over !== null) return false;
      if (value.name === 'if' || value.name === 'multiIf') return value.args.length > 0 && value.args.slice(0, 1).every(isBare);
      return value.args.every(isBare);
    case 'check':
      return isBare(value.condition);
    case 'infix':
      return value.operator === 'AND' || value.operator === 'OR'
        ? isBare(value.left) || isBare(value.right)
        : isBare(value.left) && isBare(value.right);
    case 'prefix':
    case 'is_null':
    case 'cast':
    case 'in':
      return isBare(value.operand);
    case 'array':
      return value.elements.every(isBare);
    default:
      return true;
  }
}

/** Returns the SELECT of the block with these columns. */
export function finish(
  block: Block,
  items: readonly { readonly value: SqlExpression; readonly alias: string }[],
  names: Pick<FreshNames, 'freshConstant'>,
): Select {
  const ungrouped = block.keys?.length === 0 && block.groupingSets === null && items.every((i) => isBare(i.value));
  const having = ungrouped && !block.having.includes(GROUPED) ? [...block.having, GROUPED] : block.having;
  const statement = select(items, block.from, {
    constants: block.named,
    distinct: block.distinct !== null,
    where: all(guardNameConditions(block.where)),
    // Without keys there is a group even over no rows. GROUP BY () is written only for a SELECT without aggregates.
    groupBy: block.keys,
    groupingSets: block.groupingSets,
    having: all(having),
    qualify: all(block.qualify),
    orderBy: block.orderBy,
    limit: block.limit,
    offset: block.offset,
  });
  return withStoredElements(statement, names.freshConstant);
}

/** Makes names that the query has nowhere else. */
export interface FreshNames {
  /** Returns a name not used before in this query, made from what the user called the thing. */
  fresh(base: string): string;
  /** Returns such a name for what WITH or ARRAY JOIN names, which no column of a table has: inside of subqueries the column would take precedence. */
  readonly freshConstant: (base: string) => string;
  /** Returns what the text calls the column. */
  calledAs(column: Column): string;
  /** Returns a name for a subquery with these columns, made from what the text calls it. */
  tableOf(columns: readonly Column[]): string;
  /** Returns the name under which subqueries show the column: always the same for one column. */
  nameOf(column: Column): string;
}

/** Makes the block a subquery that shows the columns in `needed`; a new block reads from it. */
export function wrap(block: Block, needed: ReadonlySet<number>, names: FreshNames): Block {
  const columns = block.distinct ?? [...block.shown.values()].filter((s) => needed.has(s.column.id)).map((s) => s.column);
  spend(columns.length);
  const alias = names.tableOf(columns);
  const shown = new Map<number, Shown>();
  const items = columns.map((column) => {
    const columnName = names.nameOf(column);
    const value = block.shown.get(column.id)?.value ?? lit(null);
    const outside = ident(alias, columnName);
    // What the table stores in fewer bits is widened above, where it is still wanted.
    shown.set(column.id, { column, value: widened(value, outside) });
    return { value: unwidened(value), alias: columnName };
  });
  const statement = finish(block, items.length === 0 ? [{ value: lit(1), alias: names.fresh('one') }] : items, names);
  return { ...EMPTY_BLOCK, from: { kind: 'select', statement, alias }, shown };
}
