// The state of giving relations flags for their arrays.
import { bool, ref } from '../../logical/build.ts';
import type { Column, Expr, Rel } from '../../logical/nodes.ts';
import { mapChildren } from '../../logical/walk.ts';
import { call } from '../build.ts';
import { type Rewriting, rewritten } from './expressions.ts';
import type { Flags } from './flags.ts';
import type { Nulls } from './nulls.ts';

/** A relation, and the tests of the arrays that are visible above it. */
export interface Carried {
  readonly rel: Rel;
  readonly nulls: Nulls;
}

export interface Carrying {
  readonly rewriting: Rewriting;
  readonly flags: Flags;
  /** The flags of WITH tables by the position of the array. */
  readonly ctes: Map<number, ReadonlyMap<number, Column>>;
}

/** Returns `rel` with its own expressions rewritten; its inputs are already. */
export const withExpressions = <T extends object>(rel: T, nulls: Nulls, { rewriting }: Carrying): T =>
  mapChildren(rel, { expr: (e) => rewritten(e, nulls, rewriting), rel: (r) => r });

export const flagRef = (flag: Column): Expr => ref(flag, { span: { start: 0, end: 0 } });

/** Returns the flag, which is TRUE where an outer join or a rolled up key leaves it without a value. */
export const orNull = (flag: Column): Expr => call('IFNULL', [flagRef(flag), bool(true, flagRef(flag))], flagRef(flag));
