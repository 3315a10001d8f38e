// Correlated subqueries become outer joins. ClickHouse does some of that itself, but joins back on equality, so that rows where an outer column is NULL find
// nothing; knows no ORDER BY, LIMIT, DISTINCT, window or set operation inside; and returns NULL for all expressions of an aggregate over no rows.

import { BOOL } from '../../base/types.ts';
import { ref, splitConjunction } from '../../logical/build.ts';
import { isDecorrelated } from '../../logical/decorrelated.ts';
import type { Aggregate, Column, Expr, Filter, Join, OrderLimit, Project, Rel, Subquery, Unnest, Window } from '../../logical/nodes.ts';
import { columnsMadeIn } from '../../logical/properties/made.ts';
import { columnsRead, contains, holdsSubquery, mapChildren } from '../../logical/walk.ts';
import { asMembership, attach, joinedExists } from '../attach-subquery.ts';
import { call, conjunction, filtered } from '../build.ts';
import type { Rule, RuleContext } from '../rule.ts';

export const decorrelateSubqueries: Rule = {
  name: 'decorrelate-subqueries',
  changes(plan, context) {
    if (!holdsSubquery(plan)) return undefined;
    const separate = (rel: Aggregate | OrderLimit | Window | Unnest): Rel => computedFirst(rel, context);
    return {
      // From outside: the columns of the rows around a subquery are known when its turn comes.
      order: 'top-down',
      relations: {
        aggregate: separate,
        order_limit: separate,
        window: separate,
        unnest: separate,
        join: (rel) => joinWithout(rel, context),
        filter: (rel) => filterWithout(rel, context),
        project: (rel) => projectWithout(rel, context),
      },
    };
  },
};

/** Returns the expressions with correlated subqueries as columns of a projection below. */
function computedFirst(rel: Aggregate | OrderLimit | Window | Unnest, { newColumn }: RuleContext): Rel {
  const items: { column: Column; value: Expr }[] = [];
  const change = (expr: Expr): Expr => {
    if (!isDecorrelated(expr)) return mapChildren(expr, { expr: change, rel: (r) => r });
    const column = newColumn('subquery', expr.type);
    items.push({ column, value: expr });
    return ref(column, expr);
  };
  const changed = mapChildren(rel, { expr: change, rel: (r) => r });
  return items.length === 0 ? rel : { ...changed, input: { kind: 'project', input: changed.input ?? { kind: 'one_row' }, items } };
}

const hasCorrelated = (expr: Expr): boolean => contains(expr, isDecorrelated);

function filterWithout(rel: Filter, context: RuleContext): Rel {
  const conditions = splitConjunction(rel.condition);
  const correlated = conditions.filter(hasCorrelated);
  if (correlated.length === 0) return rel;
  // The subqueries are computed only for rows that other conditions leave.
  const base = filtered(
    rel.input,
    conditions.filter((c) => !hasCorrelated(c)),
  );
  const { base: joined, left } = withJoins(correlated, base, context);
  const { input, values } = attachAll(
    left.map((c) => withMembership(c, joined, context)),
    joined,
    context,
  );
  return filtered(input, values);
}

/**
 * Joins EXISTS to rows of which conditions leave some: the table may then be built from these. For all rows of a table a set of the subquery's values is
 * the better one.
 */
function withJoins(conditions: readonly Expr[], base: Rel, context: RuleContext): { readonly base: Rel; readonly left: readonly Expr[] } {
  if (!isFiltered(base)) return { base, left: conditions };
  const left: Expr[] = [];
  let joined = base;
  for (const condition of conditions) {
    const made = condition.kind === 'subquery' && isDecorrelated(condition) ? joinedExists(condition, joined, context) : undefined;
    if (made === undefined) left.push(condition);
    joined = made ?? joined;
  }
  return { base: joined, left };
}

function isFiltered(rel: Rel): boolean {
  if (rel.kind === 'join') return isFiltered(rel.left) || isFiltered(rel.right);
  return rel.kind === 'project' ? isFiltered(rel.input) : rel.kind !== 'source_scan' && rel.kind !== 'cte_scan';
}

/** Returns a condition that only keeps rows, for which NULL and FALSE are the same. */
function withMembership(condition: Expr, base: Rel, context: RuleContext): Expr {
  if (condition.kind === 'call' && (condition.fn.name === '$or' || condition.fn.name === '$and'))
    return { ...condition, args: condition.args.map((arg) => arg && withMembership(arg, base, context)) };
  if (condition.kind !== 'subquery' || !isDecorrelated(condition)) return condition;
  const exists = condition.mode === 'in' ? isEqualToOne(condition) : condition;
  return asMembership(exists, base, context) ?? exists;
}

