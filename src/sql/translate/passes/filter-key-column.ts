// Where a source says that a column always equals a field of its records (`same_as`), `m.project_ref = @project` also filters the column `project`:
// the primary key begins with it, and a field never prunes. Measured on 10M rows, this alone makes such a query 10 times faster. Where every event has
// the field, it need not be read any more: over 7 days of 1M rows 16 ms instead of 18.
import { scalarBuiltIn } from '../../functions/index.ts';
import type { Column, Expr, Literal, Rel, ResolvedQuery, SourceScan } from '../../resolved.ts';
import { rewriteRel, visitRels } from '../../rewrite.ts';
import { BOOL } from '../../types.ts';
import { conjunction, conjuncts } from '../conjuncts.ts';
import { isConstantIn, shows } from './column-origin.ts';

export function filterKeyColumn(query: ResolvedQuery): ResolvedQuery {
  const rels = [query.rel, ...query.ctes.map((c) => c.rel)];
  /** Columns that hold such a field, by id: the column of the scan that equals it. */
  const keys = new Map<number, Key>();
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

interface Key {
  readonly column: Column;
  /** The column is filtered instead of the field. */
  readonly instead: boolean;
}

function keyColumns({ source, columns }: SourceScan): readonly (readonly [number, Key])[] {
  return Object.entries(source.sameAs ?? {}).flatMap(([name, [record, ...path]]) => {
    const key = columns.find((c) => c.part.kind === 'whole' && c.from.name === name)?.column;
    if (key === undefined) return [];
    return columns.flatMap(({ column, from, part }) =>
      from.name === record && (part.kind === 'path' || part.kind === 'elements') && part.path.join('.') === path.join('.')
        ? [[column.id, { column: key, instead: source.sameAsEverywhere === true }] as const]
        : [],
    );
  });
}

function withKeys(condition: Expr, input: Rel, keys: ReadonlyMap<number, Key>): Expr {
  const tests = conjuncts(condition);
  const filtered = tests.map((test): { readonly field: Expr | undefined; readonly column?: Expr } => {
    if (test.kind !== 'call' || test.fn.name !== '$equal') return { field: test };
    const [left, right] = test.args;
    if (left == null || right == null) return { field: test };
    const [field, value] = left.kind === 'column' ? [left, right] : [right, left];
    const key = field.kind === 'column' ? keys.get(field.column.id) : undefined;
    if (key === undefined || value.type.kind !== key.column.type.kind) return { field: test };
    if (!isConstantIn(value, input) || !shows(input, key.column.id)) return { field: test };
    const column: Expr = { kind: 'column', column: key.column, type: key.column.type, span: field.span };
    return { field: key.instead ? unlessAbsent(test, value) : test, column: { ...test, args: [column, value] } };
  });
  if (filtered.every((f) => f.column === undefined)) return condition;
  const kept = filtered.flatMap((f) => f.field ?? []);
  const all = [...kept, ...filtered.flatMap((f) => f.column ?? [])];
  return all.length === 0 ? condition : conjunction(all, condition.span);
}

/** What a column that is never NULL holds for events without a value. */
const ABSENT: Readonly<Record<string, string | bigint>> = { STRING: '', INT64: 0n };

/** The test of the field where the value may stand for an absent one in the column; undefined where it does not. */
function unlessAbsent(test: Expr, value: Expr): Expr | undefined {
  const absent = ABSENT[value.type.kind];
  if (absent === undefined) return test;
  if (value.kind === 'literal') return value.value === absent ? test : undefined;
  const literal: Literal = { kind: 'literal', value: absent, type: value.type, span: value.span };
  return call('$or', [call('$not_equal', [value, literal], value), test], test);
}

function call(name: string, args: readonly Expr[], { span }: Expr): Expr {
  return { kind: 'call', fn: scalarBuiltIn(name), args, safe: false, type: BOOL, span };
}
