// The FLOAT64 values that can be neither NaN nor infinite: numbers in JSON, conversions of integers, and results of computing with them (BigQuery's
// arithmetic fails instead of leaving the range). For them MIN, MAX, ORDER BY and GROUP BY need no care for NaN.
import { recordLayoutOf } from '../../layouts/index.ts';
import type { Property } from './property.ts';

export const FINITE: Property<true> = {
  differs: ({ kind }) => kind === 'FLOAT64',
  all: ({ kind }) => (kind === 'FLOAT64' ? undefined : true),
  any: (values) => values.every((value) => value === true),
  scan: ({ part, from }) => part.kind === 'path' && recordLayoutOf(from.read)?.finite === true,
  call: ({ fn, args }, of) => fn.finite === true && args.every((arg) => arg === null || of(arg) === true),
  values: {
    literal: ({ value }) => value === null || (typeof value === 'number' && Number.isFinite(value)),
    record_field: () => true,
    // Text may say NaN, and so may an undeclared field, which is text.
    cast: ({ operand }, of) => !['STRING', 'DYNAMIC', 'JSON'].includes(operand.type.kind) && of(operand),
  },
};
