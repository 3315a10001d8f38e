// `unnest(metadata) m, unnest(m.request) r … where m.project_ref = @project and regexp_contains(r.url, …)`: rows are filtered before they are walked.
// An UNNEST of leaves under another one stands in a subquery: a condition that does not need the elements above stands there too, with the constants that
// it names. Measured over a week of function records: 41 ms of the processors instead of 46, and 1.4 less where the time is filtered once.
// A condition on an element also filters the events by their arrays: one without such an element gives no row, and no other field of it is read.
// Measured on 2M rows, 8 % of which match: 205 ms become 110.

import { BOOL } from '../../base/types.ts';
import { fieldAt } from '../../layouts/nested/fields.ts';
import { ref, splitConjunction } from '../../logical/build.ts';
import type { Column, Expr, Filter, LogicalPlan, Project, Rel, SourceScan } from '../../logical/nodes.ts';
import { columnsMade } from '../../logical/properties/made.ts';
import { isStable } from '../../logical/volatile.ts';
import { columnsRead, relationsOf, rewriteExpr, visit } from '../../logical/walk.ts';
import { call, filtered } from '../build.ts';
import { definitionOf, inPlace, isConstantColumn, shows } from '../column-origin.ts';
import { rejectingNull } from '../rejecting-null.ts';
import type { Rule, RuleContext } from '../rule.ts';
import { type ScannedColumn, scannedColumns } from '../scanned-columns.ts';

export const pushFiltersBelowUnnests: Rule = {
  name: 'push-filters-below-unnests',
  changes(plan, context) {
    if (!relationsOf(plan).some((rel) => rel.kind === 'unnest' && rel.zipped !== undefined)) return undefined;
    const tests = eventTests(plan, context);
    return {
      relations: {
        source_scan: (rel) => tests.get(rel)?.reduce<Rel>((input, condition) => ({ kind: 'filter', input, condition }), rel) ?? rel,
        filter: (rel) => moved(rel, context),
      },
    };
  },
};

// ---- filters of events by their arrays --------------------------------------------------------------------------------------

/** The column of which a column is an element, by the element's id. */
type Arrays = ReadonlyMap<number, Column>;

/** Returns conditions that hold for all events with an element that passes a filter. */
function eventTests(plan: LogicalPlan, context: RuleContext): ReadonlyMap<SourceScan, readonly Expr[]> {
  const tests = new Map<SourceScan, Expr[]>();
  const leaves = scannedColumns(plan, isNullLeaf);
  if (leaves.size === 0) return tests;
  const arrays = new Map<number, Column>();
  const filters: Filter[] = [];
  relationsOf(plan).forEach((rel) => {
    if (rel.kind === 'filter') filters.push(rel);
    if (rel.kind !== 'unnest' || rel.input === null) return;
    for (const { array, element } of [rel, ...(rel.zipped ?? [])]) if (array.kind === 'column') arrays.set(element.id, array.column);
  });
  for (const { condition, input } of filters) {
    for (const test of splitConjunction(condition)) {
      const element = testedElement(test, input, arrays);
      const leaf = element === undefined ? undefined : leaves.get(rootOf(element, arrays));
      if (element === undefined || leaf === undefined || !shows(input, leaf.column.id)) continue;
      const held = holdsElement(element, inPlace(test, input), arrays, context);
      tests.set(leaf.scan, [...(tests.get(leaf.scan) ?? []), held]);
    }
  }
  return tests;
}

/** True of a nested leaf that is NULL where its record is missing. If the leaf equals a column of the key, events are filtered by that column instead. */
function isNullLeaf({ scan: { source }, part, from }: ScannedColumn): boolean {
  if (part.kind !== 'elements' || from.read.layout !== 'nested') return false;
  const path = [from.name, ...part.path].join('.');
  if (Object.values(source.sameAs ?? {}).some((same) => same.join('.') === path)) return false;
  const field = fieldAt(from.read.record, part.path);
  return field?.kind === 'leaf' && field.clickhouseType.includes('Nullable(');
}

/** Returns the one element that the condition depends on, besides constants, and that must not be NULL. */
function testedElement(test: Expr, input: Rel, arrays: Arrays): number | undefined {
  const read = [...columnsRead(test)];
  const [element, ...others] = read.filter((id) => arrays.has(id));
  if (element === undefined || others.length > 0 || !rejectingNull(test).includes(element) || !isStable(test)) return undefined;
  return read.every((id) => id === element || isConstantColumn(id, input)) ? element : undefined;
}

