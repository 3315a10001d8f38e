// Plain columns from what the engine says of them.
import { isNullable, readType } from '../../../clickhouse/type.ts';
import { BOOL, STRING, type Type } from '../../base/types.ts';
import type { AttributeFacts, HeldColumn, TableColumn } from '../layout.ts';
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

/** What of an entry is read by its text alone: NULL where it is no such value, as of the fields of records. */
const OF_TEXT: readonly Type['kind'][] = ['STRING', 'INT64', 'FLOAT64', 'BOOL'];

/** An entry of a Map column, or why it cannot be `declared`, what the project says of its type; undefined for a column that has no entries. */
export function entryColumn(
  column: TableColumn,
  key: string,
  { declared = STRING, attributes }: { readonly declared?: Type | undefined; readonly attributes?: AttributeFacts | undefined } = {},
): PlainColumn | { readonly unread: string } | undefined {
  if (!MAP.fits(column)) return undefined;
  const entry = { name: column.name, type: 'Nullable(String)' };
  const known = { key, ...(attributes === undefined ? {} : { attributes }) };
  if (OF_TEXT.includes(declared.kind))
    return { type: declared, read: { layout: 'column', column: entry.name, clickhouseType: entry.type, ...known } };
  const made = tableColumn(entry, declared);
  return 'unread' in made ? made : { ...made, read: { ...made.read, ...known } };
}

const WRITTEN_BOOL: ReturnType<typeof tableType> = { type: BOOL, castTo: 'Nullable(Bool)' };

/** A column of a plain table, its type in BigQuery and how it is read; or why it has none. `declared` is what the project says of its type. */
export function tableColumn(
  { name: column, type: stored, parts, written }: HeldColumn,
  declared?: Type,
): PlainColumn | { readonly unread: string } {
  const found = written && declared?.kind === 'BOOL' ? WRITTEN_BOOL : tableType(readType(stored), declared);
  if ('unread' in found) return found;
  const { type, castTo, byParts, says } = found;
  const read: PlainRead = {
    layout: 'column',
    column,
    clickhouseType: stored,
    ...(castTo === undefined ? {} : { castTo }),
    ...(byParts === undefined ? {} : { byParts }),
    ...(says === undefined ? {} : { says }),
    ...(written && type.kind === 'BYTES' ? { says: 'base64' } : {}),
    ...(parts === undefined ? {} : { flattened: parts.map(({ name }) => name.slice(column.length + 1)) }),
  };
  return { type, read };
}
