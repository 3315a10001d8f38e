// How a table of the user's own holds values of BigQuery's types.

import { quoteIdentifier } from '../../clickhouse/quote.ts';
import { STORED_SCALARS } from '../../sql/layouts/index.ts';
import type { DeclaredColumn } from '../table-schema.ts';

export type ValueType = DeclaredColumn['type'];

/** Types whose years may lie outside of 1900 to 2299, where ClickHouse has only texts for them. */
export const WIDENED: readonly string[] = ['DATE', 'DATETIME', 'TIMESTAMP'];

/** What a column holds whose years lie anywhere from 0001 to 9999: its text. */
export const WIDE = 'Nullable(String)';

/** Where few values come again and again. */
export const REPEATED_TEXT = 'LowCardinality(Nullable(String))';

/** Undefined for what no column can hold. */
export function storedType(type: ValueType): string | undefined {
  if (type.kind === 'ARRAY') {
    const element = storedType(type.element);
    return element === undefined || type.element.kind === 'ARRAY' ? undefined : `Array(${element})`;
  }
  const plain = type.kind === 'STRUCT' ? tuple(type) : STORED_SCALARS[type.kind];
  return plain === undefined ? undefined : `Nullable(${plain})`;
}

function tuple({ fields }: Extract<ValueType, { readonly kind: 'STRUCT' }>): string | undefined {
  const parts = fields.map(({ name, type }) => {
    const stored = storedType(type);
    return stored === undefined || name === null ? undefined : `${quoteIdentifier(name)} ${stored}`;
  });
  return parts.length === 0 || parts.includes(undefined) ? undefined : `Tuple(${parts.join(', ')})`;
}
