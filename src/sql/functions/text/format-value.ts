// Values in FORMAT(): %t as a person reads them, %T as BigQuery literals.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/string_functions#t_and_t_behavior
import { fail } from '../../fail.ts';
import type { Ch } from '../../target/ast.ts';
import { call, element, ident, iff, infix, isNull, lambda, lit } from '../../target/build.ts';
import { STRING, type Type } from '../../types.ts';
import type { LowerCall } from '../define.ts';

const orNull = (value: Ch, text: Ch): Ch => iff(isNull(value), lit('NULL'), text);

/** Text of a value as %t (or as %T, a literal) writes it; NULL is `NULL`. */
export function valueText(value: Ch, type: Type, literal: boolean, c: LowerCall): Ch {
  const plain = (): Ch => c.cast(value, type, STRING);
  switch (type.kind) {
    case 'STRING':
      return orNull(value, literal ? quotedText(value) : value);
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
      return orNull(value, literal ? call('concat', lit('JSON '), quotedText(value)) : value);
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
function floatText(value: Ch, text: Ch, literal: boolean): Ch {
  const pointed = iff(call('match', text, lit('^-?[0-9]+$')), call('concat', text, lit('.0')), text);
  const special = call('lower', call('replaceOne', text, lit('Infinity'), lit('inf')));
  const cast = literal ? call('concat', lit('CAST("'), special, lit('" AS FLOAT64)')) : special;
  return iff(call('isFinite', value), pointed, cast);
}

/** In double quotes, or in single quotes where the text has double quotes only. */
function quotedText(value: Ch): Ch {
  const escaped = ['\\', '\n', '\r', '\t', '\b', '\f', '\v', '\x07'].reduce(
    (at, raw, i) => call('replaceAll', at, lit(raw), lit(['\\\\', '\\n', '\\r', '\\t', '\\b', '\\f', '\\v', '\\a'][i] ?? '')),
    value,
  );
  return inQuotes(value, escaped, '');
}

function inQuotes(value: Ch, escaped: Ch, prefix: string): Ch {
  const single = infix('AND', infix('>', call('position', value, lit('"')), lit(0)), infix('=', call('position', value, lit("'")), lit(0)));
  const double = call('concat', lit(`${prefix}"`), call('replaceAll', escaped, lit('"'), lit('\\"')), lit('"'));
  return iff(single, call('concat', lit(`${prefix}'`), escaped, lit("'")), double);
}

/** Bytes outside of printable ASCII as \xhh. */
function bytesText(value: Ch, literal: boolean, c: LowerCall): Ch {
  const byte = c.fresh('byte');
  const one = ident(byte);
  const code = call('reinterpretAsUInt8', one);
  const shown = infix('AND', infix('>=', code, lit(32)), infix('<', code, lit(127)));
  const named = call(
    'transform',
    one,
    { kind: 'array', elements: ['\\', '\n', '\r', '\t'].map(lit) },
    { kind: 'array', elements: ['\\\\', '\\n', '\\r', '\\t'].map(lit) },
    one,
  );
  const hex = call('concat', lit('\\x'), call('lower', call('hex', one)));
  const mapped = lambda(
    [byte],
    iff(infix('OR', shown, call('has', { kind: 'array', elements: ['\n', '\r', '\t'].map(lit) }, one)), named, hex),
  );
  const escaped = call('arrayStringConcat', call('arrayMap', mapped, call('splitByString', lit(''), value)));
  return literal ? inQuotes(value, escaped, 'b') : call('replaceAll', escaped, lit('"'), lit('\\"'));
}
