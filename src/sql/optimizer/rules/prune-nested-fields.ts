// UNNEST of records in an Array(Tuple(…)) column walks the arrays of the leaves that the query reads, in step: `unnest(metadata) m, unnest(m.request) r
// … m.id, r.path` is ARRAY JOIN metadata.id, metadata.request.path, and then ARRAY JOIN of the second. Walking the column itself would read all of it.

import { scalarBuiltIn } from '../../functions/index.ts';
import { anyLeaf, checkField, directLeaves, fieldAt, levelsOf, repeats } from '../../layouts/nested/fields.ts';
import type { NestedRead } from '../../layouts/nested/read.ts';
import type { Column, Expr, RecordField, Rel, ResolvedQuery, ScanColumn, Unnest } from '../../logical/resolved.ts';
import { mapChildren, rewriteRel, visitRels } from '../../logical/rewrite.ts';
import type { SourceColumn } from '../../source.ts';
import { arrayOf, BOOL, INT64, STRING, type Type } from '../../types.ts';
import type { PassContext } from '../pass.ts';

/** A path inside of a nested column, and what it starts from: the column itself or the element of an UNNEST. */
interface Place {
  readonly root: number;
  /** Id of the UNNEST's element; null: the scan's column. */
  readonly owner: number | null;
  /** From the column's top. */
  readonly path: readonly string[];
}

interface Root {
  readonly from: SourceColumn;
  readonly read: NestedRead;
}

interface Need {
  readonly path: readonly string[];
  readonly column: Column;
  /** The column of the owner below that this one is an element of. */
  readonly source: Column;
}

const at = { start: 0, end: 0 };
const ref = (column: Column): Expr => ({ kind: 'column', column, type: column.type, span: at });

