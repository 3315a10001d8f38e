// Plain columns from what the engine says of them.
import { isNullable, readType } from '../../../clickhouse/type.ts';
import { STRING, type Type } from '../../types.ts';
import type { TableColumn } from '../layout.ts';
import { MAP } from '../map/layout.ts';
import { plainType } from './plain-type.ts';
import type { PlainRead } from './read.ts';

interface PlainColumn {
  readonly type: Type;
  readonly read: PlainRead;
}

/** A column of values, its type in queries and how it is read; undefined for types that queries cannot read. */
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
