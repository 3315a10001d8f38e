// Structural walks over the logical plan: children are found by shape, so a new kind needs no entry here.
import { spend } from '../budget.ts';
import type { Column, CteScan, Expr, LogicalPlan, Rel } from './nodes.ts';

const EXPR_KINDS: Readonly<Record<Expr['kind'], true>> = {
  literal: true,
  column: true,
  parameter: true,
  instant: true,
  call: true,
  cast: true,
  case: true,
  struct: true,
  field: true,
  record_field: true,
  array: true,
  subquery: true,
  lambda: true,
  date_part: true,
  aggregate: true,
  window: true,
};
/** `window` is both an expression marker and a relation; only the expression has `call`. */
const REL_KINDS: Readonly<Record<Rel['kind'], true>> = {
  one_row: true,
  source_scan: true,
  cte_scan: true,
  join: true,
  unnest: true,
  filter: true,
  project: true,
  aggregate: true,
  window: true,
  distinct: true,
  order_limit: true,
  set_operation: true,
};
/** Properties that never hold expressions or relations below them. */
const LEAVES: ReadonlySet<string> = new Set([
  'type',
  'span',
  'fn',
  'column',
  'columns',
  'source',
  'element',
  'offset_column',
  'parameters',
]);

/** Expressions without parts: most of a tree, and nothing to walk. */
const CHILDLESS: ReadonlySet<string> = new Set<Expr['kind']>(['literal', 'column', 'parameter', 'instant', 'date_part']);

type Shape = Readonly<Record<string, unknown>>;
const isShape = (value: unknown): value is Shape => typeof value === 'object' && value !== null;
const kindOf = (value: Shape): string => (typeof value['kind'] === 'string' ? value['kind'] : '');
// Sets are asked faster than objects: this is asked of every part of every tree.
const exprKinds: ReadonlySet<string> = new Set(Object.keys(EXPR_KINDS));
const relKinds: ReadonlySet<string> = new Set(Object.keys(REL_KINDS));
const isExpr = (value: Shape): boolean => exprKinds.has(kindOf(value)) && value['type'] !== undefined && value['span'] !== undefined;
const isRel = (value: Shape): boolean => relKinds.has(kindOf(value)) && value['span'] === undefined && value['id'] === undefined;

interface Mapping {
  readonly expr: (expr: Expr) => Expr;
  readonly rel: (rel: Rel) => Rel;
}

/** `node` with `mapping` applied to its nearest expressions and relations; the same object when nothing changed. */
export function mapChildren<T extends object>(node: T, mapping: Mapping): T {
  spend(1);
  if (CHILDLESS.has(kindOf(node as Shape))) return node;
  // A node's own shape is kept: only expression and relation properties are replaced, by others of the same role.
  return mapProperties(node as Shape, mapping) as T;
}

function mapProperties(node: Shape, mapping: Mapping): Shape {
  let changed: Record<string, unknown> | undefined;
  // for-in, not Object.entries: this is the translator's innermost loop, and nodes are plain objects.
  for (const key in node) {
    const value = node[key];
    if (!isShape(value) || LEAVES.has(key)) continue;
    const mapped = mapValue(value, mapping);
    if (mapped !== value) {
      changed ??= { ...node };
      changed[key] = mapped;
    }
  }
  return changed ?? node;
}

function mapValue(value: Shape, mapping: Mapping): unknown {
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    let changed: unknown[] | undefined;
    for (let i = 0; i < items.length; i++) {
      const item = items[i];
      const mapped = isShape(item) ? mapValue(item, mapping) : item;
      if (mapped === item) continue;
      changed ??= [...items];
      changed[i] = mapped;
    }
    return changed ?? value;
  }
  // The guards above make these two casts sound: the kinds are exactly those of the unions.
  if (isExpr(value)) return mapping.expr(value as unknown as Expr);
  if (isRel(value)) return mapping.rel(value as unknown as Rel);
  return mapProperties(value, mapping);
}

/** The plan with `change` applied to the relation of the query and to that of each WITH table. */
export const mapPlan = (plan: LogicalPlan, change: (rel: Rel) => Rel): LogicalPlan => mapChildren(plan, { expr: (e) => e, rel: change });

/** Rewrites expressions bottom-up, also those inside subqueries' relations. */
export function rewriteExpr(expr: Expr, change: (expr: Expr) => Expr): Expr {
  return change(mapChildren(expr, { expr: (e) => rewriteExpr(e, change), rel: (r) => rewriteRelExprs(r, change) }));
}

/** Rewrites every expression of a relation bottom-up. */
function rewriteRelExprs(rel: Rel, change: (expr: Expr) => Expr): Rel {
  return mapChildren(rel, { expr: (e) => rewriteExpr(e, change), rel: (r) => rewriteRelExprs(r, change) });
}

const relations = new WeakMap<Expr, boolean>();

/** Whether a subquery stands in the expression. Few have one, trees never change, and most walks look for relations: it is remembered. */
function holdsRelation(expr: Expr): boolean {
  let found = relations.get(expr);
  if (found !== undefined) return found;
  found = false;
  mapChildren(expr, {
    expr: (e) => {
      found ||= holdsRelation(e);
      return e;
    },
    rel: (r) => {
      found = true;
      return r;
    },
  });
  relations.set(expr, found);
  return found;
}

