// Where a source says that a column always equals a field of its records (`same_as`), `m.project_ref = @project` also filters the column `project`:
// the primary key begins with it, and a field never prunes. Measured on 10M rows, this alone makes such a query 10 times faster. Where every event has
// the field, it need not be read any more: over 7 days of 1M rows 16 ms instead of 18.
import { ref, splitConjunction } from '../../logical/build.ts';
import type { Column, Expr, Filter, Literal, LogicalPlan, Rel } from '../../logical/nodes.ts';
import { derive } from '../../logical/properties/derive.ts';
import { call, filtered } from '../build.ts';
import { isConstantIn, shows } from '../column-origin.ts';
import type { Rule } from '../rule.ts';
import { type ScannedColumn, scannedColumns } from '../scanned-columns.ts';

export const filterKeyColumn: Rule = {
  name: 'filter-key-column',
  changes(plan) {
    const keys = keyColumns(plan);
    return keys.size === 0 ? undefined : { relations: { filter: (rel) => withKeys(rel, keys) } };
  },
};

interface Key {
  readonly column: Column;
  /** True if the column is filtered instead of the field. */
  readonly instead: boolean;
}

/** Returns the column of the scan that equals such a field, by the ids of the columns that hold the field. */
function keyColumns(plan: LogicalPlan): ReadonlyMap<number, Key> {
  const keys = new Map<number, Key>();
  for (const [id, scanned] of scannedColumns(plan, ({ scan }) => scan.source.sameAs !== undefined)) {
    const key = keyOf(scanned);
    if (key !== undefined) keys.set(id, key);
  }
  if (keys.size === 0) return keys;
  const pass = (from: Expr): Key | undefined => (from.kind === 'column' ? keys.get(from.column.id) : undefined);
  return derive(plan, keys, (made) => {
    if (made.by === 'element') return pass(made.array);
    return made.by === 'value' ? pass(made.value) : undefined;
  });
}

function keyOf({ scan: { source, columns }, from, part }: ScannedColumn): Key | undefined {
  if (part.kind !== 'path' && part.kind !== 'elements') return undefined;
  const path = [from.name, ...part.path].join('.');
  const [name] = Object.entries(source.sameAs ?? {}).find(([, same]) => same.join('.') === path) ?? [];
  const key = columns.find((c) => c.part.kind === 'whole' && c.from.name === name);
  return key === undefined ? undefined : { column: key.column, instead: source.sameAsEverywhere === true };
}

function withKeys(rel: Filter, keys: ReadonlyMap<number, Key>): Rel {
  const tests: Expr[] = [];
  const keyTests: Expr[] = [];
  for (const test of splitConjunction(rel.condition)) {
    const found = keyTest(test, rel.input, keys);
    const kept = found?.key.instead === true ? unlessAbsent(test, found.value) : test;
    if (kept !== undefined) tests.push(kept);
    if (found !== undefined) keyTests.push(call('$equal', [ref(found.key.column, found.field), found.value], test));
  }
  return keyTests.length === 0 ? rel : filtered(rel.input, [...tests, ...keyTests]);
}

/** Reads the comparison of a field that equals a column of the key with a value of that column's type that is the same for all rows. */
function keyTest(
  test: Expr,
  input: Rel,
  keys: ReadonlyMap<number, Key>,
): { readonly field: Expr; readonly value: Expr; readonly key: Key } | undefined {
  const [left, right] = test.kind === 'call' && test.fn.name === '$equal' ? test.args : [];
  if (left == null || right == null) return undefined;
  const [field, value] = left.kind === 'column' ? [left, right] : [right, left];
  const key = field.kind === 'column' ? keys.get(field.column.id) : undefined;
  if (key === undefined || value.type.kind !== key.column.type.kind) return undefined;
  return isConstantIn(value, input) && shows(input, key.column.id) ? { field, value, key } : undefined;
}

/** The value that a column which is never NULL holds for events without one. */
const ABSENT: Readonly<Record<string, string | bigint>> = { STRING: '', INT64: 0n };

/** Returns the test of the field where the value may stand for an absent one in the column; undefined where it does not. */
function unlessAbsent(test: Expr, value: Expr): Expr | undefined {
  const absent = ABSENT[value.type.kind];
  if (absent === undefined) return test;
  if (value.kind === 'literal') return value.value === absent ? test : undefined;
  const literal: Literal = { kind: 'literal', value: absent, type: value.type, span: value.span };
  return call('$or', [call('$not_equal', [value, literal], value), test], test);
}
