// Columns that are declared to be dates or times, and held as texts or as numbers of days. A scan reads what is held, and a projection makes of it what queries
// see, as CAST does: so all years are right, and a text that says no such thing fails the query that reads it.

import { INT64, STRING, type Type } from '../../base/types.ts';
import { scalarBuiltIn } from '../../functions/index.ts';
import { ref } from '../../logical/build.ts';
import type { Column, Expr, Literal } from '../../logical/nodes.ts';
import type { SourceColumn } from '../../source.ts';

const plainRead = ({ read }: SourceColumn) => (read.layout === 'column' ? read : undefined);

/** The type in which a scan reads the column. */
export function heldType(from: SourceColumn): Type {
  const says = plainRead(from)?.says;
  return says === undefined ? from.type : says === 'days' ? INT64 : STRING;
}

/** The column's value in queries, where that is not what the scan reads as `held`. */
export function saidValue(from: SourceColumn, held: Column): Expr | undefined {
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
  if (says === 'base64') return call('FROM_BASE64', [ref(held, { span })], from.type);
  if (says === 'days') return call('DATE_FROM_UNIX_DATE', [ref(held, { span })], from.type);
  // An empty text says nothing: most columns that are not Nullable have it where there is no time.
  const literal = (value: string): Literal => ({ kind: 'literal', value, type: STRING, span });
  const text = call('NULLIF', [ref(held, { span }), literal('')], STRING);
  const cast: Expr = { kind: 'cast', operand: text, safe: false, format: null, timeZone: null, type: from.type, span };
  // CAST looks for every form that BigQuery knows, which takes several times as long.
  return forms.reduceRight<Expr>((otherwise, form) => call('$read_as', [ref(held, { span }), literal(form), otherwise], from.type), cast);
}
