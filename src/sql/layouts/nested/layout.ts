// Records in Array(Tuple(…)), Tuple(…) and Nested columns.
import { quoteIdentifier } from '../../../clickhouse/quote.ts';
import { isNullable, readType } from '../../../clickhouse/type.ts';
import type { RecordLayout } from '../layout.ts';
import { checkField, fieldAt, repeats } from './fields.ts';
import type { NestedRead } from './read.ts';
import { NESTED_READER } from './reader.ts';
import { isNested, nestedRecord, nestedType, withNested } from './record-type.ts';

export const NESTED: RecordLayout<NestedRead> = {
  name: 'nested',
  records: true,
  place: ({ column }, path) => (path.length === 0 ? quoteIdentifier(column) : ''),

  recognised: 'by its type',
  fits: ({ type }) => isNested(readType(type)),
  gather: withNested,
  column({ name, type, parts }, { declared, records }) {
    const record = nestedRecord(readType(type));
    const flattened = parts === undefined ? {} : { flattened: true };
    return {
      type: nestedType(record, declared, ''),
      read: { layout: 'nested', column: name, record, oneElement: records === 'one', ...flattened },
    };
  },

  oneElement: ({ oneElement, record }) => oneElement === true || !repeats(record),
  finite: false,
  // A Tuple is always there: one without any value stands for a record that the event has not.
  nullWithoutRecord({ record }, path, outer) {
    const [leaf, within] = [fieldAt(record, path), fieldAt(record, outer)];
    if (leaf?.kind !== 'leaf' || within?.kind !== 'record') return false;
    const stored = readType(leaf.clickhouseType);
    return isNullable(stored) || (within.repeated && stored.name !== 'Array');
  },
  undeclaredArrays: false,
  recordsApart: false,
  checkField,
  isRepeated({ record }, path) {
    const field = fieldAt(record, path);
    return field?.kind === 'record' && field.repeated;
  },

  ...NESTED_READER,
};
