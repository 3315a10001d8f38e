// PARSE_DATE, PARSE_DATETIME, PARSE_TIME, PARSE_TIMESTAMP: the format becomes a regular expression at translation time.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/timestamp_functions#parse_timestamp

import type { Span } from '../../../base/source-text.ts';
import { fail } from '../../base/fail.ts';
import type { SqlExpression } from '../../target/ast.ts';
import type { Family, LowerCall } from '../define.ts';
import { strict } from '../strict.ts';
import { parseText } from './parse-fields.ts';
import { literal, PARSE_TOKENS, type Target, type Token } from './parse-token.ts';
import { UTC_ZONE, type Zone, zoneOf } from './time-zone.ts';

/** `%E4Y`, `%E3S`, `%Ez`, `%Od` or one character. */
const ELEMENT = /%(E4Y|E\*S|E\dS|E[a-zA-Z]|O[a-zA-Z]|[\s\S]|$)/g;
/** Elements that also have an alternative form, which here is the same. */
const ALTERNATIVE = /^(?:E[cXxYy]|O[deHIMmSUuVWwy])$/;

function readFormat(format: string, span: Span): readonly Token[] {
  const tokens: Token[] = [];
  let end = 0;
  for (const match of format.matchAll(ELEMENT)) {
    if (match.index > end) tokens.push(literal(format.slice(end, match.index)));
    end = match.index + match[0].length;
    const name = match[1] ?? '';
    const found = PARSE_TOKENS[name] ?? (ALTERNATIVE.test(name) ? PARSE_TOKENS[name.slice(1)] : undefined);
    if (found === undefined) return fail('unsupported', span, `the format element ${match[0]} can’t be parsed`);
    tokens.push(...found);
  }
  if (end < format.length) tokens.push(literal(format.slice(end)));
  return tokens;
}

function parse(value: SqlExpression, target: Target, zone: Zone, c: LowerCall): SqlExpression {
  const format = c.constant(0);
  const span = c.args[0]?.span ?? { start: 0, end: 0 };
  if (typeof format !== 'string') return fail('unsupported', span, 'the format must be a constant', "e.g. '%Y-%m-%d %H:%M:%S'");
  // GoogleSQL reads a format up to its first NUL.
  const [read = ''] = format.split('\0', 1);
  return parseText(value, readFormat(read, span), { target, zone, safe: c.safe, span, fresh: c.fresh });
}

export const parsing = (): Family => ({
  PARSE_DATE: strict('format STRING, value STRING -> DATE', ({ value }, c) => parse(value, 'DATE', UTC_ZONE, c)),
  PARSE_DATETIME: strict('format STRING, value STRING -> DATETIME', ({ value }, c) => parse(value, 'DATETIME', UTC_ZONE, c)),
  PARSE_TIME: strict('format STRING, value STRING -> TIME', ({ value }, c) => parse(value, 'TIME', UTC_ZONE, c)),
  PARSE_TIMESTAMP: strict('format STRING, value STRING, [zone STRING] -> TIMESTAMP', ({ value, zone }, c) =>
    parse(value, 'TIMESTAMP', zoneOf(c.args[2], zone, c.safe), c),
  ),
});
