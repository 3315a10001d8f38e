// The values that are never NULL, as far as stored types, literals and the functions' own facts say it: ORDER BY need not say where their NULLs go.
import { layoutOf } from '../../layouts/index.ts';
import { branchesOf } from '../build.ts';
import type { Property } from './property.ts';

const TIMES: ReadonlySet<string> = new Set(['TIMESTAMP', 'DATETIME', 'DATE']);

export const PRESENT: Property<true> = {
  differs: () => true,
  any: (values) => values.every((value) => value === true),
  scan: ({ part, from: { read } }) => {
    const layout = layoutOf(read);
    return part.kind === 'present' || (!layout.records && part.kind !== 'entry' && layout.neverNull(read));
  },
  call({ fn, args }, of) {
    if (fn.kind === 'aggregate') return fn.zeroWhenEmpty;
    if (fn.firstPresent === true) return args.some((arg) => arg !== null && of(arg) === true);
    const first = args[0] ?? null;
    if (fn.cutsTime === true) return first !== null && of(first) === true;
    return fn.nullForNullOnly === true && args.every((arg) => arg === null || of(arg) === true);
  },
  values: {
    literal: ({ value }) => value !== null,
    instant: () => true,
    // Without ELSE it is NULL where no condition holds.
    case: (expr, of) => expr.otherwise !== null && branchesOf(expr).every((value) => of(value) === true),
    cast: ({ operand, type }, of) => TIMES.has(operand.type.kind) && TIMES.has(type.kind) && of(operand),
    // It has no row where it finds none.
    subquery: () => undefined,
  },
};

/** The same of columns whose type in ClickHouse is not Nullable: functions may leave out what they do for NULL. */
export const PLAIN: Property<true> = {
  ...PRESENT,
  call: ({ fn }) => fn.kind === 'aggregate' && fn.zeroWhenEmpty,
  values: { literal: ({ value }) => value !== null, case: () => undefined, subquery: () => undefined },
};
