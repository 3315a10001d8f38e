// The properties of a plan's values that lowering needs, each derived at its first use.

import type { Range } from '../../base/number-range.ts';
import type { Expr, LogicalPlan } from '../nodes.ts';
import { holdsVolatile } from '../volatile.ts';
import { columnsRead, relationsOf } from '../walk.ts';
import { constantColumns, isOfConstants, mayBeConstant } from './constant.ts';
import { DIGITS } from './digits.ts';
import { FINITE } from './finite.ts';
import { filledIn, madeIn } from './made.ts';
import { isNearNow } from './near-now.ts';
import { nullElements } from './null-elements.ts';
import { PLAIN, PRESENT } from './present.ts';
import { propertyIn } from './property.ts';
import { RANGE } from './range.ts';

export interface Properties {
  /** True if the query calls a function that gives another value each time. */
  readonly volatile: () => boolean;
  /** True if the value is known to be neither NaN nor infinite. */
  readonly isFinite: (expr: Expr) => boolean;
  /** True if the value is a time that is made of the current one and constants. */
  readonly isNearNow: (expr: Expr) => boolean;
  /** True if the value is a column that is known never to be NULL. */
  readonly isNeverNull: (expr: Expr) => boolean;
  /** The same of any value, whatever its type in ClickHouse. */
  readonly isPresent: (expr: Expr) => boolean;
  /** True if the value is an array that may have NULL elements, or a struct with one. */
  readonly mayHoldNull: (expr: Expr) => boolean;
  /** True if ClickHouse may find the value to be the same for all rows. */
  readonly mayBeConstant: (expr: Expr) => boolean;
  /** True if the value is made of constants alone, also those of subqueries. */
  readonly isOfConstants: (expr: Expr) => boolean;
  /** Returns the bounds of a number, or of the elements of an array of them. */
  readonly rangeOf: (expr: Expr) => Range | undefined;
  /** Returns the most digits after the point that a NUMERIC has. */
  readonly digitsOf: (expr: Expr) => number | undefined;
  /** True if conditions on rows depend on the column with this id. */
  readonly inFilter: (id: number) => boolean;
}

export function propertiesOf(plan: LogicalPlan): Properties {
  const finite = lazy(() => propertyIn(plan, FINITE));
  const plain = lazy(() => propertyIn(plan, PLAIN, filledIn(plan)));
  const present = lazy(() => propertyIn(plan, PRESENT, filledIn(plan)));
  const isNeverNull = (expr: Expr): boolean =>
    expr.kind === 'literal' ? expr.value !== null : expr.kind === 'column' && plain()(expr) === true;
  const holdNull = lazy(() => propertyIn(plan, nullElements(isNeverNull)));
  const constant = lazy(() => constantColumns(plan, mayBeConstant));
  const ofConstants = lazy(() => constantColumns(plan, isOfConstants));
  const range = lazy(() => propertyIn(plan, RANGE));
  const digits = lazy(() => propertyIn(plan, DIGITS));
  const filtered = lazy(() => filteredColumns(plan));
  return {
    volatile: lazy(() => holdsVolatile(plan)),
    isFinite: (expr) => expr.type.kind !== 'FLOAT64' || finite()(expr) === true,
    isNearNow,
    isNeverNull,
    isPresent: (expr) => present()(expr) === true,
    mayHoldNull: (expr) => holdNull()(expr) === true,
    mayBeConstant: (expr) => mayBeConstant(expr, constant()),
    isOfConstants: (expr) => isOfConstants(expr, ofConstants()),
    rangeOf: (expr) => range()(expr),
    digitsOf: (expr) => digits()(expr),
    inFilter: (id) => filtered().has(id),
  };
}

function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Returns the columns on which a filter or join condition depends, also through projections that give them another name. */
function filteredColumns(plan: LogicalPlan): ReadonlySet<number> {
  const found = new Set<number>();
  for (const rel of relationsOf(plan)) {
    if (rel.kind === 'filter') columnsRead(rel.condition, found);
    if (rel.kind === 'join' && rel.on !== null) columnsRead(rel.on, found);
  }
  const values = new Map(madeIn(plan).flatMap((made) => (made.by === 'value' ? [[made.column.id, made.value] as const] : [])));
  // A set visits what is added to it while it is walked.
  for (const id of found) {
    const value = values.get(id);
    if (value !== undefined) columnsRead(value, found);
  }
  return found;
}