export function unnestNestedLeaves(query: ResolvedQuery, context: PassContext): ResolvedQuery {
  const rels = [query.rel, ...query.ctes.map((c) => c.rel)];
  const eachRel = (see: (rel: Rel) => void): void => {
    for (const rel of rels) {
      see(rel);
      visitRels(rel, see);
    }
  };
  const roots = new Map<number, Root>();
  eachRel((rel) => {
    if (rel.kind !== 'source_scan') return;
    for (const { column, from } of rel.columns) {
      const { read } = from;
      if (read.layout === 'nested' && read.oneElement !== true && repeats(read.record)) roots.set(column.id, { from, read });
    }
  });
  if (roots.size === 0) return query;
  const rootOf = (place: Place): Root => {
    const root = roots.get(place.root);
    if (root === undefined) throw new RangeError('a place has a root');
    return root;
  };

  /** Elements of UNNESTs: where their record lies, as seen from what the UNNEST starts from. */
  const elements = new Map<number, { readonly place: Place; readonly unnest: Unnest }>();
  const placeOf = (expr: Expr): Place | undefined => {
    if (expr.kind === 'column') {
      const { id } = expr.column;
      if (roots.has(id)) return { root: id, owner: null, path: [] };
      const element = elements.get(id);
      return element === undefined ? undefined : { ...element.place, owner: id };
    }
    if (expr.kind !== 'record_field') return undefined;
    const of = placeOf(expr.of);
    if (of === undefined) return undefined;
    const path = [...of.path, expr.name];
    checkField(rootOf(of).read, path, expr.span);
    return { ...of, path };
  };
  for (let before = -1; before !== elements.size; ) {
    before = elements.size;
    eachRel((rel) => {
      if (rel.kind !== 'unnest' || rel.input === null) return;
      const place = placeOf(rel.array);
      if (place !== undefined && fieldAt(rootOf(place).read.record, place.path)?.kind === 'record') {
        elements.set(rel.element.id, { place, unnest: rel });
      }
    });
  }

  const added = new Map<number, Map<string, ScanColumn>>();
  const needs = new Map<number, Map<string, Need>>();
  /** The values at a path as the owner shows them: wrapped in an array for each level that is not unnested there yet. */
  const need = ({ root, owner, path }: Place, type: Type): Column => {
    const { from, read } = rootOf({ root, owner, path });
    const key = JSON.stringify(path);
    const name = path.at(-1) ?? from.name;
    if (owner === null) {
      const columns = added.get(root) ?? new Map<string, ScanColumn>();
      added.set(root, columns);
      const known = columns.get(key);
      if (known !== undefined) return known.column;
      const column = context.newColumn(name, wrapped(type, levelsOf(read.record, path)));
      columns.set(key, { column, from, part: { kind: 'elements', path } });
      return column;
    }
    const own = needs.get(owner) ?? new Map<string, Need>();
    needs.set(owner, own);
    const known = own.get(key);
    if (known !== undefined) return known.column;
    const element = elements.get(owner);
    if (element === undefined) throw new RangeError('an owner is an element');
    const { place, unnest } = element;
    const whole = path.length === place.path.length;
    const column = whole
      ? unnest.element
      : context.newColumn(name, wrapped(type, levelsOf(read.record, path) - levelsOf(read.record, place.path)));
    own.set(key, { path, column, source: need({ root, owner: place.owner, path }, type) });
    return column;
  };

  const readField = (expr: RecordField): Expr => {
    const place = placeOf(expr);
    if (place === undefined || fieldAt(rootOf(place).read.record, place.path)?.kind !== 'leaf') return expr;
    const column = need(place, expr.type);
    return { kind: 'column', column, type: column.type, span: expr.span };
  };
  const readExpr = (expr: Expr): Expr => {
    if (expr.kind === 'column') {
      // The record as a value: its JSON text.
      const element = elements.get(expr.column.id);
      if (element !== undefined) need({ ...element.place, owner: expr.column.id }, STRING);
      return expr;
    }
    const read = expr.kind === 'record_field' ? readField(expr) : expr;
    return read === expr ? mapChildren(expr, { expr: readExpr, rel: readRel }) : read;
  };
  const readRel = (rel: Rel): Rel => {
    if (rel.kind !== 'unnest' || !elements.has(rel.element.id)) return mapChildren(rel, { expr: readExpr, rel: readRel });
    return { ...rel, input: rel.input === null ? null : readRel(rel.input) };
  };
  const read = { ...query, rel: readRel(query.rel), ctes: query.ctes.map((c) => ({ ...c, rel: readRel(c.rel) })) };
  for (const output of query.outputs) readExpr(ref(output.column));
  for (const cte of query.ctes) for (const column of cte.columns) readExpr(ref(column));

  // Deepest first: what they need, the ones above them need too.
  const byDepth = [...elements].sort(([, a], [, b]) => b.place.path.length - a.place.path.length);
  const presence = new Map<number, Expr>();
  for (const [id, { place, unnest }] of byDepth) {
    const { record } = rootOf(place).read;
    const field = fieldAt(record, place.path);
    if (field?.kind !== 'record') continue;
    if (!field.repeated && !unnest.outer) {
      const condition = heldBy(directLeaves(field), (name) => ref(need({ ...place, owner: id, path: [...place.path, name] }, STRING)));
      if (condition !== undefined) presence.set(id, condition);
    }
    if ((needs.get(id)?.size ?? 0) > 0) continue;
    // Nothing of the record is read, but each one is a row.
    const leaf = anyLeaf(record, place.path);
    need({ ...place, owner: id, path: leaf ?? place.path }, STRING);
  }

  const flatten = (rel: Unnest): Rel => {
    const element = elements.get(rel.element.id);
    const [firstNeed, ...others] = needs.get(rel.element.id)?.values() ?? [];
    if (element === undefined || firstNeed === undefined) return rel;
    const { place } = element;
    const field = fieldAt(rootOf(place).read.record, place.path);
    if (field?.kind === 'record' && field.repeated) {
      return {
        ...rel,
        array: ref(firstNeed.source),
        element: firstNeed.column,
        beside: others.map((n) => ({ array: ref(n.source), element: n.column })),
        // An event always has its one top record.
        outer: rel.outer || place.path.length === 0,
      };
    }
    const items = [firstNeed, ...others].map((n) => ({ column: n.column, value: ref(n.source) }));
    const offset =
      rel.offset === null ? [] : [{ column: rel.offset, value: { kind: 'literal', value: 0n, type: INT64, span: at } as const }];
    const flat: Rel = { kind: 'project', input: rel.input ?? { kind: 'one_row' }, items: [...items, ...offset] };
    const condition = presence.get(rel.element.id);
    return condition === undefined ? flat : { kind: 'filter', input: flat, condition };
  };
  const extend = (rel: Rel): Rel => {
    if (rel.kind !== 'source_scan') return rel;
    const more = rel.columns.flatMap((c) => [...(added.get(c.column.id)?.values() ?? [])]);
    return more.length === 0 ? rel : { ...rel, columns: [...rel.columns, ...more] };
  };
  const finish = (rel: Rel): Rel => rewriteRel(rel, (r) => (r.kind === 'unnest' ? flatten(r) : extend(r)));
  return { ...read, rel: finish(read.rel), ctes: read.ctes.map((c) => ({ ...c, rel: finish(c.rel) })) };
}

function wrapped(type: Type, levels: number): Type {
  return levels === 0 ? type : arrayOf(wrapped(type, levels - 1));
}

/** A Tuple is always there: one without any value stands for a record that the event has not. undefined where some leaf is never NULL. */
function heldBy(leaves: readonly { readonly name: string; readonly nullable: boolean }[], value: (name: string) => Expr): Expr | undefined {
  if (leaves.length === 0 || leaves.some((leaf) => !leaf.nullable)) return undefined;
  const held = leaves.map((leaf): Expr => {
    const operand = value(leaf.name);
    const isNull: Expr = { kind: 'call', fn: scalarBuiltIn('$is_null'), args: [operand], safe: false, type: BOOL, span: at };
    return { kind: 'call', fn: scalarBuiltIn('$not'), args: [isNull], safe: false, type: BOOL, span: at };
  });
  return held.reduce((left, right) => ({ kind: 'call', fn: scalarBuiltIn('$or'), args: [left, right], safe: false, type: BOOL, span: at }));
}
