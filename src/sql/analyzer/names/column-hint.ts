// Hints for a name that is no column: how a field of a repeated record is reached, or why quern does not read a column of the table.

import type { RecordType, Type } from '../../base/types.ts';
import type { UnreadColumn } from '../../source.ts';

/** A name in FROM with its columns. */
interface Table {
  readonly name: string | null;
  readonly columns: readonly { readonly name: string; readonly column: { readonly type: Type } }[];
  readonly unread?: readonly UnreadColumn[];
}

export function columnHint(tables: readonly Table[], name: string): string | undefined {
  const unread = tables.flatMap((table) => table.unread ?? []).find((column) => column.name.toLowerCase() === name.toLowerCase());
  return unread === undefined
    ? recordFieldHint(tables, name)
    : `the table has it as ${unread.stored}, which queries cannot read: ${unread.why}`;
}

/** Says how to reach a field of a repeated record that is written as if it were a column: `path`, which is metadata.request.path. */
function recordFieldHint(tables: readonly Table[], name: string): string | undefined {
  for (const table of tables) {
    for (const {
      name: column,
      column: { type },
    } of table.columns) {
      const path = type.kind === 'ARRAY' && type.element.kind === 'RECORD' ? pathTo(name.toLowerCase(), type.element.fields) : undefined;
      if (path === undefined) continue;
      const records = [column, ...path.slice(0, -1)];
      const joins = records.map((record, i) => `CROSS JOIN UNNEST(${i === 0 ? (table.name ?? '') : `r${i}`}.${record}) AS r${i + 1}`);
      return `it is the field ${[column, ...path].join('.')}: ${joins.join(' ')}, then r${records.length}.${path.at(-1)}`;
    }
  }
  return undefined;
}

/** Returns the names from a record to its nearest field `wanted`, which is no record itself. */
function pathTo(wanted: string, fields: RecordType['fields']): readonly string[] | undefined {
  const inside = (type: Type): RecordType | undefined => {
    const one = type.kind === 'ARRAY' ? type.element : type;
    return one.kind === 'RECORD' ? one : undefined;
  };
  const own = fields.find((field) => field.name?.toLowerCase() === wanted && inside(field.type) === undefined);
  if (own?.name != null) return [own.name];
  for (const { name, type } of fields) {
    const record = inside(type);
    const rest = record === undefined || name === null ? undefined : pathTo(wanted, record.fields);
    if (rest !== undefined && name !== null) return [name, ...rest];
  }
  return undefined;
}
