// A plain column: one value in each row.
import { quoteIdentifier } from '../../../clickhouse/quote.ts';
import { call, cast, ident, lit } from '../../target/build.ts';
import { STRING } from '../../types.ts';
import type { ValueLayout } from '../layout.ts';
import { mapEntry } from '../map/reader.ts';
import type { PlainRead } from './read.ts';

export const COLUMN: ValueLayout<PlainRead> = {
  name: 'column',
  records: false,
  place: ({ column, key }) => (key === undefined ? quoteIdentifier(column) : `${quoteIdentifier(column)}['${key}']`),
  stored: (alias, { column }) => ident(alias, column),
  value(alias, { column, castTo, key, clickhouseType: stored }) {
    const whole = ident(alias, column);
    const value = key === undefined ? whole : mapEntry(whole, key, STRING);
    if (castTo === undefined) return value;
    // An integer beyond INT64 must fail, not turn negative.
    return stored.includes('UInt64') ? call('accurateCast', value, lit(castTo)) : cast(value, castTo);
  },
  neverNull: ({ clickhouseType }) => !/Nullable|Dynamic|Variant/.test(clickhouseType),
};
