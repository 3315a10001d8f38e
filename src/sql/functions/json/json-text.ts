// Values as JSON text, by their types.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/json_functions#json_encodings
import { fail } from '../../base/fail.ts';
import { STRING, type Type } from '../../base/types.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { bare, call, element, ident, iff, infix, isNeverNull, isNull, lambda, lit, raw } from '../../target/build.ts';
import { defineHelper } from '../../target/helpers.ts';
import type { LowerCall } from '../define.ts';

interface JsonStyle {
  /** Integers beyond ±2^53 as text, so that readers who only know doubles keep their digits. */
  readonly wideAsText: boolean;
  /** Decimals that FLOAT64 holds to their digits only are wide too: only whole ones are surely held as they are. */
  readonly exact?: boolean;
  /** A line per element and field. */
  readonly pretty: boolean;
}

const NULL_TEXT = lit('null');
const orNull = (value: SqlExpression, text: SqlExpression): SqlExpression =>
  isNeverNull(bare(value)) ? text : iff(isNull(value), NULL_TEXT, text);
const quoted = (text: SqlExpression): SqlExpression => call('concat', lit('"'), text, lit('"'));
/** Quoted and escaped; the settings of translations leave slashes alone. */
export const jsonString = (value: SqlExpression): SqlExpression => call('toJSONString', value);

/** Characters whose codes have a digit that is a letter. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is about them
const CAPITALS = /[\x0b\x0e\x0f\x1a-\x1f]/;

/** As jsonString, with hexadecimal digits as BigQuery writes them; ClickHouse's are capitals. Hardly any text has one of the characters that show it. */
const escapedText = defineHelper('text_to_json', ['_text'], (text) => {
  const piece = ident('_piece');
  const lowered = iff(call('startsWith', piece, lit('\\u00')), call('lower', piece), piece);
  const pieces = call('extractAll', jsonString(text), lit('\\\\u00[01][0-9A-F]|\\\\.|[^\\\\]+|\\C'));
  const rare = call('arrayStringConcat', call('arrayMap', lambda(['_piece'], lowered), pieces));
  return orNull(text, iff(call('match', text, lit(CAPITALS.source)), rare, jsonString(text)));
});

/** JSON text of a value; never NULL. */
export function jsonText(value: SqlExpression, type: Type, style: JsonStyle, c: LowerCall, indent = ''): SqlExpression {
  const text = (): SqlExpression => c.cast(value, type, STRING);
  switch (type.kind) {
    case 'BOOL':
      return orNull(value, iff(value, lit('true'), lit('false')));
    case 'INT64':
      return orNull(value, style.wideAsText ? wide(infix('<=', call('abs', value), lit(2n ** 53n)), text()) : text());
    case 'NUMERIC':
    case 'BIGNUMERIC': {
      return orNull(value, style.wideAsText ? wide(isHeldByFloat(value, type.kind, style), text()) : number(value, text()));
    }
    case 'FLOAT64':
      return orNull(value, iff(call('isFinite', value), text(), namedFloat(value)));
    case 'STRING':
      return value.kind === 'lit' && !CAPITALS.test(String(value.value)) ? jsonString(value) : escapedText(value);
    case 'BYTES':
      return orNull(value, quoted(call('base64Encode', value)));
    case 'DATE':
    case 'TIME':
      return orNull(value, quoted(text()));
    case 'DATETIME':
      return orNull(value, quoted(call('replaceOne', text(), lit(' '), lit('T'))));
    case 'TIMESTAMP':
      return orNull(value, quoted(call('replaceOne', call('replaceOne', text(), lit(' '), lit('T')), lit('+00'), lit('Z'))));
    case 'JSON':
      return call('ifNull', value, NULL_TEXT);
    case 'ARRAY': {
      const item = c.fresh('item');
      const inner = deeper(indent, style);
      const items = call('arrayMap', lambda([item], jsonText(ident(item), type.element, style, c, inner)), value);
      return iff(
        call('empty', value),
        lit('[]'),
        call('concat', lit(`[${inner}`), call('arrayStringConcat', items, lit(`,${inner}`)), lit(`${newline(indent, style)}]`)),
      );
    }
    case 'STRUCT': {
      const inner = deeper(indent, style);
      const fields = type.fields.flatMap((f, i) => [
        lit(`${i === 0 ? '{' : ','}${inner}${JSON.stringify(f.name ?? '')}:${style.pretty ? ' ' : ''}`),
        jsonText(element(value, i + 1), f.type, style, c, inner),
      ]);
      return type.fields.length === 0 ? lit('{}') : orNull(value, call('concat', ...fields, lit(`${newline(indent, style)}}`)));
    }
    default:
      return fail(
        'unsupported',
        c.args[0]?.span ?? { start: 0, end: 0 },
        `a value of type ${type.kind} as JSON is not supported`,
        'CAST it to STRING first',
      );
  }
}

/** True if FLOAT64 represents a decimal: for TO_JSON_STRING its exact value, for TO_JSON a float that is written with the same digits. */
function isHeldByFloat(value: SqlExpression, kind: 'NUMERIC' | 'BIGNUMERIC', { exact = false }: JsonStyle): SqlExpression {
  if (exact) return infix('AND', infix('=', call('trunc', value), value), infix('<=', call('abs', value), lit(2n ** 53n)));
  const written = call(
    'toDecimal256OrNull',
    call('toString', call('toFloat64', call('toString', value))),
    lit(kind === 'NUMERIC' ? 9 : 38),
  );
  return call('ifNull', infix('=', written, value), lit(false));
}

/** A number of JSON is one of 64 bits, with a sign or without, or a FLOAT64; other digits ClickHouse could not read again. */
function number(value: SqlExpression, text: SqlExpression): SqlExpression {
  const isInteger = [
    infix('=', call('trunc', value), value),
    infix('>=', value, lit(-(2n ** 63n))),
    infix('<', value, call('toDecimal256', lit(String(2n ** 64n)), lit(0))),
  ].reduce((all, test) => infix('AND', all, test));
  const float = call('toFloat64', call('toString', value));
  // ClickHouse's own text of a large one is that of an integer.
  const isLarge = infix('>=', call('abs', float), raw('1e15'));
  return call('multiIf', isInteger, text, isLarge, call('printf', lit('%.17g'), float), call('toString', float));
}

const wide = (plain: SqlExpression, text: SqlExpression): SqlExpression => iff(plain, text, quoted(text));
const deeper = (indent: string, style: JsonStyle): string => (style.pretty ? `${indent === '' ? '\n' : indent}  ` : '');
const newline = (indent: string, style: JsonStyle): string => (style.pretty ? indent || '\n' : '');

/** Quoted, for JSON has no such numbers. */
const namedFloat = (value: SqlExpression): SqlExpression =>
  call('multiIf', call('isNaN', value), lit('"NaN"'), infix('>', value, lit(0)), lit('"Infinity"'), lit('"-Infinity"'));
