// Records in a JSON column.
import { quoteIdentifier } from '../../../clickhouse/quote.ts';
import { readType } from '../../../clickhouse/type.ts';
import { STRING, type Type } from '../../base/types.ts';
import { valueType } from '../column/plain-type.ts';
import { recordTypeOf } from '../declared-fields.ts';
import type { RecordLayout } from '../layout.ts';
import type { JsonRead } from './read.ts';
import { JSON_READER } from './reader.ts';

export const JSON_COLUMN: RecordLayout<JsonRead> = {
  name: 'json',
  records: true,
  place: ({ column }, path) => (path.length === 0 ? quoteIdentifier(column) : ''),

  recognised: 'by its type',
  fits: ({ type }) => readType(type).name === 'JSON',
  column({ name, type: stored }, { declared, records }) {
    const typed = readType(stored).args.flatMap(({ name: path, type }) =>
      path === null || path === 'SKIP' || path === 'max_dynamic_paths' ? [] : [[path, type] as const],
    );
    const types = new Map<string, Type>(typed.map(([path, type]) => [path, valueType(type) ?? STRING]));
    const typedPaths = Object.fromEntries(typed.map(([path, { text }]) => [path, text]));
    return {
      type: recordTypeOf(new Map([...types, ...declared])),
      read: { layout: 'json', column: name, typedPaths, severalElements: records === 'several' },
    };
  },

  oneElement: ({ severalElements }) => severalElements !== true,
  finite: true,
  // A typed path that is not Nullable reads as its type's default where it is absent.
  nullWithoutRecord: ({ typedPaths }, path) => typedPaths[path.join('.')]?.includes('Nullable') ?? true,
  undeclaredArrays: true,
  recordsApart: false,

  ...JSON_READER,
};
