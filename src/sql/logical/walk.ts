// Structural walks over the logical plan: what stands below a node is found by the table of its parts.
import { spend } from '../base/budget.ts';
import type { AggregateCall, Column, Expr, LogicalPlan, Rel, WindowCall } from './nodes.ts';

type Node = Expr | Rel;
/** `true` if expressions or relations stand in a value of type T, in a list or one object deep. */
type Holds<T> = T extends Node | AggregateCall | WindowCall
  ? true
  : T extends readonly (infer Item)[]
    ? Holds<Item>
    : T extends object
      ? Extract<T[keyof T], Node | AggregateCall | WindowCall> extends never
        ? false
        : true
      : false;
/** The properties of a node in which expressions or relations stand: the compiler wants each of them, and no other. */
type PartsOf<N> = { readonly [K in keyof N as true extends Holds<N[K]> ? K : never]-?: true };

const EXPR_PARTS: { readonly [K in Expr['kind']]: PartsOf<Extract<Expr, { readonly kind: K }>> } = {
  literal: {},
  column: {},
  parameter: {},
  instant: {},
  call: { args: true },
  cast: { operand: true, format: true, timeZone: true },
  case: { whens: true, otherwise: true },
  struct: { fields: true },
  field: { of: true },
  record_field: { of: true },
  array: { elements: true },
  subquery: { input: true, needle: true },
  lambda: { body: true },
  date_part: {},
  aggregate: { call: true },
  window: { call: true },
};
const REL_PARTS: { readonly [K in Rel['kind']]: PartsOf<Extract<Rel, { readonly kind: K }>> } = {
  one_row: {},
  source_scan: {},
  cte_scan: {},
  join: { left: true, right: true, on: true },
  unnest: { zipped: true, input: true, array: true },
  filter: { input: true, condition: true },
  project: { input: true, items: true },
  aggregate: { input: true, keys: true, aggregates: true },
  window: { input: true, items: true },
  distinct: { input: true },
  order_limit: { input: true, orderBy: true, limit: true, offset: true },
  set_operation: { inputs: true },
  gather: { input: true },
};
/** The properties of objects between nodes, such as calls and items, that never hold expressions or relations. */
const LEAVES: ReadonlySet<string> = new Set(['type', 'span', 'fn', 'column', 'columns', 'element']);

type Shape = Readonly<Record<string, unknown>>;
const isShape = (value: unknown): value is Shape => typeof value === 'object' && value !== null;

interface Anatomy {
  readonly role: 'expr' | 'rel';
  readonly parts: readonly string[];
}
// Maps are faster than objects, and this is looked up for every part of every tree.
const anatomies = (table: object, role: Anatomy['role']): ReadonlyMap<unknown, Anatomy> =>
  new Map(Object.entries(table).map(([kind, parts]: [string, object]) => [kind, { role, parts: Object.keys(parts) }]));
const exprs = anatomies(EXPR_PARTS, 'expr');
const nodes: ReadonlyMap<unknown, Anatomy> = new Map([...exprs, ...anatomies(REL_PARTS, 'rel')]);

/** Returns the anatomy of a node, or undefined of another object. Two kinds are an expression and a relation: only expressions have a place in the text. */
function anatomyOf(value: Shape): Anatomy | undefined {
  const { kind } = value;
  const found = nodes.get(kind);
  return (kind === 'aggregate' || kind === 'window') && value['span'] !== undefined ? exprs.get(kind) : found;
}

interface Mapping {
  readonly expr: (expr: Expr) => Expr;
  readonly rel: (rel: Rel) => Rel;
}

/** Returns `node` with `mapping` applied to its nearest expressions and relations; the same object when nothing changed. */
export function mapChildren<T extends object>(node: T, mapping: Mapping): T {
  spend(1);
  // A node's own shape is kept: only expression and relation properties are replaced, by others of the same role.
  return mapParts(node as Shape, anatomyOf(node as Shape), mapping) as T;
}

