// The columns that may be the same for all rows, as far as ClickHouse sees: those that a SELECT makes of constants alone.
import { layoutOf } from '../../layouts/index.ts';
import { isCorrelated } from '../free-columns.ts';
import type { Case, Expr, Literal, LogicalPlan } from '../nodes.ts';
import { isVolatile } from '../volatile.ts';
import { eachChild } from '../walk.ts';
import { derive } from './derive.ts';

type Constants = ReadonlyMap<number, true>;

/** Returns such columns; `is` tests a value, given the columns that are constant. */
export function constantColumns(query: LogicalPlan, is: (value: Expr, constants: Constants) => boolean): Constants {
  const known = new Map<number, true>();
  return derive(query, known, (made) => {
    // A column that a source may have and its table has not is NULL in every row.
    if (made.by === 'scan') return isConstantLayout(layoutOf(made.scanned.from.read));
    if (made.by === 'cte') return made.read && known.get(made.read.id);
    if (made.by === 'value' || made.by === 'key') return is(made.value, known);
    // Over a frame that is always empty, which lies on one side of the row, a function is one constant.
    const frame = made.by === 'call' && 'frame' in made.call ? made.call.frame : null;
    return frame !== null && frame.start.kind === frame.end.kind;
  });
}

const isConstantLayout = (layout: ReturnType<typeof layoutOf>): boolean => !layout.records && layout.constant === true;

/** True if nothing in the value varies besides `constants`, or a constant condition may choose a branch in which nothing varies. */
export function mayBeConstant(value: Expr, constants: Constants): boolean {
  const is = (e: Expr | null): boolean => e === null || mayBeConstant(e, constants);
  if (value.kind === 'column') return constants.has(value.column.id);
  if (value.kind === 'case' && alwaysSame(branchesOf(value))) return true;
  if (value.kind === 'case' && value.whens.some((w) => is(w.when))) return is(value.otherwise) || value.whens.some((w) => is(w.then));
  if (isVolatile(value)) return false;
  if (value.kind === 'subquery') return !isCorrelated(value.input);
  if (value.kind === 'call' && value.fn.name === '$and') return value.args.some(is);
  if (isOfNull(value, is)) return true;
  // A bound or a list item is NULL for all rows.
  if (value.kind === 'call' && value.fn.compares === true && value.fn.strict === 'first' && value.args.some((a) => mayBeNull(a, is)))
    return true;
  // ClickHouse knows the answer for columns that are never NULL.
  if (value.kind === 'call' && (value.fn.name === '$is_null' || value.fn.name === '$is_not_null') && value.args[0]?.kind === 'column')
    return true;
  if (value.kind === 'call' && value.fn.firstPresent === true && is(value.args[0] ?? null)) return true;
  return isMadeOf(value, is);
}

/** True if all parts of the value pass the test. */
function isMadeOf(value: Expr, is: (part: Expr) => boolean): boolean {
  let all = true;
  eachChild(value, {
    expr: (e) => {
      all &&= is(e);
    },
  });
  return all;
}

/** True if the value is made of constants and of `constants`, and nothing else, or is NULL for one of them. */
export function isOfConstants(value: Expr, constants: Constants): boolean {
  if (value.kind === 'column') return constants.has(value.column.id);
  if (value.kind === 'subquery') return !isCorrelated(value.input);
  if (isVolatile(value)) return false;
  const is = (e: Expr | null): boolean => e === null || isOfConstants(e, constants);
  return isOfNull(value, is) || isMadeOf(value, is);
}

const branchesOf = ({ whens, otherwise }: Case): readonly (Expr | null)[] => [...whens.map(({ then }) => then), otherwise];

/** True if all branches are the same constant. */
const alwaysSame = (branches: readonly (Expr | null)[]): boolean =>
  new Set(branches.map(constantOf)).size === 1 && constantOf(branches[0] ?? null) !== undefined;

/** Returns the value of a literal; undefined of anything else. */
function constantOf(e: Expr | null): Literal['value'] | undefined {
  if (e === null) return null;
  if (e.kind === 'cast' && constantOf(e.operand) === null) return null;
  return e.kind === 'literal' && (e.value === null || typeof e.value !== 'object') ? e.value : undefined;
}

/** True if it is NULL for all rows if an argument is, such as that of a parameter, or all its branches are. `is` tests what else is the same for all rows. */
export function isOfNull(value: Expr, is: (e: Expr | null) => boolean = () => false): boolean {
  if (value.kind === 'case') return branchesOf(value).every((branch) => branch === null || mayBeNull(branch, is));
  if (value.kind !== 'call' || value.fn.strict === undefined) return false;
  const args = value.fn.strict === 'first' ? value.args.slice(0, 1) : value.args;
  return args.some((a) => mayBeNull(a, is));
}

/** True if ClickHouse may know the value to be NULL, and with it the values made of it. */
function mayBeNull(value: Expr | null, is: (e: Expr | null) => boolean): boolean {
  switch (value?.kind) {
    case 'parameter':
      return true;
    case 'literal':
      return value.value === null;
    case 'subquery':
      return value.mode === 'scalar' && !isCorrelated(value.input);
    case 'cast':
      return mayBeNull(value.operand, is) || (value.safe && is(value.operand));
    case 'case':
      return (
        isOfNull(value, is) ||
        (value.whens.every(({ when }) => is(when)) && branchesOf(value).some((branch) => branch === null || mayBeNull(branch, is)))
      );
    case 'call':
      return isOfNull(value, is) || (value.fn.nullForNullOnly !== true && value.type.kind !== 'INTERVAL' && is(value));
    default:
      return false;
  }
}
