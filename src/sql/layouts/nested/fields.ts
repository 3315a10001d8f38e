// Records in Array(Tuple(…)) and Tuple(…) columns: their fields, and how many arrays each lies in.
import { didYouMean } from '../../../base/errors.ts';
import type { Span } from '../../../base/source-text.ts';
import { fail } from '../../base/fail.ts';
import type { NestedField, NestedLeaf, NestedRead, NestedRecord } from './read.ts';

export const nameOf = (read: NestedRead, path: readonly string[]): string => [read.column, ...path].join('.');

export function fieldAt(record: NestedRecord, path: readonly string[]): NestedField | undefined {
  let at: NestedField | undefined = record;
  for (const name of path) at = at?.kind === 'record' ? at.fields[name] : undefined;
  return at;
}

/** True if the record or one below it is an array. */
export function repeats(record: NestedRecord): boolean {
  return record.repeated || Object.values(record.fields).some((field) => field.kind === 'record' && repeats(field));
}

/** How many repeated records the path goes through, its last one included. */
export function levelsOf(record: NestedRecord, path: readonly string[]): number {
  let levels = 0;
  for (let i = 0; i <= path.length; i++) {
    const at = fieldAt(record, path.slice(0, i));
    if (at?.kind === 'record' && at.repeated) levels++;
  }
  return levels;
}

export function leavesOf(
  record: NestedRecord,
  path: readonly string[],
): readonly { readonly path: readonly string[]; readonly leaf: NestedLeaf }[] {
  return Object.entries(record.fields).flatMap(([name, field]) =>
    field.kind === 'leaf' ? [{ path: [...path, name], leaf: field }] : leavesOf(field, [...path, name]),
  );
}

/** A leaf of the record at `path` that stands for it where only the number of its elements matters: the first, nearest the top. */
export function anyLeaf(record: NestedRecord, path: readonly string[]): readonly string[] | undefined {
  const at = fieldAt(record, path);
  if (at?.kind !== 'record') return undefined;
  const own = Object.entries(at.fields).find(([, field]) => field.kind === 'leaf');
  return own === undefined ? undefined : [...path, own[0]];
}

/** The fields of a record that hold one value. */
export function directLeaves(record: NestedRecord): readonly { readonly name: string; readonly nullable: boolean }[] {
  return Object.entries(record.fields).flatMap(([name, field]) =>
    field.kind === 'leaf' && !field.clickhouseType.startsWith('Array(')
      ? [{ name, nullable: field.clickhouseType.includes('Nullable(') }]
      : [],
  );
}

/** The field that a query names, or an error: what the column's type does not have, no event has. */
export function checkField(read: NestedRead, path: readonly string[], span: Span): void {
  if (fieldAt(read.record, path) !== undefined) return;
  const parent = fieldAt(read.record, path.slice(0, -1));
  const name = path.at(-1) ?? '';
  const known = parent?.kind === 'record' ? Object.keys(parent.fields) : [];
  fail(
    'unknown-column',
    span,
    `the column ${nameOf(read, path.slice(0, -1))} has no field ${name}`,
    didYouMean(name, known) ?? `its fields are ${known.join(', ')}`,
  );
}
