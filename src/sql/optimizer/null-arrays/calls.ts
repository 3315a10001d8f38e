// Aggregate and window calls that take arrays or make them.

import { INT64 } from '../../base/types.ts';
import { builtIn } from '../../functions/index.ts';
import { bool, int64, ref } from '../../logical/build.ts';
import type { Aggregate, AggregateCall, Column, Expr, Project, Window, WindowCall } from '../../logical/nodes.ts';
import { call } from '../build.ts';
import { type Carried, type Carrying, flagRef, orNull, withExpressions } from './carrying.ts';
import { inStruct, knownNullTest, nullTest, outOfStruct } from './expressions.ts';
import { choice, isArray, type Nulls } from './nulls.ts';

type Tests = Map<number, Expr | 'untold'>;
type Item = Project['items'][number];

interface CallTests {
  readonly tests: Tests;
  /** The values that columns have above the calls. */
  readonly after: Item[];
}

export function carriedAggregate(rel: Aggregate, input: Carried, outer: Nulls | null, c: Carrying): Carried {
  const tests: Tests = new Map();
  const changed = withExpressions({ ...rel, input: input.rel }, input.nulls, c);
  const keys = [...changed.keys];
  const added = new Map<number, number>();
  for (const [i, { column, value }] of changed.keys.entries()) {
    const test = isArray(column.type) ? nullTest(value, c.rewriting) : undefined;
    if (test === 'untold') tests.set(column.id, test);
    if (test === undefined || test === 'untold') continue;
    const flag = c.rewriting.newColumn(`${column.name}_is_null`, test.type);
    added.set(i, keys.length);
    keys.push({ column: flag, value: test });
    tests.set(column.id, rel.groupingSets === null ? flagRef(flag) : orNull(flag));
  }
  const groupingSets = rel.groupingSets?.map((set) => [...set, ...set.flatMap((i) => added.get(i) ?? [])]) ?? null;
  // Every group but the one of all rows has a row.
  const isEmptyGroup = rel.keys.length === 0 || rel.groupingSets !== null;
  const after: Item[] = [];
  const aggregates = changed.aggregates.flatMap(({ column, call: aggregate }) => {
    const concatenated = aggregate.fn.name === 'ARRAY_CONCAT_AGG' ? presentCount(aggregate, isEmptyGroup, c) : undefined;
    if (concatenated !== undefined) {
      const count = c.rewriting.newColumn(`${column.name}_count`, INT64);
      tests.set(column.id, call('$equal', [ref(count, aggregate), int64(0n, aggregate)], aggregate));
      return [
        { column, call: aggregate },
        { column: count, call: concatenated },
      ];
    }
    return [carriedCall({ column, call: aggregate }, { tests, after }, c, { mayBeEmpty: isEmptyGroup || aggregate.having !== null })];
  });
  return above({ ...changed, keys, groupingSets, aggregates }, after, { tests, outer });
}

export function carriedWindow(rel: Window, input: Carried, outer: Nulls | null, c: Carrying): Carried {
  const tests: Tests = new Map(input.nulls.tests);
  const changed = withExpressions({ ...rel, input: input.rel }, input.nulls, c);
  const after: Item[] = [];
  const items = changed.items.map((item) => carriedCall(item, { tests, after }, c, { mayBeEmpty: item.call.frame !== null }));
  return above({ ...changed, items }, after, { tests, outer });
}

const above = (rel: Aggregate | Window, items: readonly Item[], nulls: Nulls): Carried => ({
  rel: items.length === 0 ? rel : { kind: 'project', input: rel, items },
  nulls,
});

/** Returns the call as it is computed, and adds the value of its column to `after` if that is another one. */
function carriedCall<C extends AggregateCall | WindowCall>(
  { column, call: given }: { readonly column: Column; readonly call: C },
  { tests, after }: CallTests,
  c: Carrying,
  { mayBeEmpty }: { readonly mayBeEmpty: boolean },
): { readonly column: Column; readonly call: C } {
  const { fn, args } = given;
  const [value] = args;
  if (!isArray(given.type))
    return { column, call: value != null && isArray(value.type) && fn.name === 'COUNT' ? counted(given, value, c) : given };
  if (fn.collects !== undefined) {
    // Over no values the array is NULL, and [] here.
    const passesNulls = given.nulls === 'IGNORE' || (given.nulls === null && fn.collects === 'present');
    const length = call('ARRAY_LENGTH', [ref(column, given)], given, INT64);
    if (mayBeEmpty || passesNulls) tests.set(column.id, call('$equal', [length, int64(0n, given)], given));
    return { column, call: given };
  }
  if (!fn.picks) return { column, call: given };
  const wrapped = args.map((a) => (a !== null && isArray(a.type) ? inStruct(a, c.rewriting) : a));
  const type = wrapped.find((a, i) => a !== args[i])?.type ?? given.type;
  const made = c.rewriting.newColumn(column.name, type);
  const read = outOfStruct(ref(made, given), column.type, c.rewriting);
  after.push({ column, value: read });
  tests.set(column.id, nullTest(read, c.rewriting) ?? 'untold');
  return { column: made, call: { ...given, args: wrapped, type } };
}

/** Rewrites COUNT(array) to count the arrays that are not NULL. */
function counted<C extends AggregateCall | WindowCall>(given: C, value: Expr, c: Carrying): C {
  if (given.distinct) return { ...given, args: [inStruct(value, c.rewriting)] };
  const test = knownNullTest(value, c.rewriting);
  return { ...given, args: test === undefined ? [] : [choice(test, null, bool(true, value))] };
}

/** Returns a count of the arrays that ARRAY_CONCAT_AGG joins, where it may be 0: then the result is NULL. */
function presentCount(given: AggregateCall, isEmptyGroup: boolean, c: Carrying): AggregateCall | undefined {
  const [value] = given.args;
  const test = value == null ? undefined : nullTest(value, c.rewriting);
  if (value == null || test === 'untold' || (test === undefined && !isEmptyGroup && given.having === null)) return undefined;
  const fn = builtIn('COUNT');
  if (fn.kind !== 'aggregate') throw new RangeError('COUNT is an aggregate');
  const args = test === undefined ? [] : [choice(test, null, bool(true, value))];
  return { ...given, fn, args, orderBy: [], limit: null, nulls: null, distinct: false, type: INT64 };
}
