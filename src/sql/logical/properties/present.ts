// The columns that are never NULL: those of sources whose ClickHouse type is not Nullable, counts, and what passes them on.
import { layoutOf } from '../../layouts/index.ts';
import { branchesOf } from '../build.ts';
import type { Property } from './property.ts';

export const PRESENT: Property<true> = {
  differs: () => true,
  any: (values) => values.every((value) => value === true),
  scan: ({ part, from: { read } }) => {
    const layout = layoutOf(read);
    return part.kind === 'present' || (!layout.records && part.kind !== 'entry' && layout.neverNull(read));
  },
  call: ({ fn }) => 'zeroWhenEmpty' in fn && fn.zeroWhenEmpty === true,
  values: {
    case: (expr, of) => expr.otherwise !== null && branchesOf(expr).every((value) => of(value) === true),
    literal: ({ value }) => value !== null,
    // It has no row where it finds none.
    subquery: () => undefined,
  },
};
