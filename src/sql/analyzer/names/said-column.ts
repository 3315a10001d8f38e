// Columns that are declared to be dates or times, and stored as texts or as numbers of days. A scan reads the stored values, and a projection converts them
// as CAST does: so all years are right, and a text that is no such value fails the query that reads it.

import { INT64, STRING, type Type } from '../../base/types.ts';
import { scalarBuiltIn } from '../../functions/index.ts';
import { castTo, ref } from '../../logical/build.ts';
import type { Column, Expr, Literal } from '../../logical/nodes.ts';
import type { SourceColumn } from '../../source.ts';

const plainRead = ({ read }: SourceColumn) => (read.layout === 'column' ? read : undefined);

/** Returns the type in which a scan reads the column. */
export function storedType(from: SourceColumn): Type {
  const says = plainRead(from)?.says;
  if (says === undefined) return from.type;
  return says === 'days' ? INT64 : STRING;
}

/** Returns the column's value in queries, where that is another one than the scan reads as `stored`. */
export function saidValue(from: SourceColumn, stored: Column): Expr | undefined {
  const { says, forms = [] } = plainRead(from) ?? {};
  if (says === undefined) return undefined;
  // No text of the query stands for it.
  const span = { start: 0, end: 0 };
  const call = (name: string, args: readonly Expr[], type: Type): Expr => ({
    kind: 'call',
    fn: scalarBuiltIn(name),
    args,
    safe: false,
    type,
    span,
  });
  if (says === 'base64') return call('FROM_BASE64', [ref(stored, { span })], from.type);
  if (says === 'days') return call('DATE_FROM_UNIX_DATE', [ref(stored, { span })], from.type);
  // Most columns that are not Nullable have an empty text where there is no time.
  const literal = (value: string): Literal => ({ kind: 'literal', value, type: STRING, span });
  const text = call('NULLIF', [ref(stored, { span }), literal('')], STRING);
  // CAST looks for every form that BigQuery knows, which takes several times as long.
  return forms.reduceRight<Expr>(
    (otherwise, form) => call('$read_as', [ref(stored, { span }), literal(form), otherwise], from.type),
    castTo(text, from.type),
  );
}
