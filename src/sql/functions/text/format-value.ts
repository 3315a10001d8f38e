// Values in FORMAT(): %t as a person reads them, %T as BigQuery literals.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/string_functions#t_and_t_behavior
import { fail } from '../../base/fail.ts';
import { STRING, type Type } from '../../base/types.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { call, element, ident, iff, infix, isNull, lambda, lit, raw } from '../../target/build.ts';
import type { LowerCall } from '../define.ts';

const orNull = (value: SqlExpression, text: SqlExpression): SqlExpression => iff(isNull(value), lit('NULL'), text);

/** Text of a value as %t (or as %T, a literal) writes it; NULL is `NULL`. */
export function valueText(value: SqlExpression, type: Type, literal: boolean, c: LowerCall): SqlExpression {
  const plain = (): SqlExpression => c.cast(value, type, STRING);
  switch (type.kind) {
    case 'STRING':
      return orNull(value, literal ? quotedText(value, c) : value);
    case 'BYTES':
      return orNull(value, bytesText(value, literal, c));
    case 'FLOAT64':
      return orNull(value, floatText(value, plain(), literal));
    case 'NUMERIC':
    case 'BIGNUMERIC':
      return orNull(value, literal ? call('concat', lit(`${type.kind} "`), plain(), lit('"')) : plain());
    case 'DATE':
    case 'DATETIME':
    case 'TIME':
    case 'TIMESTAMP':
      return orNull(value, literal ? call('concat', lit(`${type.kind} "`), plain(), lit('"')) : plain());
    case 'JSON':
      return orNull(value, literal ? call('concat', lit('JSON '), quotedText(value, c)) : value);
    case 'BOOL':
    case 'INT64':
      return orNull(value, plain());
    case 'ARRAY': {
      const item = c.fresh('item');
      const items = call('arrayMap', lambda([item], valueText(ident(item), type.element, literal, c)), value);
      return call('concat', lit('['), call('arrayStringConcat', items, lit(', ')), lit(']'));
    }
    case 'STRUCT': {
      const fields = type.fields.map((f, i) => valueText(element(value, i + 1), f.type, literal, c));
      const open = literal && type.fields.length < 2 ? 'STRUCT(' : '(';
      return orNull(value, call('concat', lit(open), ...fields.flatMap((f, i) => (i === 0 ? [f] : [lit(', '), f])), lit(')')));
    }
    default:
      return fail(
        'unsupported',
        c.args[0]?.span ?? { start: 0, end: 0 },
        `FORMAT of a value of type ${type.kind} is not supported`,
        'CAST it to STRING first',
      );
  }
}

/** Always with a point or an exponent; the special values as casts. */
function floatText(value: SqlExpression, text: SqlExpression, literal: boolean): SqlExpression {
  // As text alone it would have no sign.
  const negativeZero = infix('=', infix('/', lit(1), value), raw('-inf'));
  const pointed = iff(negativeZero, lit('-0.0'), iff(call('match', text, lit('^-?[0-9]+$')), call('concat', text, lit('.0')), text));
  const cast = literal ? call('concat', lit('CAST("'), text, lit('" AS FLOAT64)')) : text;
  return iff(call('isFinite', value), pointed, cast);
}

/** In double quotes, or in single quotes where the text has double quotes only; what cannot be seen as \xhh. */
function quotedText(value: SqlExpression, c: LowerCall): SqlExpression {
  const seen = ['\\', '\n', '\r', '\t'].reduce(
    (at, char, i) => call('replaceAll', at, lit(char), lit(['\\\\', '\\n', '\\r', '\\t'][i] ?? '')),
    value,
  );
  const byte = c.fresh('byte');
  const one = ident(byte);
  const unseen = infix('OR', infix('<', one, lit(' ')), infix('=', one, lit('\x7f')));
  const shown = lambda([byte], iff(unseen, hexText(one), one));
  const escaped = iff(
    call('match', value, lit('[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f]')),
    call('arrayStringConcat', call('arrayMap', shown, call('splitByString', lit(''), seen))),
    seen,
  );
  return inQuotes(value, escaped, '');
}

const hexText = (byte: SqlExpression): SqlExpression => call('concat', lit('\\x'), call('lower', call('hex', byte)));

function inQuotes(value: SqlExpression, escaped: SqlExpression, prefix: string): SqlExpression {
  const single = infix('AND', infix('>', call('position', value, lit('"')), lit(0)), infix('=', call('position', value, lit("'")), lit(0)));
  const double = call('concat', lit(`${prefix}"`), call('replaceAll', escaped, lit('"'), lit('\\"')), lit('"'));
  return iff(single, call('concat', lit(`${prefix}'`), escaped, lit("'")), double);
}

/** Bytes outside of printable ASCII as \xhh; where no quotes stand around them, quotes of all kinds with a backslash. */
function bytesText(value: SqlExpression, literal: boolean, c: LowerCall): SqlExpression {
  const byte = c.fresh('byte');
  const one = ident(byte);
  const code = call('reinterpretAsUInt8', one);
  const shown = infix('AND', infix('>=', code, lit(32)), infix('<', code, lit(127)));
  const slashed = { kind: 'array', elements: (literal ? ['\\'] : ['\\', '"', "'", '`']).map(lit) } as const;
  const named = iff(call('has', slashed, one), call('concat', lit('\\'), one), one);
  const escaped = call(
    'arrayStringConcat',
    call('arrayMap', lambda([byte], iff(shown, named, hexText(one))), call('splitByString', lit(''), value)),
  );
  return literal ? inQuotes(value, escaped, 'b') : escaped;
}
