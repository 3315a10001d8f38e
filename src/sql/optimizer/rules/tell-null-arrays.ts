// ClickHouse has no NULL arrays: they are [] there. Where a query tests whether an array is NULL, or treats NULL unlike [], and the array may be NULL, a
// condition or a column beside the array is true where it is. Where no expression depends on it, nothing is changed.
import { fail } from '../../base/fail.ts';
import type { Column, Expr, LogicalPlan, Rel } from '../../logical/nodes.ts';
import { visit } from '../../logical/walk.ts';
import type { Carried, Carrying } from '../null-arrays/carrying.ts';
import { createFlags, withFlags } from '../null-arrays/flags.ts';
import { holdsArray, isArray, type Nulls } from '../null-arrays/nulls.ts';
import { carried, carriedSetOperation } from '../null-arrays/relations.ts';
import type { Rule, RuleContext } from '../rule.ts';

export const tellNullArrays: Rule = {
  name: 'tell-null-arrays',
  changes: (plan, context) => (asksOfArrays(plan) ? { plan: (whole) => toldApart(whole, context) } : undefined),
};

/** True if an expression takes an array other than to unnest it. */
function asksOfArrays(plan: LogicalPlan): boolean {
  let asks = false;
  const taken = (args: readonly (Expr | null)[]): boolean => args.some((a) => a !== null && holdsArray(a.type));
  visit(
    plan,
    (e) => {
      asks ||= (e.kind === 'call' && taken(e.args)) || (e.kind === 'subquery' && e.mode === 'scalar' && isArray(e.type));
    },
    (rel) => {
      asks ||= takesArrays(rel, taken);
    },
  );
  return asks;
}

function takesArrays(rel: Rel, taken: (args: readonly (Expr | null)[]) => boolean): boolean {
  switch (rel.kind) {
    case 'aggregate':
      return rel.keys.some((k) => isArray(k.column.type)) || rel.aggregates.some((a) => taken(a.call.args));
    case 'window':
      return rel.items.some((i) => taken(i.call.args));
    case 'distinct':
      return rel.columns.some((c) => isArray(c.type));
    case 'set_operation':
      return !rel.all && rel.columns.some((c) => isArray(c.type));
    default:
      return false;
  }
}

function toldApart(plan: LogicalPlan, { newColumn }: RuleContext): LogicalPlan {
  const flags = createFlags(newColumn);
  const carrying: Carrying = {
    flags,
    ctes: new Map(),
    rewriting: {
      newColumn,
      relation: (rel: Rel, outer: Nulls): Carried => carried(rel, outer, carrying),
      fieldTests: new Set(),
      mayHaveFailed: new WeakSet(),
      wholeStructs: [],
      intoStruct: [],
      tests: new WeakMap(),
    },
  };
  const ctes = plan.ctes.map((cte) => carriedCte(cte, carrying));
  const { rel } = carried(plan.rel, null, carrying);
  const pruned = flags.pruned({ ...plan, ctes, rel });
  refuseInStructs(pruned, carrying);
  return pruned;
}

function carriedCte(cte: LogicalPlan['ctes'][number], carrying: Carrying): LogicalPlan['ctes'][number] {
  const { flags, ctes } = carrying;
  const arrays = cte.columns.map((column, i) => ({ column, i })).filter(({ column }) => isArray(column.type));
  if (cte.recursive && cte.rel.kind === 'set_operation') {
    // Each step reads the rows of the one before: any of its arrays may be NULL.
    const forced = new Map(
      arrays.map(({ column }) => {
        const from: number[] = [];
        return [column.id, { flag: flags.add(column, from, { needed: true }), from }] as const;
      }),
    );
    const flagOf = new Map([...forced].map(([id, { flag }]) => [id, flag]));
    ctes.set(cte.id, positioned(arrays, flagOf));
    const { rel } = carriedSetOperation(cte.rel, null, carrying, forced);
    return { ...cte, rel, columns: [...cte.columns, ...flagOf.values()] };
  }
  const all = cte.columns.filter((c) => isArray(c.type));
  const { rel: flagged, byColumn } = withFlags(carried(cte.rel, null, carrying), all, flags);
  ctes.set(cte.id, positioned(arrays, byColumn));
  return { ...cte, rel: flagged, columns: [...cte.columns, ...byColumn.values()] };
}

const positioned = (
  arrays: readonly { readonly column: Column; readonly i: number }[],
  flags: ReadonlyMap<number, Column>,
): ReadonlyMap<number, Column> =>
  new Map(
    arrays.flatMap(({ column, i }) => {
      const flag = flags.get(column.id);
      return flag === undefined ? [] : [[i, flag] as const];
    }),
  );

/** Refuses NULL arrays in a STRUCT, which holds arrays without their flags. */
function refuseInStructs(plan: LogicalPlan, { rewriting: { intoStruct, fieldTests, wholeStructs } }: Carrying): void {
  const [put] = intoStruct;
  if (put === undefined) return;
  const refuse = (at: Expr): never =>
    fail(
      'unsupported',
      at.span,
      'quern can’t tell a NULL array inside a STRUCT from [] here',
      'write IFNULL(array, []) where the STRUCT is built',
    );
  const [whole] = wholeStructs;
  if (whole !== undefined) refuse(whole);
  visit(plan, (e) => (fieldTests.has(e) ? refuse(e) : undefined));
}
