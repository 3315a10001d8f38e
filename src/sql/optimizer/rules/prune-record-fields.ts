// UNNEST of a record that holds one element per event becomes a direct read of the paths below it: `unnest(metadata) m, unnest(m.request) r … r.path`
// reads the subcolumn metadata.request.path, the map's entry `request.path`, or that path of the text. An UNNEST left in place would read the whole record of every row.

import { recordLayoutOf } from '../../layouts/index.ts';
import type { Column, Expr, FunctionCall, RecordField, Rel, ResolvedQuery, ScanColumn, Unnest } from '../../logical/resolved.ts';
import { mapChildren, rewriteRel, visit } from '../../logical/rewrite.ts';
import type { SourceColumn } from '../../source.ts';
import { BOOL, INT64, type Type } from '../../types.ts';
import type { PassContext } from '../pass.ts';

/** A record at a path of a source's record column. */
interface Place {
  /** Id of the scan's column for the whole record. */
  readonly root: number;
  readonly path: readonly string[];
}

export function readRecordPaths(query: ResolvedQuery, context: PassContext): ResolvedQuery {
  const roots = new Map<number, SourceColumn>();
  const elements = new Map<number, Place>();
  const rels = [query.rel, ...query.ctes.map((c) => c.rel)];
  const withFields = new Set<number>();
  const unnests: Unnest[] = [];
  const onRel = (rel: Rel): void => {
    if (rel.kind === 'unnest') unnests.push(rel);
    if (rel.kind !== 'source_scan') return;
    for (const { column, from } of rel.columns) {
      if (recordLayoutOf(from.read)?.oneElement(from.read) === true && from.type.kind === 'ARRAY' && from.type.element.kind === 'RECORD')
        roots.set(column.id, from);
    }
  };
  for (const rel of rels) {
    onRel(rel);
    visit(rel, (e) => e.kind === 'record_field' && e.of.kind === 'column' && withFields.add(e.of.column.id), onRel);
  }
  if (roots.size === 0) return query;

  /** Where an array of records or one of its elements' fields lies, if it is a path of a source. */
  const placeOf = (expr: Expr): Place | undefined => {
    if (expr.kind === 'column') return roots.has(expr.column.id) ? { root: expr.column.id, path: [] } : elements.get(expr.column.id);
    if (expr.kind === 'call') return firstElement(expr) ? placeOf(expr.args[0] ?? expr) : undefined;
    if (expr.kind !== 'record_field') return undefined;
    const of = placeOf(expr.of);
    return of === undefined ? undefined : { root: of.root, path: [...of.path, expr.name] };
  };
  // An UNNEST may start from the element of another that is visited later: repeat until nothing new is found.
  for (let before = -1; before !== elements.size; ) {
    before = elements.size;
    for (const { element, array } of unnests) {
      // What an undeclared field holds is known by its use: elements that have fields are records.
      const { id, type } = element;
      const place = type.kind === 'RECORD' || (type.kind === 'DYNAMIC' && withFields.has(id)) ? placeOf(array) : undefined;
      if (place !== undefined) elements.set(id, place);
    }
  }

  const added = new Map<number, Map<string, ScanColumn>>();
  const scanColumn = (place: Place, kind: 'path' | 'present', type: Column['type']): Column => {
    const columns = added.get(place.root) ?? new Map<string, ScanColumn>();
    added.set(place.root, columns);
    const key = JSON.stringify([kind, place.path, type.kind]);
    const known = columns.get(key);
    if (known !== undefined) return known.column;
    const from = roots.get(place.root);
    if (from === undefined) throw new RangeError('a place has a root');
    const column = context.newColumn(place.path.at(-1) ?? from.name, type);
    columns.set(key, { column, from, part: { kind, path: place.path } });
    return column;
  };

  const readField = (expr: RecordField): Expr => {
    const place = placeOf(expr);
    const read = place === undefined ? undefined : roots.get(place.root)?.read;
    if (place !== undefined && read !== undefined) recordLayoutOf(read)?.checkField?.(read, place.path, expr.span);
    return place === undefined ? expr : { kind: 'column', column: scanColumn(place, 'path', expr.type), type: expr.type, span: expr.span };
  };
  /** An undeclared field that is unnested and no record: an array of values, which only the record's whole text has in every case. */
  const arrayAt = (array: Expr): Expr | undefined => {
    const place = array.type.kind === 'DYNAMIC' ? placeOf(array) : undefined;
    const read = place === undefined ? undefined : roots.get(place.root)?.read;
    if (place === undefined || read === undefined || recordLayoutOf(read)?.undeclaredArrays !== true) return undefined;
    const { span, type } = array;
    const record: Type = { kind: 'RECORD', fields: [] };
    const column = scanColumn({ root: place.root, path: [] }, 'path', record);
    return place.path.reduce<Expr>((of, name) => ({ kind: 'record_field', of, name, type, span }), {
      kind: 'column',
      column,
      type: record,
      span,
    });
  };
  const flatten = (rel: Unnest): Rel => {
    const place = elements.get(rel.element.id);
    if (place === undefined || rel.input === null) return rel;
    const { span } = rel.array;
    const whole: Expr = { kind: 'column', column: scanColumn(place, 'path', rel.element.type), type: rel.element.type, span };
    const offset = rel.offset === null ? [] : [{ column: rel.offset, value: { kind: 'literal', value: 0n, type: INT64, span } as const }];
    const flat: Rel = { kind: 'project', input: rel.input, items: [{ column: rel.element, value: whole }, ...offset] };
    // An event always has its one top record.
    if (rel.outer || place.path.length === 0) return flat;
    return { kind: 'filter', input: flat, condition: { kind: 'column', column: scanColumn(place, 'present', BOOL), type: BOOL, span } };
  };
  /** A path column is made by the scan of its root. */
  const extend = (rel: Rel): Rel => {
    if (rel.kind !== 'source_scan') return rel;
    const more = rel.columns.flatMap((c) => [...(added.get(c.column.id)?.values() ?? [])]);
    return more.length === 0 ? rel : { ...rel, columns: [...rel.columns, ...more] };
  };

  // Outermost fields first: m.a.b is one path, not a field of the value at m.a.
  const readExpr = (expr: Expr): Expr => {
    const read = expr.kind === 'record_field' ? readField(expr) : expr;
    return read === expr ? mapChildren(expr, { expr: readExpr, rel: readRel }) : read;
  };
  const readRel = (rel: Rel): Rel => {
    if (rel.kind !== 'unnest' || elements.has(rel.element.id)) return mapChildren(rel, { expr: readExpr, rel: readRel });
    return { ...rel, input: rel.input === null ? null : readRel(rel.input), array: arrayAt(rel.array) ?? readExpr(rel.array) };
  };
  const change = (rel: Rel): Rel => rewriteRel(readRel(rel), (r) => (r.kind === 'unnest' ? flatten(r) : r));
  const changed = { ...query, rel: change(query.rel), ctes: query.ctes.map((c) => ({ ...c, rel: change(c.rel) })) };
  // Only now is it known which paths are read.
  return { ...changed, rel: rewriteRel(changed.rel, extend), ctes: changed.ctes.map((c) => ({ ...c, rel: rewriteRel(c.rel, extend) })) };
}

/** `records[OFFSET(0)]`: the one element that an array of records has here. */
function firstElement({ fn, args }: FunctionCall): boolean {
  const first = { $offset: 0n, $safe_offset: 0n, $ordinal: 1n, $safe_ordinal: 1n }[fn.name];
  const index = args[1];
  return (
    first !== undefined &&
    index?.kind === 'literal' &&
    index.value === first &&
    args[0]?.type.kind === 'ARRAY' &&
    args[0].type.element.kind === 'RECORD'
  );
}
