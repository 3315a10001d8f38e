// Flags: BOOL columns that are true where an array is NULL. Nothing reads most of them in the end, and those are removed.

import { BOOL } from '../../base/types.ts';
import { bool } from '../../logical/build.ts';
import type { Column, Expr, LogicalPlan, Rel } from '../../logical/nodes.ts';
import { columnsRead, mapPlan, rewriteRel } from '../../logical/walk.ts';
import { type Nulls, testOf } from './nulls.ts';

const NOWHERE = { span: { start: 0, end: 0 } };

export interface Flags {
  /** Makes a new flag for `of`, which is computed from the columns `from`; with `needed` it stays, since rows are compared by it. */
  add(of: Column, from: Iterable<number>, options?: { readonly needed: boolean }): Column;
  /** Returns the plan without the flags that nothing needs. */
  pruned(plan: LogicalPlan): LogicalPlan;
}

export function createFlags(newColumn: (name: string, type: Column['type']) => Column): Flags {
  const madeFrom = new Map<number, Iterable<number>>();
  const needed = new Set<number>();
  return {
    add(of, from, options) {
      const flag = newColumn(`${of.name}_is_null`, BOOL);
      madeFrom.set(flag.id, from);
      if (options?.needed) needed.add(flag.id);
      return flag;
    },
    pruned(plan) {
      const live = new Set<number>();
      const keep = (id: number): void => {
        const from = madeFrom.get(id);
        if (from === undefined || live.has(id)) return;
        live.add(id);
        for (const next of from) keep(next);
      };
      for (const id of needed) keep(id);
      for (const id of columnsRead(without(plan, (c) => madeFrom.has(c.id)))) keep(id);
      return without(plan, (c) => madeFrom.has(c.id) && !live.has(c.id));
    },
  };
}

function without(plan: LogicalPlan, isDead: (column: Column) => boolean): LogicalPlan {
  const changed = (rel: Rel): Rel => {
    switch (rel.kind) {
      case 'project': {
        const items = rel.items.filter((i) => !isDead(i.column));
        if (items.length === rel.items.length) return rel;
        return items.length === 0 ? rel.input : { ...rel, items };
      }
      case 'cte_scan':
        return rel.columns.some(isDead) ? { ...rel, columns: rel.columns.filter((c) => !isDead(c)) } : rel;
      case 'set_operation': {
        if (!rel.columns.some(isDead)) return rel;
        const stay = rel.columns.map((c) => !isDead(c));
        const inputs = rel.inputs.map((input) => ({ ...input, columns: input.columns.filter((_, i) => stay[i]) }));
        return { ...rel, inputs, columns: rel.columns.filter((_, i) => stay[i]) };
      }
      default:
        return rel;
    }
  };
  const { ctes, ...rest } = mapPlan(plan, (rel) => rewriteRel(rel, changed));
  return { ...rest, ctes: ctes.map((cte) => ({ ...cte, columns: cte.columns.filter((c) => !isDead(c)) })) };
}

/** Returns `rel` with a flag for each of `columns` that may be NULL there, with `always` for all. Columns without a test have none. */
export function withFlags(
  { rel, nulls }: { readonly rel: Rel; readonly nulls: Nulls },
  columns: readonly Column[],
  flags: Flags,
  { always = false } = {},
): { readonly rel: Rel; readonly byColumn: ReadonlyMap<number, Column> } {
  const byColumn = new Map<number, Column>();
  const items: { readonly column: Column; readonly value: Expr }[] = [];
  for (const column of columns) {
    const test = testOf(column.id, nulls);
    if (test === 'untold' || (test === undefined && !always) || byColumn.has(column.id)) continue;
    if (test?.kind === 'column') {
      byColumn.set(column.id, test.column);
      continue;
    }
    const flag = flags.add(column, test === undefined ? [] : columnsRead(test));
    items.push({ column: flag, value: test ?? bool(false, NOWHERE) });
    byColumn.set(column.id, flag);
  }
  return { rel: items.length === 0 ? rel : { kind: 'project', input: rel, items }, byColumn };
}
