// Records that are JSON text because no path leads to them: their elements and fields.
import { fail } from '../base/fail.ts';
import { once } from '../functions/written-once.ts';
import type { Fresh } from '../layouts/layout.ts';
import { elementText } from '../layouts/raw-record.ts';
import { fromText, isRecordType } from '../layouts/stored.ts';
import type { Expr, RecordField } from '../logical/nodes.ts';
import type { SqlExpression } from '../target/ast.ts';
import { array, call, cast, ident, iff, infix, lambda, lit, NULL } from '../target/build.ts';
import { clickhouseType } from '../target/types.ts';

/** Returns the elements that UNNEST returns: those of an array as they are, those of records as JSON texts. */
export function recordElements(expr: Expr, value: SqlExpression, fresh: Fresh): SqlExpression {
  const { type } = expr;
  if (type.kind === 'DYNAMIC') {
    const item = fresh('item');
    return call(
      'arrayMap',
      lambda([item], dynamicText(ident(item))),
      recordElements({ ...expr, type: { kind: 'RECORD', fields: [] } }, value, fresh),
    );
  }
  if (type.kind === 'ARRAY' && type.element.kind !== 'RECORD') return value;
  const elements = (text: SqlExpression): SqlExpression => {
    const kind = call('JSONType', text);
    return call(
      'multiIf',
      infix('=', kind, lit('Array')),
      call('JSONExtractArrayRaw', text),
      infix('=', kind, lit('Object')),
      array(text),
      cast(array(), 'Array(String)'),
    );
  };
  // A record stands for an array of one; null and absent values have no elements.
  const text = call('ifNull', value, lit(''));
  return isNested(expr) ? once(text, fresh('text'), elements) : elements(text);
}

/** True if the value is a field of an undeclared field. Its text is some ten times as long at each level if it is written at several places. */
const isNested = (expr: Expr): boolean =>
  expr.kind === 'record_field' && expr.of.kind === 'record_field' && expr.of.type.kind === 'DYNAMIC';

/** Reads a field of a record that is JSON text here. */
export function lowerRecordField(expr: RecordField, recordText: SqlExpression, fresh: Fresh): SqlExpression {
  const { name, type, of } = expr;
  if (of.type.kind === 'ARRAY') fail('internal', of.span, 'a field is read from one record, not from an array');
  // An undeclared field may contain an array of one record.
  const nested = isNested(expr);
  const plain = of.type.kind === 'DYNAMIC' ? elementText(recordText) : recordText;
  const text = nested ? once(recordText, fresh('text'), elementText) : plain;
  if (isRecordType(type)) return call('nullIf', call('JSONExtractRaw', text, lit(name)), lit(''));
  if (type.kind === 'DYNAMIC') {
    const value = call('JSONExtractRaw', text, lit(name));
    return nested ? once(value, fresh('text'), dynamicText) : dynamicText(value);
  }
  if (type.kind === 'ARRAY') return call('JSONExtract', text, lit(name), lit(clickhouseType(type)));
  return fromText(call('JSONExtract', text, lit(name), lit('Nullable(String)')), type);
}

/** Returns a JSON text as STRING: strings without quotes, null and absent values as NULL. */
function dynamicText(rawText: SqlExpression): SqlExpression {
  const bare = iff(call('startsWith', rawText, lit('"')), call('JSONExtractString', rawText), rawText);
  return iff(call('in', rawText, call('tuple', lit(''), lit('null'))), NULL, bare);
}
