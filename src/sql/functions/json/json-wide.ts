// JSON texts with integers beyond 64 bits, which ClickHouse takes for no JSON at all. BigQuery reads numbers of a text as they are written.

import { hasWideInteger } from '../../base/json-canonical.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { array, call, ident, iff, infix, lambda, lit } from '../../target/build.ts';
import { defineHelper } from '../../target/helpers.ts';
import type { LowerCall } from '../define.ts';

/** Characters that stand in no text that is exchanged: https://www.unicode.org/faq/private_use.html#noncharacters */
const [START, END] = ['\uFDD0', '\uFDD1'];
const STRING = '"(?:[^"\\\\]|\\\\.)*"';
const EXACT = '(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?';

/** What reading takes of a call, or of a helper that reads for several. */
export type ReadContext = Pick<LowerCall, 'typeOf' | 'constant' | 'fresh'>;

/** Reads what is in a text, and says where nothing was found, as in a text that is no JSON. */
interface Reader {
  readonly read: (json: SqlExpression) => SqlExpression;
  /** The same for few rows, in less SQL. */
  readonly reread?: (json: SqlExpression) => SqlExpression;
  readonly found: (json: SqlExpression) => SqlExpression;
  /** Turns values that were read with marks back into what they were. */
  readonly restore: (value: SqlExpression) => SqlExpression;
  /** It reads an array. */
  readonly many?: boolean;
}

/**
 * What `read` gives, of texts with wide integers too: their numbers are read as strings with a mark. Looked at only where nothing was found: as elements of
 * an array that is empty elsewhere, since of branches ClickHouse may compute both for every row.
 */
export function readExactly(json: SqlExpression, c: ReadContext, { read, reread = read, found, restore, many }: Reader): SqlExpression {
  if (c.typeOf(0).kind !== 'STRING') return read(json);
  const known = c.constant(0);
  if (known === null) return read(json);
  if (typeof known === 'string') return hasWideInteger(known) ? restore(read(marked(json))) : read(json);
  const readable = c.fresh('marked');
  const again = call('arrayMap', lambda([readable], restore(reread(ident(readable)))), wideJson(json, found(json)));
  if (many) return iff(found(json), call('arrayElement', again, lit(1)), read(json));
  return call('coalesce', read(json), call('arrayElementOrNull', again, lit(1)));
}

/** True if ClickHouse does not take the text as JSON, and it has so many digits that they may be the reason. */
export const isWide = (json: SqlExpression): SqlExpression =>
  infix('AND', infix('=', call('isValidJSON', json), lit(0)), call('match', json, lit('[0-9]{19}')));

/** The text with its numbers as marked strings, if it has wide integers and nothing was found in it, in an array; else an empty one. */
const wideJson = defineHelper('wide_json', ['_text', '_nothing'], (text, nothing) => {
  const doubted = iff(nothing, array(call('ifNull', text, lit(''))), array());
  return call(
    'arrayMap',
    lambda(['_wide'], marked(ident('_wide'))),
    call('arrayFilter', lambda(['_doubted'], isWide(ident('_doubted'))), doubted),
  );
});

/** Every number as a string that begins with the mark. */
function marked(json: SqlExpression): SqlExpression {
  const split = tokens(json, `(${STRING})|(-?(?:0|[1-9][0-9]*)${EXACT})`);
  return call('replaceAll', call('replaceAll', split, lit(START), lit(`"${START}`)), lit(END), lit('"'));
}

/** Every wide integer as a number with a fraction, which is read as FLOAT64. */
export function rounded(json: SqlExpression): SqlExpression {
  const split = tokens(
    json,
    `(${STRING}|-?[0-9]+(?:\\.[0-9]+${EXACT.slice(EXACT.indexOf('(?:[eE]'))}|[eE][-+]?[0-9]+))|([0-9]{20,}|-[0-9]{19,})`,
  );
  return call('replaceAll', call('replaceAll', split, lit(START), lit('')), lit(END), lit('.0'));
}

/** The text with marks around what the second group of the pattern matches, and none around the first. */
const tokens = (json: SqlExpression, pattern: string): SqlExpression =>
  call('replaceAll', call('replaceRegexpAll', json, lit(pattern), lit(`\\1${START}\\2${END}`)), lit(START + END), lit(''));

/** A scalar that was read as text. */
export const restoreScalar = (text: SqlExpression): SqlExpression => call('replaceOne', text, lit(START), lit(''));

/** JSON that was read. */
export const restoreJson = (json: SqlExpression): SqlExpression => call('replaceRegexpAll', json, lit(`"${START}([^"]*)"`), lit('\\1'));

/** Reads each element. */
export const restoreEach =
  (restore: (value: SqlExpression) => SqlExpression, c: ReadContext) =>
  (values: SqlExpression): SqlExpression => {
    const item = c.fresh('item');
    return call('arrayMap', lambda([item], restore(ident(item))), values);
  };