function mapParts(node: Shape, anatomy: Anatomy | undefined, mapping: Mapping): Shape {
  let changed: Record<string, unknown> | undefined;
  // An object that is no node is walked by its own keys: this is the translator's innermost loop, which makes no lists and no functions.
  if (anatomy === undefined)
    for (const key in node) {
      const value = node[key];
      if (!isShape(value) || LEAVES.has(key)) continue;
      const mapped = mapValue(value, mapping);
      if (mapped === value) continue;
      changed ??= { ...node };
      changed[key] = mapped;
    }
  else
    for (const key of anatomy.parts) {
      const value = node[key];
      if (!isShape(value)) continue;
      const mapped = mapValue(value, mapping);
      if (mapped === value) continue;
      changed ??= { ...node };
      changed[key] = mapped;
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
  const anatomy = anatomyOf(value);
  if (anatomy === undefined) return mapParts(value, undefined, mapping);
  return anatomy.role === 'expr' ? mapping.expr(value as unknown as Expr) : mapping.rel(value as unknown as Rel);
}

interface Visitor {
  readonly expr?: (expr: Expr) => void;
  readonly rel?: (rel: Rel) => void;
}

/** Calls `visitor` with the expressions and relations nearest below `node`. */
export function eachChild(node: object, visitor: Visitor): void {
  spend(1);
  showParts(node as Shape, anatomyOf(node as Shape), visitor);
}

function showParts(node: Shape, anatomy: Anatomy | undefined, visitor: Visitor): void {
  if (anatomy !== undefined) {
    for (const key of anatomy.parts) {
      const value = node[key];
      if (isShape(value)) show(value, visitor);
    }
    return;
  }
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
  const anatomy = anatomyOf(value);
  if (anatomy === undefined) showParts(value, undefined, visitor);
  else if (anatomy.role === 'expr') visitor.expr?.(value as unknown as Expr);
  else visitor.rel?.(value as unknown as Rel);
}

/** Returns the expressions right below, without those of subqueries. */
export function childrenOf(node: Expr | Rel): readonly Expr[] {
  const children: Expr[] = [];
  eachChild(node, { expr: (child) => void children.push(child) });
  return children;
}

/** Returns the relations right below, without those of subqueries. */
export function inputsOf(rel: Rel): readonly Rel[] {
  const inputs: Rel[] = [];
  eachChild(rel, { rel: (input) => void inputs.push(input) });
  return inputs;
}

/** True of an expression without parts, which most of a tree are. */
const isLeaf = (expr: Expr): boolean => exprs.get(expr.kind)?.parts.length === 0;

/** Returns the plan with `change` applied to the relation of the query and to that of each WITH table. */
export const mapPlan = (plan: LogicalPlan, change: (rel: Rel) => Rel): LogicalPlan => mapChildren(plan, { expr: (e) => e, rel: change });

/** Rewrites expressions bottom-up, also those inside subqueries' relations. */
export const rewriteExpr = (expr: Expr, change: (expr: Expr) => Expr): Expr => rewriting({ expr: change }).expr(expr);

/** Rewrites every expression of a relation, bottom-up. */
export const rewriteExprsOf = (rel: Rel, change: (expr: Expr) => Expr): Rel => rewriting({ expr: change }).rel(rel);

/** Returns a mapping that walks a tree bottom-up. */
function rewriting({ expr = (e) => e, rel = (r) => r }: Partial<Mapping>): Mapping {
  const mapping: Mapping = { expr: (e) => expr(mapChildren(e, mapping)), rel: (r) => rel(mapChildren(r, mapping)) };
  return mapping;
}

const relations = new WeakMap<Expr, boolean>();

/** True if a subquery stands in the expression. Few have one, trees never change, and most walks look for relations, so the answer is remembered. */
export function hasSubquery(expr: Expr): boolean {
  if (isLeaf(expr)) return false;
  let found = relations.get(expr);
  if (found !== undefined) return found;
  found = false;
  eachChild(expr, {
    expr: (e) => {
      found ||= hasSubquery(e);
    },
    rel: () => {
      found = true;
    },
  });
  relations.set(expr, found);
  return found;
}

/** True if there is a subquery anywhere below `node`. */
export function holdsSubquery(node: object): boolean {
  let found = false;
  const visitor: Visitor = {
    expr: (e) => {
      found ||= hasSubquery(e);
    },
    rel: (r) => eachChild(r, visitor),
  };
  eachChild(node, visitor);
  return found;
}

/** Rewrites relations bottom-up, also those of subqueries. */
export function rewriteRel(rel: Rel, change: (rel: Rel) => Rel): Rel {
  const mapping: Mapping = {
    expr: (e) => (hasSubquery(e) ? mapChildren(e, mapping) : e),
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

/** Plans never change, and most rules leave a plan as it is. */
const known = new WeakMap<Relations, readonly Rel[]>();

/** A plan, or several relations that read the same WITH tables. */
export type Relations = Pick<LogicalPlan, 'ctes'>;

/** Returns all relations of a plan, parents first. */
export function relationsOf(plan: Relations): readonly Rel[] {
  let rels = known.get(plan);
  if (rels === undefined) {
    const found: Rel[] = [];
    visitRels(plan, (rel) => found.push(rel));
    rels = found;
    known.set(plan, rels);
  }
  spend(rels.length);
  return rels;
}

/** Visits every relation below `node`, parents first. */
export function visitRels(node: object, onRel: (rel: Rel) => void): void {
  const visitor: Visitor = {
    expr: (e) => {
      if (hasSubquery(e)) eachChild(e, visitor);
    },
    rel: (r) => {
      onRel(r);
      eachChild(r, visitor);
    },
  };
  eachChild(node, visitor);
}

/** True if `test` holds for the expression or anything in it. */
export const contains = (expr: Expr, test: (expr: Expr) => boolean): boolean => test(expr) || holds(expr, test);

/** True if `test` holds for any expression below `node`. */
export function holds(node: object, test: (expr: Expr) => boolean): boolean {
  let found = false;
  visit(node, (e) => {
    found ||= test(e);
  });
  return found;
}

/** Returns the ids of the columns that `node` reads, anywhere below it. */
export function columnsRead(node: object, into: Set<number> = new Set()): Set<number> {
  const read = (expr: Expr): void => {
    if (expr.kind === 'column') into.add(expr.column.id);
    if (expr.kind === 'subquery') into.add(expr.column.id);
  };
  // The node itself counts when it is an expression.
  if (anatomyOf(node as Shape)?.role === 'expr') read(node as Expr);
  visit(node, read, (rel) => {
    for (const column of namedColumns(rel)) into.add(column.id);
  });
  return into;
}

/** Returns the columns that a relation reads by name rather than in expressions. */
export function namedColumns(rel: Rel): readonly Column[] {
  if (rel.kind === 'distinct') return rel.columns;
  if (rel.kind === 'set_operation') return rel.inputs.flatMap((i) => i.columns);
  return [];
}

/** Returns a text that is equal for expressions that mean the same: spans do not count. */
export const exprKey = (expr: Expr): string => keyOf(expr);

function keyOf(value: unknown): string {
  if (!isShape(value)) {
    if (typeof value === 'string') return JSON.stringify(value);
    if (typeof value === 'bigint') return `${value}n`;
    return Object.is(value, -0) ? '-0' : String(value);
  }
  spend(1);
  if (Array.isArray(value)) return `[${value.map(keyOf).join()}]`;
  let key = '{';
  for (const name in value) {
    const part = value[name];
    if (name === 'span' || part === undefined) continue;
    const identity = name === 'fn' ? 'name' : 'id';
    key += `${name}:${(name === 'fn' || name === 'column') && isShape(part) ? String(part[identity]) : keyOf(part)},`;
  }
  return `${key}}`;
}

/** Returns `rel` with other columns: every place that names a column, in expressions or by itself, is mapped. */
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
