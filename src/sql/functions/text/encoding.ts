// Encodings and hashes. https://cloud.google.com/bigquery/docs/reference/standard-sql/hash_functions
import type { SqlExpression } from '../../target/ast.ts';
import { call, infix, lit, not } from '../../target/build.ts';
import type { Family, LowerCall } from '../define.ts';
import { strict } from '../strict.ts';

/** As text a FixedString would lose the zero bytes at its end. */
const hash = (name: string) =>
  strict('value STRING -> BYTES | value BYTES -> BYTES', ({ value }) => call('substring', call(name, value), lit(1)));

const BASE64 = '^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}(==)?|[A-Za-z0-9+/]{3}=?)?$';

/** White space counts for nothing, and what is left may be without the signs that fill it up. */
function decodeBase64(text: SqlExpression, c: LowerCall): SqlExpression {
  const signs = call('replaceRegexpAll', text, lit('\\s+'), lit(''));
  const size = infix('*', call('intDiv', infix('+', call('length', signs), lit(3)), lit(4)), lit(4));
  const read = call('tryBase64Decode', call('rightPad', signs, size, lit('=')));
  return c.failIf(not(call('match', signs, lit(BASE64))), 'FROM_BASE64: the text is not valid base64', read);
}

/** Decodes where the text has the right form, else fails. */
const decode = (form: string, name: string, write: (text: SqlExpression) => SqlExpression) =>
  strict('text STRING -> BYTES', ({ text }, c) =>
    c.failIf(not(call('match', text, lit(form))), `${name}: the text is not in that encoding`, write(text)),
  );

export const encoding = (): Family => ({
  TO_HEX: strict('value BYTES -> STRING', ({ value }) => call('lower', call('hex', value))),
  FROM_HEX: decode('^[0-9a-fA-F]*$', 'FROM_HEX', (text) => call('unhex', text)),
  TO_BASE64: strict('value BYTES -> STRING', ({ value }) => call('base64Encode', value)),
  FROM_BASE64: strict('text STRING -> BYTES', ({ text }, c) => decodeBase64(text, c)),
  TO_BASE32: strict('value BYTES -> STRING', ({ value }) => call('base32Encode', value)),
  FROM_BASE32: decode('^[A-Z2-7]*=*$', 'FROM_BASE32', (text) => call('base32Decode', text)),
  MD5: hash('MD5'),
  SHA1: hash('SHA1'),
  SHA256: hash('SHA256'),
  SHA512: hash('SHA512'),
  FARM_FINGERPRINT: strict('value STRING -> INT64 | value BYTES -> INT64', ({ value }) =>
    call('reinterpretAsInt64', call('farmFingerprint64', value)),
  ),
  GENERATE_UUID: strict(' -> STRING', (_, c) => call('toString', call('generateUUIDv4', c.occasion())), { volatile: true }),
});
