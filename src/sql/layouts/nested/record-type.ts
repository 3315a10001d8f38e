// Types of nested columns: the record that a ClickHouse type says, and its GoogleSQL type.
import { type ClickHouseType, readType } from '../../../clickhouse/type.ts';
import { arrayOf, recordOf, STRING, type StructField, type Type } from '../../base/types.ts';
import { valueType } from '../column/plain-type.ts';
import type { HeldColumn, TableColumn } from '../layout.ts';
import type { NestedField, NestedRecord } from './read.ts';

export function isNested(type: ClickHouseType): boolean {
  if (type.name === 'Nested') return true;
  const tuple = type.name === 'Array' ? type.args[0]?.type : type;
  return tuple?.name === 'Tuple' && tuple.args.every(({ name }) => name !== null);
}

/** A Nested column is described as `metadata.request`, `metadata.response`, each an Array: put together again. */
export function withNested(columns: readonly HeldColumn[]): readonly HeldColumn[] {
  const groups = new Map<string, TableColumn[]>();
  const others: HeldColumn[] = [];
  for (const column of columns) {
    const dot = column.name.indexOf('.');
    if (dot <= 0 || readType(column.type).name !== 'Array') others.push(column);
    else groups.set(column.name.slice(0, dot), [...(groups.get(column.name.slice(0, dot)) ?? []), column]);
  }
  const nested = [...groups].map(([name, parts]): HeldColumn => {
    const fields = parts.map((part) => `\`${part.name.slice(name.length + 1)}\` ${readType(part.type).args[0]?.type.text ?? ''}`);
    return { name, type: `Array(Tuple(${fields.join(', ')}))`, parts };
  });
  return [...others, ...nested];
}

/** `Array(Tuple(…))`, `Nested(…)` or `Tuple(…)`. */
export function nestedRecord({ name: outer, args }: ClickHouseType): NestedRecord {
  const fields = outer === 'Array' ? (args[0]?.type.args ?? []) : args;
  return {
    kind: 'record',
    repeated: outer !== 'Tuple',
    fields: Object.fromEntries(
      fields.map(({ name, type }): [string, NestedField] => [
        name ?? '',
        isNested(type) ? nestedRecord(type) : { kind: 'leaf', clickhouseType: type.text },
      ]),
    ),
  };
}

export function nestedType(record: NestedRecord, declared: ReadonlyMap<string, Type>, prefix: string): Type {
  const fields = Object.entries(record.fields).map(([name, field]): StructField => {
    const path = `${prefix}${name}`;
    if (field.kind === 'record') return { name, type: nestedType(field, declared, `${path}.`) };
    const stored = readType(field.clickhouseType);
    const own = valueType(stored) ?? STRING;
    return { name, type: stored.name === 'Array' ? own : (declared.get(path) ?? own) };
  });
  return arrayOf(recordOf(fields));
}
