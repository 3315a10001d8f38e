// Records as JSON text in a String column.
import { quoteIdentifier } from '../../../clickhouse/quote.ts';
import { isText, readType } from '../../../clickhouse/type.ts';
import { ident } from '../../target/build.ts';
import { recordTypeOf } from '../declared-fields.ts';
import type { RecordLayout } from '../layout.ts';
import type { TextRead } from './read.ts';
import { TEXT_READER } from './reader.ts';

export const TEXT: RecordLayout<TextRead> = {
  name: 'text',
  records: true,
  place: ({ column }, path) => (path.length === 0 ? quoteIdentifier(column) : ''),
  stored: (alias, { column }) => ident(alias, column),

  recognised: 'as metadata',
  fits: ({ type }) => isText(readType(type)),
  column: ({ name }, { declared, records }) => ({
    type: recordTypeOf(declared),
    read: { layout: 'text', column: name, severalElements: records === 'several' },
  }),

  oneElement: ({ severalElements }) => severalElements !== true,
  finite: true,
  nullWithoutRecord: () => true,
  undeclaredArrays: true,
  recordsApart: false,

  ...TEXT_READER,
};
