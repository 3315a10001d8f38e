// A plain column: one value in each row.
import { quoteIdentifier } from '../../../clickhouse/quote.ts';
import { readType } from '../../../clickhouse/type.ts';
import { STRING } from '../../base/types.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { call, cast, ident, lit } from '../../target/build.ts';
import type { ValueLayout } from '../layout.ts';
import { mapEntry } from '../map/entry.ts';
import { fromText } from '../stored.ts';
import { byParts } from './by-parts.ts';
import { folderValue } from './folder.ts';
import { fullElements, readPart } from './parts.ts';
import type { PlainRead } from './read.ts';

const stored = (alias: string, { column, folder, clickhouseType }: PlainRead): SqlExpression =>
  folder === undefined ? ident(alias, column) : cast(folderValue(ident(alias, '_path'), folder), clickhouseType);

/** Types whose values are all there in a wider one, in the same order. */
const NARROW = /^(?:Nullable\()?(?:U?Int(?:8|16|32)|Date|DateTime(?:\('[\w/+-]+'\))?)\)?$/;
const WIDE = /^(?:Nullable\()?(?:Int64|Date32|DateTime64\(6, 'UTC'\))\)?$/;

function decimalOf(type: string): { readonly precision: number; readonly scale: number } | undefined {
  const [, precision, scale] = /^(?:Nullable\()?Decimal\((\d+), (\d+)\)\)?$/.exec(type) ?? [];
  return precision === undefined ? undefined : { precision: Number(precision), scale: Number(scale) };
}

export const COLUMN: ValueLayout<PlainRead> = {
  name: 'column',
  records: false,
  place: ({ column, key }) => (key === undefined ? quoteIdentifier(column) : `${quoteIdentifier(column)}['${key}']`),
  stored,
  value(alias, read, type, fresh) {
    const { column, castTo, byParts: taken, flattened, key, prefix, clickhouseType, attributes } = read;
    const whole =
      flattened === undefined ? stored(alias, read) : call('arrayZip', ...flattened.map((field) => ident(alias, column, field)));
    if (key !== undefined && castTo === undefined && taken !== true) return fromText(mapEntry(whole, key, type, attributes), type);
    const value = key === undefined ? whole : mapEntry(whole, key, STRING, attributes);
    if (prefix !== undefined) return call('substring', value, lit(prefix + 1));
    if (taken) return byParts(value, readType(clickhouseType), type, fresh);
    if (castTo === undefined) return value;
    // An integer beyond INT64 must fail, not turn negative.
    if (clickhouseType.includes('UInt64') && /^(?:Array\()?(?:Nullable\()?Int64/.test(castTo))
      return call('accurateCast', value, lit(castTo));
    const widens = NARROW.test(clickhouseType) && key === undefined && WIDE.test(castTo) ? clickhouseType : undefined;
    const digits = key === undefined && decimalOf(castTo)?.scale === 9 ? decimalOf(clickhouseType)?.scale : undefined;
    return { ...cast(value, castTo), widens, digits, ...(key === undefined ? fullElements(readType(clickhouseType), castTo) : {}) };
  },
  part: readPart,
  // By parts an empty text becomes NULL, where it is no JSON.
  neverNull: ({ byParts: taken, clickhouseType }) => taken !== true && !/Nullable|Dynamic|Variant/.test(clickhouseType),
  digits: ({ clickhouseType }) => decimalOf(clickhouseType)?.scale,
  range({ clickhouseType }) {
    const decimal = decimalOf(clickhouseType);
    if (decimal !== undefined) return [-(10 ** (decimal.precision - decimal.scale)), 10 ** (decimal.precision - decimal.scale)];
    const [, unsigned, bits] = /^(?:(?:LowCardinality|Nullable|Array)\()*(U?)Int(8|16|32)\)*$/.exec(clickhouseType) ?? [];
    if (bits === undefined) return undefined;
    const values = 2 ** Number(bits);
    return unsigned === 'U' ? [0, values] : [-values / 2, values / 2];
  },
};
