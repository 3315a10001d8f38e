// The domain of a correlated subquery: the different values of the outer columns that it reads.
import { fail } from '../base/fail.ts';
import { STRING } from '../base/types.ts';
import { castTo, ref } from '../logical/build.ts';
import type { Cast, Column, Expr, Rel, Subquery } from '../logical/nodes.ts';
import { columnsMadeIn } from '../logical/properties/made.ts';
import { isVolatile } from '../logical/volatile.ts';
import { columnsRead, mapChildren, renameColumns, visit } from '../logical/walk.ts';
import { call, conjunction } from './build.ts';
import { copyRelation } from './copy-relation.ts';
import type { RuleContext } from './rule.ts';

export interface Domain {
  /** The columns that stand for the outer ones inside the subquery. */
  readonly columns: readonly Column[];
  /** The rows of `columns`; null where every row that could matter shows by itself to which values it belongs. */
  readonly rel: Rel | null;
}

/** Returns columns that stand for the outer ones: an undeclared field is compared as text. */
export const standIns = (outer: readonly Column[], { newColumn }: RuleContext): readonly Column[] =>
  outer.map(({ name, type }) => newColumn(name, type.kind === 'DYNAMIC' ? STRING : type));

/** Returns the different rows of `outer` in `rel`, as `columns`. There may be more of them, whose results nobody reads. */
export function domainOf(
  rel: Rel,
  outer: readonly Column[],
  columns: readonly Column[],
  { context, at }: { readonly context: RuleContext; readonly at: Subquery },
): Rel {
  const pruned = rowsOf(rel, new Set(outer.map((c) => c.id)));
  refuseVolatile(pruned, at);
  const copy = copyRelation(pruned, context);
  const items = columns.map((column, i) => ({ column, value: asKey(copy.renamed(outer[i] ?? column), at) }));
  return { kind: 'distinct', input: { kind: 'project', input: copy.rel, items }, columns };
}

/** Tests that `outer` and `inner` are the same values, NULL among them; with `strict` that neither is NULL. */
export function sameValues(
  outer: readonly Column[],
  inner: readonly Column[],
  at: Subquery,
  { strict }: { readonly strict: boolean },
): Expr {
  return conjunction(
    outer.map((column, i) => call(strict ? '$equal' : '$is_not_distinct', [asKey(column, at), ref(inner[i] ?? column, at)], at)),
  );
}

function asKey(column: Column, at: Subquery): Expr {
  const value = ref(column, at);
  return column.type.kind === 'DYNAMIC' ? castTo(value, STRING, { safe: true }) : value;
}

/** Returns `rel` with `columns` in the place of `outer`. */
export function replaceOuter(rel: Rel, outer: readonly Column[], columns: readonly Column[]): Rel {
  const replaced = new Map(outer.map((column, i) => [column.id, columns[i] ?? column]));
  const renamed = renameColumns(rel, (column) => replaced.get(column.id) ?? column);
  return outer.some((c) => c.type.kind === 'DYNAMIC') ? asTexts(renamed, new Set(columns.map((c) => c.id))) : renamed;
}

/** Changes the type of references to columns that became texts; a CAST of an undeclared field gives NULL for a text that is no value of its type. */
function asTexts(rel: Rel, columns: ReadonlySet<number>): Rel {
  const expr = (e: Expr): Expr => {
    const mapped = mapChildren(e, { expr, rel: inside });
    if (mapped.kind === 'column' && columns.has(mapped.column.id)) return { ...mapped, type: mapped.column.type };
    if (mapped.kind === 'cast' && isDynamic(e)) return mapped.operand.type.kind === 'STRING' ? { ...mapped, safe: true } : mapped;
    if (mapped.kind === 'record_field' && mapped.of.type.kind === 'STRING')
      fail(
        'unsupported',
        e.span,
        'a field of an undeclared record can’t be read inside a subquery',
        'select it in a subquery of FROM first',
      );
    return mapped;
  };
  const inside = (r: Rel): Rel => mapChildren(r, { expr, rel: inside });
  return inside(rel);
}

const isDynamic = (e: Expr): e is Cast => e.kind === 'cast' && e.operand.type.kind === 'DYNAMIC';

/** Returns a relation with at least the rows of `rel`, cheaper where only the columns in `needed` are wanted. */
function rowsOf(rel: Rel, needed: ReadonlySet<number>): Rel {
  const spares = (side: Rel): boolean => {
    const made = columnsMadeIn(side);
    return ![...needed].some((id) => made.has(id));
  };
  switch (rel.kind) {
    case 'order_limit':
      // Which rows are within a limit may change from one reading to the next.
      return rowsOf(rel.input, needed);
    case 'window':
      return rel.items.some((i) => needed.has(i.column.id)) ? rel : rowsOf(rel.input, needed);
    case 'project': {
      const items = rel.items.filter((i) => needed.has(i.column.id));
      const wanted = new Set([...needed, ...items.flatMap((i) => [...columnsRead(i.value)])]);
      const input = rowsOf(rel.input, wanted);
      return items.length === 0 ? input : { ...rel, input, items };
    }
    case 'join':
      return rel.type === 'LEFT' && spares(rel.right) ? rowsOf(rel.left, needed) : rel;
    default:
      return rel;
  }
}

function refuseVolatile(rel: Rel, { span }: Subquery): void {
  visit({ rel }, (e) => {
    if (e.kind === 'call' && isVolatile(e))
      fail(
        'unsupported',
        span,
        `a subquery can’t read columns of rows that ${e.fn.name} makes: they are read twice, and would differ`,
        'join the tables instead',
      );
  });
}
