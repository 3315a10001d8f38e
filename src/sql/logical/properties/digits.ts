// The most digits after the point that an exact number has, as far as literals, stored types and the functions' own facts say it. NUMERIC has room for nine.
import { layoutOf } from '../../layouts/index.ts';
import type { Property } from './property.ts';

export const DIGITS: Property<number> = {
  differs: ({ kind }) => kind === 'NUMERIC',
  all: ({ kind }) => ({ INT64: 0, NUMERIC: 9 })[kind as string],
  both: Math.min,
  any: (values) => (values.every((value) => value !== undefined) ? Math.max(0, ...values) : undefined),
  scan: ({ part, from }) => {
    const layout = layoutOf(from.read);
    return part.kind === 'whole' && !layout.records ? layout.digits?.(from.read) : undefined;
  },
  call: ({ fn: { digits }, args }, of) => digits?.(...args.map((arg) => (arg === null ? undefined : of(arg)))),
  values: {
    literal: ({ value }) => (value === null ? 0 : /^-?\d+\.?(\d*)$/.exec(String(value))?.[1]?.length),
    cast: ({ operand }, of) => of(operand),
  },
};
