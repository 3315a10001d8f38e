// JSON text of a record, which may be an object or an array of one: both read the same.
import type { SqlExpression } from '../target/ast.ts';
import { call, failIf, iff, infix, lit } from '../target/build.ts';

interface RecordText {
  readonly text: SqlExpression;
  /** True if the text is an array. */
  readonly array: SqlExpression;
}

/** The column's own text may begin with white space; what JSONExtractRaw gives never does. */
export const root = (text: SqlExpression): RecordText => ({ text, array: startsArray(text) });
export const startsArray = (text: SqlExpression): SqlExpression => call('match', text, lit('^\\s*\\['));
export const isArray = (raw: SqlExpression): SqlExpression => call('startsWith', raw, lit('['));
export const dotted = (column: string, path: readonly string[]): string => [column, ...path].join('.');

export const severalRecords = (name: string): string =>
  `${name} holds several records: set "records: several" for its source in quern.yaml`;

/** `read` of the record: `at` is the place of the element where the record is in an array of one. A second element may not be lost. */
export function oneElement(
  { text, array }: RecordText,
  name: string,
  read: (text: SqlExpression, at: SqlExpression | null) => SqlExpression,
): SqlExpression {
  // Also where the engine does not skip the branch that is not taken, an object is no array.
  const several = infix('AND', array, infix('>', call('JSONLength', text), lit(1)));
  return iff(array, failIf(several, severalRecords(name), read(text, lit(1))), read(text, null));
}

/** The record that the path's last key is a field of. */
function parentOf(event: SqlExpression, column: string, path: readonly string[]): { record: RecordText; name: string; key: SqlExpression } {
  const parent = path.slice(0, -1);
  const key = lit(path.at(-1) ?? '');
  if (parent.length === 0) return { record: root(event), name: column, key };
  const text = rawAt(event, column, parent);
  return { record: { text, array: isArray(text) }, name: dotted(column, parent), key };
}

/** JSON text of the value at a path, '' when there is none. Written level by level: all fields of one record share its text. */
export function rawAt(event: SqlExpression, column: string, path: readonly string[]): SqlExpression {
  const { record, name, key } = parentOf(event, column, path);
  return oneElement(record, name, (text, at) => call('JSONExtractRaw', text, ...(at === null ? [] : [at]), key));
}

/** Neither null, nor `[]`, nor nothing at all. */
export const holdsRecord = (raw: SqlExpression): SqlExpression =>
  infix('OR', call('startsWith', raw, lit('{')), call('startsWith', raw, lit('[{')));

/** JSON text of one record, where that of an array of one may stand. */
export const elementText = (text: SqlExpression): SqlExpression => iff(isArray(text), call('JSONExtractRaw', text, lit(1)), text);
