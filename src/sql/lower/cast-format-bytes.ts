// CAST … FORMAT between BYTES and STRING, and of numbers. https://cloud.google.com/bigquery/docs/reference/standard-sql/format-elements#format_bytes_as_string
import { fail } from '../base/fail.ts';
import type { SqlExpression } from '../target/ast.ts';
import { call, cast, failIf, iff, infix, isNull, lit, NULL, not } from '../target/build.ts';
import { numberFormat } from './cast-format-number.ts';
import type { CastContext, CastRules } from './cast-rule.ts';

interface Encoding {
  readonly encode: (bytes: SqlExpression) => SqlExpression;
  readonly decode: (text: SqlExpression) => SqlExpression;
  /** True of texts that can be decoded. */
  readonly form: (text: SqlExpression) => SqlExpression;
  /** True of bytes that can be encoded. */
  readonly fits?: (bytes: SqlExpression) => SqlExpression;
}

const matches =
  (pattern: string) =>
  (text: SqlExpression): SqlExpression =>
    call('match', text, lit(pattern));

const HEX: Encoding = {
  encode: (bytes) => call('lower', call('hex', bytes)),
  decode: (text) => call('unhex', text),
  form: matches('^([0-9a-fA-F]{2})*$'),
};
const UTF8: Encoding = {
  encode: (bytes) => bytes,
  decode: (text) => text,
  form: (text) => call('isValidUTF8', text),
  fits: (bytes) => call('isValidUTF8', bytes),
};
const ENCODINGS: Readonly<Record<string, Encoding>> = {
  HEX,
  BASE16: HEX,
  BASE2: { encode: (bytes) => call('bin', bytes), decode: (text) => call('unbin', text), form: matches('^([01]{8})*$') },
  BASE32: { encode: (bytes) => call('base32Encode', bytes), decode: (text) => call('base32Decode', text), form: matches('^[A-Z2-7]*=*$') },
  BASE64: {
    encode: (bytes) => call('base64Encode', bytes),
    decode: (text) => call('base64Decode', text),
    form: matches('^[A-Za-z0-9+/]*={0,2}$'),
  },
  ASCII: {
    encode: (bytes) => bytes,
    decode: (text) => text,
    form: (text) => call('isValidASCII', text),
    fits: (bytes) => call('isValidASCII', bytes),
  },
  UTF8,
  'UTF-8': UTF8,
};

/** Returns the encoding that a constant format names, or null if the format is NULL. */
function encodingOf({ format, safe, span }: CastContext): Encoding | null {
  const known = format?.constant;
  if (known === null) return null;
  if (typeof known !== 'string') return fail('unsupported', span, 'FORMAT must be a constant string');
  const encoding = ENCODINGS[known.toUpperCase()];
  if (encoding === undefined && safe) return null;
  return (
    encoding ??
    fail('unsupported', span, `'${known}' is not a supported format of BYTES`, `formats are ${Object.keys(ENCODINGS).join(', ')}`)
  );
}

const checked = (bad: SqlExpression, value: SqlExpression, { safe }: CastContext): SqlExpression =>
  safe ? iff(bad, NULL, value) : failIf(bad, 'CAST: the value does not match FORMAT', value);

const NULL_TEXT = cast(NULL, 'Nullable(String)');

export const BYTES_FORMAT_CASTS: CastRules = {
  'INT64>STRING': numberFormat,
  'FLOAT64>STRING': numberFormat,
  'NUMERIC>STRING': numberFormat,
  'BIGNUMERIC>STRING': numberFormat,
  'BYTES>STRING': (bytes, context) => {
    const encoding = encodingOf(context);
    if (encoding === null) return NULL_TEXT;
    const text = encoding.encode(bytes);
    return encoding.fits === undefined ? text : checked(not(encoding.fits(bytes)), text, context);
  },
  'STRING>BYTES': (text, context) => {
    const encoding = encodingOf(context);
    if (encoding === null) return NULL_TEXT;
    return checked(infix('AND', not(isNull(text)), not(encoding.form(text))), encoding.decode(text), context);
  },
};