function rootOf(element: number, arrays: Arrays): number {
  let at = element;
  for (let array = arrays.get(at); array !== undefined; array = arrays.get(at)) at = array.id;
  return at;
}

/** Tests that some element of the arrays that `element` is walked from fulfils the condition. */
function holdsElement(element: number, condition: Expr, arrays: Arrays, context: RuleContext): Expr {
  const array = arrays.get(element);
  if (array === undefined) return condition;
  const parameter = context.newColumn('element', array.type.kind === 'ARRAY' ? array.type.element : array.type);
  const body = rewriteExpr(condition, (e) => (e.kind === 'column' && e.column.id === element ? ref(parameter, e) : e));
  const test: Expr = { kind: 'lambda', parameters: [parameter], body, type: BOOL, span: condition.span };
  return holdsElement(array.id, call('ARRAY_INCLUDES', [ref(array, condition), test], condition), arrays, context);
}

// ---- filters between UNNESTs ------------------------------------------------------------------------------------------------

function moved(rel: Filter, context: RuleContext): Rel {
  const tests = splitConjunction(rel.condition);
  const below = tests.filter(isStable);
  const { input, left } = underUnnest(rel.input, below, constantsIn(below, rel.input), context);
  if (left.length === below.length) return rel;
  return filtered(
    input,
    tests.filter((test) => !below.includes(test) || left.includes(test)),
  );
}

/** The values that are the same for all rows, by the ids of their columns. */
type Constants = ReadonlyMap<number, Project['items'][number]>;

function constantsIn(tests: readonly Expr[], input: Rel): Constants {
  const constants = new Map<number, Project['items'][number]>();
  visit(tests, (e) => {
    if (e.kind !== 'column' || definitionOf(e.column.id, input) === undefined) return;
    const value = inPlace(e, input);
    if (columnsRead(value).size === 0) constants.set(e.column.id, { column: e.column, value });
  });
  return constants;
}

/** Moves the tests that do not need the relation's top UNNEST below it, and returns the tests that are left. */
function underUnnest(
  rel: Rel,
  tests: readonly Expr[],
  constants: Constants,
  context: RuleContext,
): { readonly input: Rel; readonly left: readonly Expr[] } {
  const none = { input: rel, left: tests };
  if ((rel.kind !== 'unnest' && rel.kind !== 'project' && rel.kind !== 'filter') || rel.input === null) return none;
  const made = new Set(columnsMade(rel).map((c) => c.id));
  const free = tests.filter((test) => [...columnsRead(test)].every((id) => !made.has(id) || constants.has(id)));
  if (free.length === 0) return none;
  const rest = tests.filter((test) => !free.includes(test));
  if (rel.kind === 'unnest') {
    if (!holdsLeaves(rel.input)) return none;
    const below = naming(rel.input, free, constants, context);
    return { input: { ...rel, input: below.kind === 'filter' ? moved(below, context) : below }, left: rest };
  }
  const { input, left } = underUnnest(rel.input, free, constants, context);
  return left.length === free.length ? none : { input: { ...rel, input }, left: [...rest, ...left] };
}

/** Returns the rows that pass the tests, whose constants get names of their own there: their project may stand above. */
function naming(input: Rel, tests: readonly Expr[], constants: Constants, context: RuleContext): Rel {
  const named = new Map<number, Project['items'][number]>();
  const written = tests.map((test) =>
    rewriteExpr(test, (e) => {
      const constant = e.kind === 'column' ? constants.get(e.column.id) : undefined;
      if (e.kind !== 'column' || constant === undefined || definitionOf(e.column.id, input) !== undefined) return e;
      const { column } = named.get(e.column.id) ?? { column: context.newColumn(e.column.name, e.type) };
      named.set(e.column.id, { column, value: constant.value });
      return { ...e, column };
    }),
  );
  return filtered(named.size === 0 ? input : { kind: 'project', input, items: [...named.values()] }, written);
}

/** True of an UNNEST of several arrays in step. */
function holdsLeaves(rel: Rel): boolean {
  if (rel.kind === 'project' || rel.kind === 'filter') return holdsLeaves(rel.input);
  return rel.kind === 'unnest' && (rel.zipped ?? []).length > 0;
}