/** Whether there is a subquery anywhere below `node`. */
export function holdsSubquery(node: object): boolean {
  let found = false;
  const rel = (r: Rel): Rel => mapChildren(r, mapping);
  const expr = (e: Expr): Expr => {
    found ||= holdsRelation(e);
    return e;
  };
  const mapping = { expr, rel };
  mapChildren(node, mapping);
  return found;
}

/** Rewrites relations bottom-up, also those of subqueries. */
export function rewriteRel(rel: Rel, change: (rel: Rel) => Rel): Rel {
  const relation = (r: Rel): Rel => rewriteRel(r, change);
  const expression = (e: Expr): Expr => (holdsRelation(e) ? mapChildren(e, { expr: expression, rel: relation }) : e);
  return change(mapChildren(rel, { expr: expression, rel: relation }));
}

/** Visits every expression and relation below `node`, parents first. */
export function visit(node: object, onExpr: (expr: Expr) => void, onRel: (rel: Rel) => void = () => {}): void {
  mapChildren(node, {
    expr: (e) => {
      onExpr(e);
      visit(e, onExpr, onRel);
      return e;
    },
    rel: (r) => {
      onRel(r);
      visit(r, onExpr, onRel);
      return r;
    },
  });
}

/** Visits every relation below `node`, parents first. */
export function visitRels(node: object, onRel: (rel: Rel) => void): void {
  const expr = (e: Expr): Expr => (holdsRelation(e) ? mapChildren(e, { expr, rel }) : e);
  const rel = (r: Rel): Rel => {
    onRel(r);
    return mapChildren(r, { expr, rel });
  };
  mapChildren(node, { expr, rel });
}

/** Of a relation that reads a WITH table, the columns there that its own are, by position. */
type DefinedBy = (rel: CteScan) => readonly (Column | undefined)[];

/** Shows `see` every relation below `plan` until nothing more gets `known`: what is known of one column may say something of another. */
export function learnFrom(plan: LogicalPlan, known: { readonly size: number }, see: (rel: Rel, definedBy: DefinedBy) => void): void {
  const ctes = new Map(plan.ctes.map(({ id, columns }) => [id, columns]));
  const definedBy: DefinedBy = ({ cte }) => ctes.get(cte) ?? [];
  const rels: Rel[] = [];
  visitRels(plan, (rel) => rels.push(rel));
  // Innermost first: most is learnt at once.
  rels.reverse();
  for (let before = -1; before !== known.size; ) {
    before = known.size;
    spend(rels.length);
    for (const rel of rels) see(rel, definedBy);
  }
}

/** Whether `test` holds for the expression or anything in it. */
export function contains(expr: Expr, test: (expr: Expr) => boolean): boolean {
  let found = test(expr);
  visit(expr, (e) => {
    found ||= test(e);
  });
  return found;
}

/** Ids of the columns that `node` reads, anywhere below it. */
export function columnsRead(node: object, into: Set<number> = new Set()): Set<number> {
  const read = (expr: Expr): void => {
    if (expr.kind === 'column') into.add(expr.column.id);
    if (expr.kind === 'subquery') into.add(expr.column.id);
  };
  // The node itself counts when it is an expression.
  if (isExpr(node as Shape)) read(node as Expr);
  visit(node, read, (rel) => {
    for (const column of namedColumns(rel)) into.add(column.id);
  });
  return into;
}

/** Columns that a relation reads by name rather than in expressions. */
export function namedColumns(rel: Rel): readonly Column[] {
  if (rel.kind === 'distinct') return rel.columns;
  if (rel.kind === 'set_operation') return rel.inputs.flatMap((i) => i.columns);
  return [];
}

/** A text equal for expressions that mean the same: spans do not count. */
export function exprKey(expr: Expr): string {
  return JSON.stringify(expr, (key, value: unknown) => {
    if (key === 'span') return undefined;
    spend(1);
    if (key === 'fn' && isShape(value)) return value['name'];
    if (key === 'column' && isShape(value)) return value['id'];
    if (typeof value === 'bigint') return `${value}n`;
    if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
    return Object.is(value, -0) ? '-0' : value;
  });
}

/** `rel` reading other columns: every place that names a column, in expressions or by itself, is mapped. */
export function renameColumns(rel: Rel, rename: (column: Column) => Column): Rel {
  const renameExpr = (expr: Expr): Expr => {
    if (expr.kind === 'column' || expr.kind === 'subquery') {
      const column = rename(expr.column);
      return column === expr.column ? expr : { ...expr, column };
    }
    return expr;
  };
  const all = (columns: readonly Column[]): readonly Column[] => (columns.some((c) => rename(c) !== c) ? columns.map(rename) : columns);
  const renameRel = (r: Rel): Rel => {
    if (r.kind === 'distinct') return { ...r, columns: all(r.columns) };
    if (r.kind === 'set_operation') return { ...r, inputs: r.inputs.map((i) => ({ ...i, columns: all(i.columns) })) };
    return r;
  };
  return rewriteRel(rewriteRelExprs(rel, renameExpr), renameRel);
}