function projectWithout(rel: Project, context: RuleContext): Rel {
  if (!rel.items.some((i) => hasCorrelated(i.value))) return rel;
  const { input, values } = attachAll(
    rel.items.map((i) => i.value),
    rel.input,
    context,
  );
  return { ...rel, input, items: rel.items.map((item, i) => ({ ...item, value: values[i] ?? item.value })) };
}

/** Moves a correlated subquery out of ON: for an inner join it becomes a filter, for a LEFT or RIGHT JOIN a column of the side that it reads. */
function joinWithout(rel: Join, context: RuleContext): Rel {
  if (rel.on === null || !hasCorrelated(rel.on)) return rel;
  const conditions = splitConjunction(rel.on);
  if (rel.type === 'INNER' || rel.type === 'CROSS') {
    const plain = conditions.filter((c) => !hasCorrelated(c));
    const joined: Rel = { ...rel, type: plain.length === 0 ? 'CROSS' : 'INNER', on: plain.length === 0 ? null : conjunction(plain) };
    return filterWithout({ kind: 'filter', input: joined, condition: conjunction(conditions.filter(hasCorrelated)) }, context);
  }
  const sides = { left: rel.left, right: rel.right };
  const on = conditions.map((condition): Expr => {
    if (!hasCorrelated(condition)) return condition;
    const side = (['left', 'right'] as const).find((s) => readsOnly(condition, sides[s]));
    if (side === undefined) return condition;
    const column = context.newColumn('condition', BOOL);
    sides[side] = projectWithout({ kind: 'project', input: sides[side], items: [{ column, value: condition }] }, context);
    return ref(column, condition);
  });
  return { ...rel, ...sides, on: conjunction(on) };
}

/** True if all columns that the condition reads, but for those of its subqueries, are the relation's. */
function readsOnly(condition: Expr, rel: Rel): boolean {
  const known = columnsMadeIn({ kind: 'filter', input: rel, condition });
  return [...columnsRead(condition)].every((id) => known.has(id));
}

function attachAll(exprs: readonly Expr[], base: Rel, context: RuleContext): { readonly input: Rel; readonly values: readonly Expr[] } {
  let input = base;
  const change = (expr: Expr): Expr => {
    if (!isDecorrelated(expr)) return mapChildren(expr, { expr: change, rel: (r) => r });
    if (expr.mode === 'in') return change(asExists(expr));
    const attached = attach(expr, { input, base }, context);
    input = attached?.input ?? input;
    return attached?.value ?? expr;
  };
  return { values: exprs.map(change), input };
}

const equals = ({ needle, column, ...expr }: Subquery): Expr => {
  if (needle === null) throw new RangeError('IN has a left side');
  return call('$equal', [needle, ref(column, expr)], expr);
};

const exists = (expr: Subquery, input: Rel): Subquery => ({ ...expr, mode: 'exists', needle: null, input });

const where = (expr: Subquery, condition: Expr): Subquery => exists(expr, { kind: 'filter', input: expr.input, condition });

/** Writes IN as a condition that only keeps rows, for which NULL and FALSE are the same. */
const isEqualToOne = (expr: Subquery): Subquery => where(expr, equals(expr));

/** Writes IN in three-valued logic: TRUE with an equal row, FALSE without rows, NULL where a NULL could have been equal. */
function asExists(expr: Subquery): Expr {
  const { needle, column, span } = expr;
  // A comparison of structs is NULL where a field is.
  const unknown =
    needle?.type.kind === 'STRUCT'
      ? where(expr, call('$is_null', [equals(expr)], expr))
      : call('$or', [call('$is_null', [needle], expr), where(expr, call('$is_null', [ref(column, expr)], expr))], expr);
  const bool = (of: boolean | null): Expr => ({ kind: 'literal', value: of, type: BOOL, span });
  return {
    kind: 'case',
    whens: [
      { when: isEqualToOne(expr), then: bool(true) },
      { when: call('$not', [exists(expr, expr.input)], expr), then: bool(false) },
      { when: unknown, then: bool(null) },
    ],
    otherwise: bool(false),
    type: BOOL,
    span,
  };
}
