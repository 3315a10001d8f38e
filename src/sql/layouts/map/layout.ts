// Records in a Map column with dotted keys, as OpenTelemetry's exporters and Logflare write them.
import { quoteIdentifier } from '../../../clickhouse/quote.ts';
import { isText, readType } from '../../../clickhouse/type.ts';
import { ident } from '../../target/build.ts';
import { recordTypeOf } from '../declared-fields.ts';
import type { RecordLayout } from '../layout.ts';
import type { MapRead } from './read.ts';
import { MAP_READER } from './reader.ts';

export const MAP: RecordLayout<MapRead> = {
  name: 'map',
  records: true,
  stored: (alias, { column }) => ident(alias, column),
  place: ({ column }, path) => (path.length === 0 ? quoteIdentifier(column) : ''),

  recognised: 'by its type',
  fits(column) {
    const { name, args } = readType(column.type);
    return name === 'Map' && args.every(({ type }) => isText(type));
  },
  column: ({ name }, { declared, attributes }) => ({
    type: recordTypeOf(declared),
    read: { layout: 'map', column: name, ...(attributes === undefined ? {} : { attributes }) },
  }),

  oneElement: () => true,
  everywhere: ({ attributes }, path) => attributes?.records?.includes(path.join('.')) === true,
  finite: true,
  nullWithoutRecord: () => true,
  undeclaredArrays: false,
  recordsApart: true,

  ...MAP_READER,
};
