// Records as JSON text, where no path leads to them: their elements and fields.
import { fail } from '../base/fail.ts';
import type { Fresh } from '../layouts/layout.ts';
import { elementText } from '../layouts/raw-record.ts';
import { fromText, isRecordType } from '../layouts/stored.ts';
import type { Expr, RecordField } from '../logical/nodes.ts';
import type { SqlExpression } from '../target/ast.ts';
import { array, call, cast, ident, iff, infix, lambda, lit, NULL } from '../target/build.ts';
import { clickhouseType } from '../target/types.ts';

/** The elements that UNNEST walks: of an array as they are; of records as JSON texts. */
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
  // A record stands for an array of one; null and absent are no element.
  const text = call('ifNull', value, lit(''));
  return isNested(expr) ? once(text, elements, fresh) : elements(text);
}

/** Whether the value is a field of an undeclared field: written out at several places, its text would be some ten times as long with each level. */
const isNested = (expr: Expr): boolean =>
  expr.kind === 'record_field' && expr.of.kind === 'record_field' && expr.of.type.kind === 'DYNAMIC';

/** A value that stands at several places of what is made of it, worked out once. */
function once(value: SqlExpression, make: (value: SqlExpression) => SqlExpression, fresh: Fresh): SqlExpression {
  const name = fresh('text');
  return call('arrayElement', call('arrayMap', lambda([name], make(ident(name))), array(value)), lit(1));
}

/** A field of a record that is JSON text here. */
export function lowerRecordField(expr: RecordField, recordText: SqlExpression, fresh: Fresh): SqlExpression {
  const { name, type, of } = expr;
  if (of.type.kind === 'ARRAY') fail('internal', of.span, 'a field is read from one record, not from an array');
  // What an undeclared field holds may be an array of one record.
  const nested = isNested(expr);
  const text = nested ? once(recordText, elementText, fresh) : of.type.kind === 'DYNAMIC' ? elementText(recordText) : recordText;
  if (isRecordType(type)) return call('nullIf', call('JSONExtractRaw', text, lit(name)), lit(''));
  if (type.kind === 'DYNAMIC') {
    const held = call('JSONExtractRaw', text, lit(name));
    return nested ? once(held, dynamicText, fresh) : dynamicText(held);
  }
  if (type.kind === 'ARRAY') return call('JSONExtract', text, lit(name), lit(clickhouseType(type)));
  return fromText(call('JSONExtract', text, lit(name), lit('Nullable(String)')), type);
}

/** JSON text of a value as STRING: strings without quotes, null and absent as NULL. */
function dynamicText(rawText: SqlExpression): SqlExpression {
  const bare = iff(call('startsWith', rawText, lit('"')), call('JSONExtractString', rawText), rawText);
  return iff(call('in', rawText, call('tuple', lit(''), lit('null'))), NULL, bare);
}
