// `unnest(m.request) r … where regexp_contains(r.url, …)`: an event without such a request gives no row, so events are filtered by their arrays
// before these are walked, and of the others no other field is read. Measured on 2M rows, 8 % of which match: 205 ms become 110.
import { scalarBuiltIn } from '../../functions/index.ts';
import { fieldAt } from '../../layouts/nested/fields.ts';
import { splitConjunction } from '../../logical/conjuncts.ts';
import type { Column, Expr, Rel, ResolvedQuery, ScanColumn, SourceScan } from '../../logical/resolved.ts';
import { columnsRead, contains, rewriteExpr, rewriteRel, visitRels } from '../../logical/rewrite.ts';
import { BOOL } from '../../types.ts';
import { inPlace, isConstantIn, shows } from '../column-origin.ts';
import type { PassContext } from '../pass.ts';
import { rejectingNull } from './eliminate-redundant-predicates.ts';

export function filterBeforeUnnest(query: ResolvedQuery, context: PassContext): ResolvedQuery {
  const rels = [query.rel, ...query.ctes.map((c) => c.rel)];
  /** By id of an element, the column that it is an element of. */
  const arrays = new Map<number, Column>();
  const leaves = new Map<number, Column>();
  const learn = (rel: Rel): void => {
    if (rel.kind === 'unnest' && rel.input !== null) {
      for (const { array, element } of [rel, ...(rel.beside ?? [])]) if (array.kind === 'column') arrays.set(element.id, array.column);
    }
    if (rel.kind === 'source_scan') for (const c of rel.columns) if (isFiltered(rel, c)) leaves.set(c.column.id, c.column);
  };
  for (const rel of rels) {
    learn(rel);
    visitRels(rel, learn);
  }
  if (leaves.size === 0) return query;

  const added = new Map<number, Expr[]>();
  const find = (rel: Rel): Rel => {
    if (rel.kind !== 'filter') return rel;
    for (const condition of splitConjunction(rel.condition)) {
      const read = [...columnsRead(condition)];
      const [element, ...others] = read.filter((id) => arrays.has(id));
      if (element === undefined || others.length > 0 || !rejectingNull(condition).includes(element)) continue;
      if (contains(condition, (e) => e.kind === 'subquery' || (e.kind === 'call' && e.fn.volatile === true))) continue;
      const constants = read.filter((id) => id !== element);
      if (!constants.every((id) => isConstantIn(columnRef({ id, name: '', type: BOOL }, condition), rel.input))) continue;
      const root = rootOf(element, arrays);
      if (!leaves.has(root) || !shows(rel.input, root)) continue;
      const test = holdsElement(element, inPlace(condition, rel.input), arrays, context);
      added.set(root, [...(added.get(root) ?? []), test]);
    }
    return rel;
  };
  for (const rel of rels) rewriteRel(rel, find);
  if (added.size === 0) return query;
  const filter = (rel: Rel): Rel => {
    if (rel.kind !== 'source_scan') return rel;
    const tests = rel.columns.flatMap((c) => added.get(c.column.id) ?? []);
    return tests.reduce<Rel>((input, condition) => ({ kind: 'filter', input, condition }), rel);
  };
  return { ...query, rel: rewriteRel(query.rel, filter), ctes: query.ctes.map((c) => ({ ...c, rel: rewriteRel(c.rel, filter) })) };
}

/**
 * A nested leaf that is NULL where its record is not there. Of one that equals a column of the key, the events are filtered by that column.
 */
function isFiltered({ source }: SourceScan, { part, from }: ScanColumn): boolean {
  if (part.kind !== 'elements' || from.read.layout !== 'nested') return false;
  const field = fieldAt(from.read.record, part.path);
  const path = [from.name, ...part.path].join('.');
  if (Object.values(source.sameAs ?? {}).some((same) => same.join('.') === path)) return false;
  return field?.kind === 'leaf' && field.clickhouseType.includes('Nullable(');
}

function rootOf(element: number, arrays: ReadonlyMap<number, Column>): number {
  let at = element;
  for (let array = arrays.get(at); array !== undefined; array = arrays.get(at)) at = array.id;
  return at;
}

/** Whether some element of the arrays that `element` is walked from fulfils the condition. */
function holdsElement(element: number, condition: Expr, arrays: ReadonlyMap<number, Column>, context: PassContext): Expr {
  const array = arrays.get(element);
  if (array === undefined) return condition;
  const type = array.type.kind === 'ARRAY' ? array.type.element : array.type;
  const parameter = context.newColumn('element', type);
  const body = rewriteExpr(condition, (e) => (e.kind === 'column' && e.column.id === element ? columnRef(parameter, e) : e));
  const { span } = condition;
  const test: Expr = { kind: 'lambda', parameters: [parameter], body, type: BOOL, span };
  const fn = scalarBuiltIn('ARRAY_INCLUDES');
  const held: Expr = { kind: 'call', fn, args: [columnRef(array, condition), test], safe: false, type: BOOL, span };
  return holdsElement(array.id, held, arrays, context);
}

const columnRef = (column: Column, { span }: Expr): Expr => ({ kind: 'column', column, type: column.type, span });
