// What a correlated subquery is asked for: the different values of the outer columns that it reads.
import { fail } from '../base/fail.ts';
import { STRING } from '../base/types.ts';
import { ref } from '../logical/build.ts';
import type { Cast, Column, Expr, Rel, Subquery } from '../logical/nodes.ts';
import { columnsMadeIn } from '../logical/properties/made.ts';
import { isVolatile } from '../logical/volatile.ts';
import { columnsRead, mapChildren, renameColumns, visit } from '../logical/walk.ts';
import { call, conjunction } from './build.ts';
import { copyRelation } from './copy-relation.ts';
import type { RuleContext } from './rule.ts';

export interface Domain {
  /** They stand for the outer columns inside the subquery. */
  readonly columns: readonly Column[];
  /** The rows of `columns`; null where every row that could matter shows by itself which values it belongs to. */
  readonly rel: Rel | null;
}

/** Columns that stand for the outer ones: what an undeclared field holds is compared as text. */
export const standIns = (outer: readonly Column[], { newColumn }: RuleContext): readonly Column[] =>
  outer.map(({ name, type }) => newColumn(name, type.kind === 'DYNAMIC' ? STRING : type));

/** The different rows of `outer` in `rel`, as `columns`. There may be more of them: what is worked out for those nobody asks for. */
export function domainOf(rel: Rel, outer: readonly Column[], columns: readonly Column[], context: RuleContext, expr: Subquery): Rel {
  const pruned = rowsOf(rel, new Set(outer.map((c) => c.id)));
  refuseVolatile(pruned, expr);
  const copy = copyRelation(pruned, context);
  const items = columns.map((column, i) => ({ column, value: asKey(copy.renamed(outer[i] ?? column), expr) }));
  return { kind: 'distinct', input: { kind: 'project', input: copy.rel, items }, columns };
}

/** `outer` and `inner` are the same values, NULL among them; or with `strict` neither is NULL. */
export function sameValues(outer: readonly Column[], inner: readonly Column[], strict: boolean, at: Subquery): Expr {
  return conjunction(
    outer.map((column, i) => call(strict ? '$equal' : '$is_not_distinct', [asKey(column, at), ref(inner[i] ?? column, at)], at)),
  );
}

function asKey(column: Column, at: Subquery): Expr {
  const value = ref(column, at);
  return column.type.kind === 'DYNAMIC'
    ? { kind: 'cast', operand: value, safe: true, format: null, timeZone: null, type: STRING, span: at.span }
    : value;
}

/** `rel` with `columns` in the place of `outer`. */
export function replaceOuter(rel: Rel, outer: readonly Column[], columns: readonly Column[]): Rel {
  const replaced = new Map(outer.map((column, i) => [column.id, columns[i] ?? column]));
  const renamed = renameColumns(rel, (column) => replaced.get(column.id) ?? column);
  return outer.some((c) => c.type.kind === 'DYNAMIC') ? asTexts(renamed, new Set(columns.map((c) => c.id))) : renamed;
}

/** References to columns that became texts say so; a CAST of an undeclared field gives NULL for what does not read as its type. */
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

/** A relation with at least the rows of `rel`, cheaper where only the columns in `needed` are wanted. */
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
