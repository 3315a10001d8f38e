// Plain columns from what the engine says of them.
import { isNullable, readType } from '../../../clickhouse/type.ts';
import { STRING, type Type } from '../../base/types.ts';
import type { HeldColumn, TableColumn } from '../layout.ts';
import { MAP } from '../map/layout.ts';
import { plainType } from './plain-type.ts';
import type { PlainRead } from './read.ts';
import { tableType } from './table-type.ts';

interface PlainColumn {
  readonly type: Type;
  readonly read: PlainRead;
}

/** A column of a log source that is no record, its type in queries and how it is read; undefined for types that queries cannot read. */
export function plainColumn({ name: column, type: stored }: TableColumn): PlainColumn | undefined {
  const type = readType(stored);
  const plain = plainType(type);
  if (plain === undefined) return undefined;
  const { cast } = plain;
  const castTo = cast === undefined || type.name === 'Array' || !isNullable(type) ? cast : `Nullable(${cast})`;
  return {
    type: plain.type,
    read: { layout: 'column', column, clickhouseType: stored, ...(castTo === undefined ? {} : { castTo }) },
  };
}

/** An entry of a Map column; undefined for a column that has none. */
export const entryColumn = (column: TableColumn, key: string): PlainColumn | undefined =>
  MAP.fits(column) ? { type: STRING, read: { layout: 'column', column: column.name, clickhouseType: 'Nullable(String)', key } } : undefined;

/** A column of a plain table, its type in BigQuery and how it is read; or why it has none. `declared` is what the project says of its type. */
export function tableColumn(
  { name: column, type: stored, parts, base64 }: HeldColumn,
  declared?: Type,
): PlainColumn | { readonly unread: string } {
  const found = tableType(readType(stored), declared);
  if ('unread' in found) return found;
  const { type, castTo, byParts, says } = found;
  const read: PlainRead = {
    layout: 'column',
    column,
    clickhouseType: stored,
    ...(castTo === undefined ? {} : { castTo }),
    ...(byParts === undefined ? {} : { byParts }),
    ...(says === undefined ? {} : { says }),
    ...(base64 && type.kind === 'BYTES' ? { says: 'base64' } : {}),
    ...(parts === undefined ? {} : { flattened: parts.map(({ name }) => name.slice(column.length + 1)) }),
  };
  return { type, read };
}
