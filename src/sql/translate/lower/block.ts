// A SELECT under construction: relations are folded into it clause by clause for as long as SQL's order of clauses allows.
import { spend } from '../../budget.ts';
import type { Ch, From, NamedConstant, OrderBy, Select } from '../../clickhouse/ast.ts';
import { and, ident, lit, select } from '../../clickhouse/build.ts';
import type { Column } from '../../resolved.ts';
import type { Lowering } from './lowering.ts';

/** The clause that took effect last. */
export const Stage = { FROM: 0, WHERE: 1, GROUP: 2, WINDOW: 3, DISTINCT: 4, ORDER: 5, LIMIT: 6 } as const;
export type Stage = (typeof Stage)[keyof typeof Stage];

export interface Shown {
  readonly column: Column;
  readonly value: Ch;
}

export interface Block {
  readonly from: From | null;
  readonly where: readonly Ch[];
  /** null: not grouped; []: one group of all rows. */
  readonly keys: readonly Ch[] | null;
  readonly groupingSets: readonly (readonly Ch[])[] | null;
  readonly having: readonly Ch[];
  readonly qualify: readonly Ch[];
  /** Columns of SELECT DISTINCT: exactly these must be selected. */
  readonly distinct: readonly Column[] | null;
  readonly orderBy: readonly OrderBy[];
  readonly limit: Ch | null;
  readonly offset: Ch | null;
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

export function withShown(block: Block, added: readonly Shown[]): Block {
  spend((block.shown.size + added.length) >> 1);
  return { ...block, shown: new Map([...block.shown, ...added.map((s) => [s.column.id, s] as const)]) };
}

export function namesOf({ shown }: Block): ReadonlyMap<number, Ch> {
  spend(shown.size >> 1);
  return new Map([...shown].map(([id, s]) => [id, s.value]));
}

const all = (conditions: readonly Ch[]): Ch | null => (conditions.length === 0 ? null : and(...conditions));

/** The SELECT with these columns under these names. */
export function finish(block: Block, items: readonly { readonly value: Ch; readonly alias: string }[]): Select {
  return select(items, block.from, {
    constants: block.named,
    distinct: block.distinct !== null,
    where: all(block.where),
    // A group of all rows without keys exists even over no rows; only GROUP BY () with no aggregate needs to be said.
    groupBy: block.keys,
    groupingSets: block.groupingSets,
    having: all(block.having),
    qualify: all(block.qualify),
    orderBy: block.orderBy,
    limit: block.limit,
    offset: block.offset,
  });
}

/** The block as a subquery that shows the columns in `needed`; a new block reads from it. */
export function wrap(block: Block, needed: ReadonlySet<number>, lowering: Lowering, name = 'q'): Block {
  const columns = block.distinct ?? [...block.shown.values()].filter((s) => needed.has(s.column.id)).map((s) => s.column);
  spend(columns.length);
  const alias = lowering.fresh(name);
  const shown = new Map<number, Shown>();
  const items = columns.map((column) => {
    const columnName = lowering.nameOf(column);
    shown.set(column.id, { column, value: ident(alias, columnName) });
    return { value: block.shown.get(column.id)?.value ?? lit(null), alias: columnName };
  });
  const statement = finish(block, items.length === 0 ? [{ value: lit(1), alias: lowering.fresh('one') }] : items);
  return { ...EMPTY_BLOCK, from: { kind: 'select', statement, alias }, shown };
}
