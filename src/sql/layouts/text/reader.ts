// Records as JSON text in a String column. A record may be an object or an array of one; both read the same.
// https://clickhouse.com/docs/sql-reference/functions/json-functions

import type { SqlExpression } from '../../target/ast.ts';
import { call, ident, iff, inList, lit, NULL } from '../../target/build.ts';
import type { Path, Reader } from '../layout.ts';
import { dotted, holdsRecord, isArray, oneElement, rawAt, root } from '../raw-record.ts';
import { textHolds, textLeaves } from './leaves.ts';
import type { TextRead } from './read.ts';

export const TEXT_READER: Reader<TextRead> = {
  whole: wholeText,
  record(alias, read, path) {
    const { column } = read;
    if (path.length === 0)
      return oneElement(root(wholeText(alias, read)), column, (x, at) => (at === null ? x : call('JSONExtractRaw', x, at)));
    const raw = rawAt(ident(alias, column), column, path);
    const text = oneElement({ text: raw, array: isArray(raw) }, dotted(column, path), (x, at) =>
      at === null ? x : call('JSONExtractRaw', x, at),
    );
    return iff(holdsRecord(raw), text, NULL);
  },
  present: (alias, read, path, fresh) => textHolds(ident(alias, read.column), read.column, path, fresh),
  fields: {
    as: 'texts',
    texts(alias, { column }, fields, names) {
      const paths = fields.map(({ path }) => path);
      const found = new Map<Path, SqlExpression>();
      for (const group of withoutNesting(paths)) {
        const values = textLeaves(ident(alias, column), column, group, names);
        for (const [i, path] of group.entries()) found.set(path, values[i] ?? NULL);
      }
      return paths.map((path) => found.get(path) ?? NULL);
    },
  },
};

/** Paths that can be read together, and each that leads through another one's value alone. */
function withoutNesting(paths: readonly Path[]): readonly (readonly Path[])[] {
  const apart = paths.filter((path) => paths.some((other) => isWithin(path, other)));
  const together = paths.filter((path) => !apart.includes(path));
  return [together, ...apart.map((path) => [path])].filter((group) => group.length > 0);
}

/** True if `path` leads through the value at `outer`. */
const isWithin = (path: Path, outer: Path): boolean => path.length > outer.length && outer.every((key, i) => key === path[i]);

/** An event always has its one top record. */
function wholeText(alias: string, { column }: TextRead): SqlExpression {
  const text = ident(alias, column);
  return iff(inList(call('ifNull', text, lit('')), ['', 'null', '[]'].map(lit)), lit('{}'), text);
}
