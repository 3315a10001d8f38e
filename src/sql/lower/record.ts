// Records as JSON text, where no path leads to them: their elements and fields.
import { fail } from '../fail.ts';
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
  // A record stands for an array of one; null and absent are no element.
  const text = call('ifNull', value, lit(''));
  const kind = call('JSONType', text);
  return call(
    'multiIf',
    infix('=', kind, lit('Array')),
    call('JSONExtractArrayRaw', text),
    infix('=', kind, lit('Object')),
    array(text),
    cast(array(), 'Array(String)'),
  );
}

/** A field of a record that is JSON text here. */
export function lowerRecordField({ name, type, of }: RecordField, recordText: SqlExpression): SqlExpression {
  if (of.type.kind === 'ARRAY') fail('internal', of.span, 'a field is read from one record, not from an array');
  // What an undeclared field holds may be an array of one record.
  const text = of.type.kind === 'DYNAMIC' ? elementText(recordText) : recordText;
  if (isRecordType(type)) return call('nullIf', call('JSONExtractRaw', text, lit(name)), lit(''));
  if (type.kind === 'DYNAMIC') return dynamicText(call('JSONExtractRaw', text, lit(name)));
  if (type.kind === 'ARRAY') return call('JSONExtract', text, lit(name), lit(clickhouseType(type)));
  return fromText(call('JSONExtract', text, lit(name), lit('Nullable(String)')), type);
}

/** JSON text of a value as STRING: strings without quotes, null and absent as NULL. */
function dynamicText(rawText: SqlExpression): SqlExpression {
  const bare = iff(call('startsWith', rawText, lit('"')), call('JSONExtractString', rawText), rawText);
  return iff(call('in', rawText, call('tuple', lit(''), lit('null'))), NULL, bare);
}
