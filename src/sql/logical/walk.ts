// Structural walks over the logical plan: children are found by shape, so a new kind needs no entry here.
import { spend } from '../budget.ts';
import type { Column, CteScan, Expr, LogicalPlan, Rel } from './nodes.ts';

/** What a node of this kind is; `either`: an expression if it has a place in the text, else a relation. */
type Role = 'expr' | 'rel' | 'either';
const KINDS: Readonly<Record<Expr['kind'] | Rel['kind'], Role>> = {
  literal: 'expr',
  column: 'expr',
  parameter: 'expr',
  instant: 'expr',
  call: 'expr',
  cast: 'expr',
  case: 'expr',
  struct: 'expr',
  field: 'expr',
  record_field: 'expr',
  array: 'expr',
  subquery: 'expr',
  lambda: 'expr',
  date_part: 'expr',
  aggregate: 'either',
  window: 'either',
  one_row: 'rel',
  source_scan: 'rel',
  cte_scan: 'rel',
  join: 'rel',
  unnest: 'rel',
  filter: 'rel',
  project: 'rel',
  distinct: 'rel',
  order_limit: 'rel',
  set_operation: 'rel',
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
const CHILDLESS: ReadonlySet<unknown> = new Set<Expr['kind']>(['literal', 'column', 'parameter', 'instant', 'date_part']);

type Shape = Readonly<Record<string, unknown>>;
const isShape = (value: unknown): value is Shape => typeof value === 'object' && value !== null;
// Maps are asked faster than objects: this is asked of every part of every tree.
const roles: ReadonlyMap<unknown, Role> = new Map(Object.entries(KINDS));

function roleOf(value: Shape): 'expr' | 'rel' | undefined {
  const role = roles.get(value['kind']);
  return role === 'either' ? (value['span'] === undefined ? 'rel' : 'expr') : role;
}

interface Mapping {
  readonly expr: (expr: Expr) => Expr;
  readonly rel: (rel: Rel) => Rel;
}

/** `node` with `mapping` applied to its nearest expressions and relations; the same object when nothing changed. */
export function mapChildren<T extends object>(node: T, mapping: Mapping): T {
  spend(1);
  if (CHILDLESS.has((node as Shape)['kind'])) return node;
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
  // The role makes these two casts sound: the kinds are exactly those of the unions.
  const role = roleOf(value);
  if (role === 'expr') return mapping.expr(value as unknown as Expr);
  if (role === 'rel') return mapping.rel(value as unknown as Rel);
  return mapProperties(value, mapping);
}

interface Visitor {
  readonly expr?: (expr: Expr) => void;
  readonly rel?: (rel: Rel) => void;
}

/** Shows `visitor` the expressions and relations nearest below `node`. */
export function eachChild(node: object, visitor: Visitor): void {
  spend(1);
  if (!CHILDLESS.has((node as Shape)['kind'])) showProperties(node as Shape, visitor);
}

function showProperties(node: Shape, visitor: Visitor): void {
  for (const key in node) {
    const value = node[key];
    if (isShape(value) && !LEAVES.has(key)) show(value, visitor);
  }
}

function show(value: Shape, visitor: Visitor): void {
  if (Array.isArray(value)) {
    for (const item of value as readonly unknown[]) if (isShape(item)) show(item, visitor);
    return;
  }
  const role = roleOf(value);
  if (role === 'expr') visitor.expr?.(value as unknown as Expr);
  else if (role === 'rel') visitor.rel?.(value as unknown as Rel);
  else showProperties(value, visitor);
}

/** The plan with `change` applied to the relation of the query and to that of each WITH table. */
export const mapPlan = (plan: LogicalPlan, change: (rel: Rel) => Rel): LogicalPlan => mapChildren(plan, { expr: (e) => e, rel: change });

/** Rewrites expressions bottom-up, also those inside subqueries' relations. */
export const rewriteExpr = (expr: Expr, change: (expr: Expr) => Expr): Expr => rewriting({ expr: change }).expr(expr);

/** A walk over a tree, bottom-up. */
function rewriting({ expr = (e) => e, rel = (r) => r }: Partial<Mapping>): Mapping {
  const mapping: Mapping = { expr: (e) => expr(mapChildren(e, mapping)), rel: (r) => rel(mapChildren(r, mapping)) };
  return mapping;
}

const relations = new WeakMap<Expr, boolean>();

/** Whether a subquery stands in the expression. Few have one, trees never change, and most walks look for relations: it is remembered. */
function holdsRelation(expr: Expr): boolean {
  if (CHILDLESS.has(expr.kind)) return false;
  let found = relations.get(expr);
  if (found !== undefined) return found;
  found = false;
  eachChild(expr, {
    expr: (e) => {
      found ||= holdsRelation(e);
    },
    rel: () => {
      found = true;
    },
  });
  relations.set(expr, found);
  return found;
}

/** Whether there is a subquery anywhere below `node`. */
export function holdsSubquery(node: object): boolean {
  let found = false;
  const visitor: Visitor = {
    expr: (e) => {
      found ||= holdsRelation(e);
    },
    rel: (r) => eachChild(r, visitor),
  };
  eachChild(node, visitor);
  return found;
}

/** Rewrites relations bottom-up, also those of subqueries. */
export function rewriteRel(rel: Rel, change: (rel: Rel) => Rel): Rel {
  const mapping: Mapping = {
    expr: (e) => (holdsRelation(e) ? mapChildren(e, mapping) : e),
    rel: (r) => change(mapChildren(r, mapping)),
  };
  return mapping.rel(rel);
}

/** Visits every expression and relation below `node`, parents first. */
export function visit(node: object, onExpr: (expr: Expr) => void, onRel: (rel: Rel) => void = () => {}): void {
  const visitor: Visitor = {
    expr: (e) => {
      onExpr(e);
      eachChild(e, visitor);
    },
    rel: (r) => {
      onRel(r);
      eachChild(r, visitor);
    },
  };
  eachChild(node, visitor);
}

/** Visits every relation below `node`, parents first. */
export function visitRels(node: object, onRel: (rel: Rel) => void): void {
  const visitor: Visitor = {
    expr: (e) => {
      if (holdsRelation(e)) eachChild(e, visitor);
    },
    rel: (r) => {
      onRel(r);
      eachChild(r, visitor);
    },
  };
  eachChild(node, visitor);
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
  if (roleOf(node as Shape) === 'expr') read(node as Expr);
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
  return rewriting({ expr: renameExpr, rel: renameRel }).rel(rel);
}
