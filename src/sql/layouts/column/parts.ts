// Parts of structs, arrays of structs and maps, each read without the rest: a field, some of the fields of all elements, a map's entry.
import { quoteIdentifier } from '../../../clickhouse/quote.ts';
import { bareType, type ClickHouseType, isNullable, readType, sameValues } from '../../../clickhouse/type.ts';
import { STRING, type Type } from '../../base/types.ts';
import type { CastTo, SqlExpression } from '../../target/ast.ts';
import { call, cast, ident, iff, lit, NULL } from '../../target/build.ts';
import { clickhouseType } from '../../target/types.ts';
import type { Fresh, ValuePart } from '../layout.ts';
import { mapEntry } from '../map/entry.ts';
import { byParts } from './by-parts.ts';
import type { PlainRead } from './read.ts';

export function readPart(alias: string, read: PlainRead, { kind, path }: ValuePart, type: Type, fresh: Fresh): SqlExpression {
  const stored = readType(read.clickhouseType);
  switch (kind) {
    case 'path':
      return byParts(ident(alias, read.column, ...path), fieldAt(stored, path), type, fresh);
    case 'fields':
      return someFields(alias, read, path, type, fresh);
    case 'entry': {
      const value = stored.args[1]?.type ?? stored;
      const map = ident(alias, read.column);
      const [key = ''] = path;
      if (bareType(value).name === 'String' && type.kind === 'STRING') return mapEntry(map, key, STRING);
      const entry = byParts(call('arrayElement', map, lit(key)), value, type, fresh);
      return isNullable(value) ? entry : iff(call('mapContains', map, lit(key)), entry, NULL);
    }
  }
}

function fieldAt(stored: ClickHouseType, path: readonly string[]): ClickHouseType {
  return path.reduce((type, name) => type.args.find((arg) => arg.name === name)?.type ?? type, stored);
}

/** The arrays of the fields, in step. */
function someFields(alias: string, read: PlainRead, names: readonly string[], type: Type, fresh: Fresh): SqlExpression {
  const stored = readType(read.clickhouseType);
  const isMap = stored.name === 'Map';
  const tuple = stored.name === 'Nested' ? stored : stored.args[0]?.type;
  const fields = isMap ? stored.args.map((arg, i) => ({ name: i === 0 ? 'key' : 'value', type: arg.type })) : (tuple?.args ?? []);
  const kept = names.flatMap((name) => fields.filter((field) => field.name === name));
  const arrays = names.map((name) =>
    isMap ? call(name === 'key' ? 'mapKeys' : 'mapValues', ident(alias, read.column)) : ident(alias, read.column, name),
  );
  const zipped = call('arrayZip', ...arrays);
  const text = `Tuple(${kept.map((field) => `${quoteIdentifier(field.name ?? '')} ${field.type.text}`).join(', ')})`;
  const element: ClickHouseType = { name: 'Tuple', args: kept, text };
  const held: ClickHouseType = { name: 'Array', args: [{ name: null, type: element }], text: `Array(${text})` };
  if (read.byParts === true) return byParts(zipped, held, type, fresh);
  const castTo = clickhouseType(type);
  return { ...cast(zipped, castTo), ...fullElements(held, castTo) };
}

/** Of an array that a CAST gives nothing but names and NULLs. Structs may be NULL: their fields, which are read as arrays, are so too. */
export function fullElements(stored: ClickHouseType, castTo: string): Pick<CastTo, 'full'> {
  const element = stored.args[0]?.type;
  if (stored.name !== 'Array' || element === undefined || !sameValues(stored, readType(castTo))) return {};
  return bareType(element).name === 'Tuple' || !/Nullable/.test(element.text) ? { full: element.text } : {};
}
