// Which columns may be the same for all rows, as far as ClickHouse sees: what a SELECT makes of constants alone.
import { isCorrelated } from '../logical/free-columns.ts';
import type { Expr, Literal, LogicalPlan } from '../logical/nodes.ts';
import { learnFrom, mapChildren } from '../logical/walk.ts';

/** Ids of such columns; `is` says which values are such, where some columns are. */
export function constantColumns(query: LogicalPlan, is = mayBeConstant): ReadonlySet<number> {
  const known = new Set<number>();
  learnFrom(query, known, (rel, definedBy) => {
    if (rel.kind === 'project') {
      for (const { column, value } of rel.items) if (is(value, known)) known.add(column.id);
    } else if (rel.kind === 'aggregate') {
      for (const { column, value } of rel.keys) if (is(value, known)) known.add(column.id);
    } else if (rel.kind === 'cte_scan') {
      for (const [i, column] of rel.columns.entries()) if (known.has(definedBy(rel)[i]?.id ?? 0)) known.add(column.id);
    }
  });
  return known;
}

/** Whether nothing of the value varies but `constants`, or a constant condition may choose something of which nothing varies. */
export function mayBeConstant(value: Expr, constants: ReadonlySet<number>): boolean {
  const is = (e: Expr | null): boolean => e === null || mayBeConstant(e, constants);
  if (value.kind === 'column') return constants.has(value.column.id);
  if (value.kind === 'case' && alwaysSame([...value.whens.map((w) => w.then), value.otherwise])) return true;
  if (value.kind === 'case' && value.whens.some((w) => is(w.when))) return is(value.otherwise) || value.whens.some((w) => is(w.then));
  if (isVolatile(value)) return false;
  if (value.kind === 'subquery') return !isCorrelated(value.input);
  if (value.kind === 'call' && value.fn.name === '$and') return value.args.some(is);
  if (isOfNull(value)) return true;
  // ClickHouse knows the answer for columns that are never NULL.
  if (value.kind === 'call' && (value.fn.name === '$is_null' || value.fn.name === '$is_not_null') && value.args[0]?.kind === 'column')
    return true;
  // NULL is in no list, whatever is listed.
  if (value.kind === 'call' && value.fn.name === '$in_list' && value.args[0] != null && isOfNull(value.args[0])) return true;
  if (value.kind === 'call' && value.fn.firstPresent === true && is(value.args[0] ?? null)) return true;
  let varies = false;
  mapChildren(value, {
    expr: (e) => {
      varies ||= !is(e);
      return e;
    },
    rel: (r) => r,
  });
  return !varies;
}

/** Whether the value is made of literals and of `literals`, and nothing else. */
export function isOfLiterals(value: Expr, literals: ReadonlySet<number>): boolean {
  if (value.kind === 'column') return literals.has(value.column.id);
  if (value.kind === 'literal') return true;
  return value.kind === 'cast' && isOfLiterals(value.operand, literals);
}

/** Whether it gives another value at each call. */
export const isVolatile = (e: Expr): boolean => e.kind === 'call' && e.fn.volatile === true;

/** Whether it does not matter which of them is chosen. */
const alwaysSame = (branches: readonly (Expr | null)[]): boolean =>
  new Set(branches.map(constantOf)).size === 1 && constantOf(branches[0] ?? null) !== undefined;

/** The value of a literal; undefined of anything else. */
function constantOf(e: Expr | null): Literal['value'] | undefined {
  if (e === null) return null;
  if (e.kind === 'cast' && constantOf(e.operand) === null) return null;
  return e.kind === 'literal' && (e.value === null || typeof e.value !== 'object') ? e.value : undefined;
}

/** Whether it is NULL for all rows if an argument is, as that of a parameter may be. */
export const isOfNull = (value: Expr): boolean => value.kind === 'call' && value.fn.strict === 'any' && value.args.some(mayBeNull);

/** Whether ClickHouse may know the value to be NULL, and with it what is made of it. */
const mayBeNull = (value: Expr | null): boolean =>
  value?.kind === 'parameter' ||
  (value?.kind === 'literal' && value.value === null) ||
  (value?.kind === 'subquery' && value.mode === 'scalar' && !isCorrelated(value.input)) ||
  (value?.kind === 'cast' && mayBeNull(value.operand)) ||
  (value?.kind === 'call' && isOfNull(value));
