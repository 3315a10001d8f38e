// Where a source says that a column always equals a field of its records (`same_as`), `m.project_ref = @project` also filters the column `project`:
// the primary key begins with it, and a field never prunes. Measured on 10M rows, this alone makes such a query 10 times faster.
import { scalarBuiltIn } from '../functions/index.ts';
import type { Column, Expr, Rel, ResolvedQuery, SourceScan } from '../resolved.ts';
import { columnsRead, contains, rewriteRel, visitRels } from '../rewrite.ts';
import { BOOL } from '../types.ts';
import { shows } from './column-origin.ts';
import { conjuncts } from './conjuncts.ts';

export function filterKeyColumn(query: ResolvedQuery): ResolvedQuery {
  const rels = [query.rel, ...query.ctes.map((c) => c.rel)];
  /** Columns that hold such a field, by id: the column of the scan that equals it. */
  const keys = new Map<number, Column>();
  const learn = (rel: Rel): void => {
    if (rel.kind === 'source_scan') for (const [id, key] of keyColumns(rel)) keys.set(id, key);
    const pass = (from: Expr, to: Column): void => {
      const key = from.kind === 'column' ? keys.get(from.column.id) : undefined;
      if (key !== undefined) keys.set(to.id, key);
    };
    if (rel.kind === 'unnest') for (const walked of [rel, ...(rel.beside ?? [])]) pass(walked.array, walked.element);
    if (rel.kind === 'project') for (const { column, value } of rel.items) pass(value, column);
  };
  // A relation may be visited before the one below it: repeat until nothing new is learnt.
  for (let before = -1; before !== keys.size; ) {
    before = keys.size;
    visitRels({ rels }, learn);
  }
  if (keys.size === 0) return query;
  const change = (rel: Rel): Rel =>
    rewriteRel(rel, (r) => (r.kind === 'filter' ? { ...r, condition: withKeys(r.condition, r.input, keys) } : r));
  return { ...query, rel: change(query.rel), ctes: query.ctes.map((c) => ({ ...c, rel: change(c.rel) })) };
}

function keyColumns({ source, columns }: SourceScan): readonly (readonly [number, Column])[] {
  return Object.entries(source.sameAs ?? {}).flatMap(([name, [record, ...path]]) => {
    const key = columns.find((c) => c.part.kind === 'whole' && c.from.name === name)?.column;
    if (key === undefined) return [];
    return columns.flatMap(({ column, from, part }) =>
      from.name === record && (part.kind === 'path' || part.kind === 'elements') && part.path.join('.') === path.join('.')
        ? [[column.id, key] as const]
        : [],
    );
  });
}

function withKeys(condition: Expr, input: Rel, keys: ReadonlyMap<number, Column>): Expr {
  const added = conjuncts(condition).flatMap((test): readonly Expr[] => {
    if (test.kind !== 'call' || test.fn.name !== '$equal') return [];
    const [left, right] = test.args;
    if (left == null || right == null) return [];
    const [field, value] = left.kind === 'column' ? [left, right] : [right, left];
    const key = field.kind === 'column' ? keys.get(field.column.id) : undefined;
    if (key === undefined || !isConstant(value) || value.type.kind !== key.type.kind || !shows(input, key.id)) return [];
    const column: Expr = { kind: 'column', column: key, type: key.type, span: field.span };
    return [{ ...test, args: [column, value] }];
  });
  return added.reduce<Expr>(
    (all, one) => ({ kind: 'call', fn: scalarBuiltIn('$and'), args: [all, one], safe: false, type: BOOL, span: condition.span }),
    condition,
  );
}

const isConstant = (value: Expr): boolean => columnsRead(value).size === 0 && !contains(value, (e) => e.kind === 'subquery');
