// Names for the columns that PIVOT makes: the alias, or the value as a name; behind the aggregate's alias if it has one.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/query-syntax#rules_for_pivot_operator

import { fail } from '../../base/fail.ts';
import type { Expr } from '../../logical/nodes.ts';

const MS_PER_DAY = 86_400_000;

export function pivotColumnName(value: Expr, alias: string | null, prefix: string | null): string {
  const own = alias ?? nameOf(value);
  if (prefix !== null) return `${prefix}_${own}`;
  // A name does not begin with a digit.
  return alias === null && /^\d/.test(own) && value.type.kind !== 'STRING' ? `_${own}` : own;
}

function nameOf(value: Expr): string {
  if (value.kind === 'struct') {
    const { type } = value;
    const fields = type.kind === 'STRUCT' ? type.fields : [];
    return value.fields.map((f, i) => (fields[i]?.name == null ? nameOf(f) : `${nameOf(f)}_${fields[i].name}`)).join('_');
  }
  if (value.kind !== 'literal')
    return fail('type', value.span, 'PIVOT can’t name the column of this value', 'give it an alias: value AS name');
  if (value.value === null) return 'NULL';
  switch (value.type.kind) {
    case 'INT64':
    case 'NUMERIC':
    case 'BIGNUMERIC':
      return String(value.value).replace('-', 'minus_').replace('.', '_point_');
    case 'BOOL':
      return value.value === true ? 'TRUE' : 'FALSE';
    case 'STRING':
      return String(value.value);
    case 'DATE':
      return new Date(Number(value.value) * MS_PER_DAY).toISOString().slice(0, 10).replaceAll('-', '_');
    default:
      return fail('type', value.span, `PIVOT can’t name a column after a ${value.type.kind}`, 'give it an alias: value AS name');
  }
}
