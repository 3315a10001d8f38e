// Relations with a BOOL column for each array column that may be NULL. Rows carry it as they do any column, so that grouping, joins and set operations are
// right by themselves.
import { layoutOf } from '../../layouts/index.ts';
import type { Column, CteScan, Expr, Join, Project, Rel, SetOperation, SourceScan, Unnest } from '../../logical/nodes.ts';
import { carriedAggregate, carriedWindow } from './calls.ts';
import { type Carried, type Carrying, flagRef, orNull, withExpressions } from './carrying.ts';
import { rewritten } from './expressions.ts';
import { withFlags } from './flags.ts';
import { arraysMade, isArray, type Nulls, testOf } from './nulls.ts';

type Distinct = Extract<Rel, { readonly kind: 'distinct' }>;
type Tests = ReadonlyMap<number, Expr | 'untold'>;

export function carried(rel: Rel, outer: Nulls | null, c: Carrying): Carried {
  const below = (input: Rel): Carried => carried(input, outer, c);
  const known = (changed: Rel, tests: Tests): Carried => ({ rel: changed, nulls: { tests, outer } });
  switch (rel.kind) {
    case 'one_row':
      return known(rel, new Map());
    case 'source_scan':
      return known(rel, scanTests(rel));
    case 'cte_scan':
      return carriedScan(rel, outer, c);
    case 'join':
      return carriedJoin(rel, [below(rel.left), below(rel.right)], outer, c);
    case 'unnest':
      return carriedUnnest(rel, rel.input === null ? null : below(rel.input), outer, c);
    case 'project':
      return carriedProject(rel, below(rel.input), outer, c);
    case 'aggregate':
      return carriedAggregate(rel, below(rel.input), outer, c);
    case 'window':
      return carriedWindow(rel, below(rel.input), outer, c);
    case 'distinct':
      return carriedDistinct(rel, below(rel.input), outer, c);
    case 'set_operation':
      return carriedSetOperation(rel, outer, c);
    default: {
      const input = below(rel.input);
      return { rel: withExpressions({ ...rel, input: input.rel }, input.nulls, c), nulls: input.nulls };
    }
  }
}

/** Returns the tests of a scan: ClickHouse's own arrays are never NULL, and those in records can't be tested. */
function scanTests(rel: SourceScan): Tests {
  const arrays = rel.columns.filter(({ column }) => isArray(column.type));
  return new Map(arrays.flatMap(({ column, from }) => (layoutOf(from.read).records ? [[column.id, 'untold'] as const] : [])));
}

function carriedScan(rel: CteScan, outer: Nulls | null, { ctes, flags }: Carrying): Carried {
  const tests = new Map<number, Expr>();
  const added: Column[] = [];
  for (const [position, of] of ctes.get(rel.cte) ?? []) {
    const column = rel.columns[position];
    if (column === undefined) continue;
    const flag = flags.add(column, [of.id]);
    added.push(flag);
    tests.set(column.id, flagRef(flag));
  }
  return { rel: added.length === 0 ? rel : { ...rel, columns: [...rel.columns, ...added] }, nulls: { tests, outer } };
}

function carriedUnnest(rel: Unnest, input: Carried | null, outer: Nulls | null, c: Carrying): Carried {
  const nulls: Nulls = input?.nulls ?? { tests: new Map(), outer };
  return { rel: withExpressions({ ...rel, input: input?.rel ?? null }, nulls, c), nulls };
}

/** Carries the flags through a join: on the side that an outer join fills in, every array is NULL in the rows that it adds. */
function carriedJoin(rel: Join, [left, right]: readonly [Carried, Carried], outer: Nulls | null, c: Carrying): Carried {
  const on =
    rel.on === null ? null : rewritten(rel.on, { tests: new Map([...left.nulls.tests, ...right.nulls.tests]), outer }, c.rewriting);
  const fillsLeft = rel.type === 'RIGHT' || rel.type === 'FULL';
  const fillsRight = rel.type === 'LEFT' || rel.type === 'FULL';
  const [l, r] = [fillsLeft ? filledIn(left, c) : left, fillsRight ? filledIn(right, c) : right];
  return { rel: { ...rel, left: l.rel, right: r.rel, on }, nulls: { tests: new Map([...l.nulls.tests, ...r.nulls.tests]), outer } };
}

function filledIn(side: Carried, { flags }: Carrying): Carried {
  const arrays = arraysMade(side.rel);
  const { rel, byColumn } = withFlags(side, arrays, flags, { always: true });
  const tests = new Map(side.nulls.tests);
  for (const [id, flag] of byColumn) tests.set(id, orNull(flag));
  return { rel, nulls: { ...side.nulls, tests } };
}

function carriedProject(rel: Project, input: Carried, outer: Nulls | null, c: Carrying): Carried {
  const tests = new Map(input.nulls.tests);
  const changed = withExpressions({ ...rel, input: input.rel }, input.nulls, c);
  const made: Column[] = [];
  for (const { column, value } of changed.items) {
    const test = isArray(column.type) ? c.rewriting.tests.get(value) : undefined;
    if (test === undefined) continue;
    tests.set(column.id, test);
    if (test !== 'untold') made.push(column);
  }
  // The columns that a test reads are visible here, and need not be further up.
  const { rel: flagged, byColumn } = withFlags({ rel: changed, nulls: { tests, outer } }, made, c.flags);
  for (const [id, flag] of byColumn) tests.set(id, flagRef(flag));
  return { rel: flagged, nulls: { tests, outer } };
}

function carriedDistinct(rel: Distinct, input: Carried, outer: Nulls | null, { flags }: Carrying): Carried {
  const arrays = rel.columns.filter((c) => isArray(c.type));
  const { rel: flagged, byColumn } = withFlags(input, arrays, flags);
  const tests = new Map<number, Expr | 'untold'>();
  for (const { id } of rel.columns) {
    const test = testOf(id, input.nulls);
    const flag = byColumn.get(id);
    if (flag !== undefined) tests.set(id, flagRef(flag));
    else if (test !== undefined) tests.set(id, test);
  }
  return { rel: { ...rel, input: flagged, columns: [...rel.columns, ...byColumn.values()] }, nulls: { tests, outer } };
}

/** Carries the flags through a set operation. `forced` has flags that the columns with these ids get in any case; their origins are added to `from`. */
export function carriedSetOperation(
  rel: SetOperation,
  outer: Nulls | null,
  c: Carrying,
  forced: ReadonlyMap<number, { readonly flag: Column; readonly from: number[] }> = new Map(),
): Carried {
  const inputs = rel.inputs.map((input) => ({ ...carried(input.rel, outer, c), columns: input.columns }));
  const tests = new Map<number, Expr | 'untold'>();
  const positions: number[] = [];
  for (const [i, column] of rel.columns.entries()) {
    if (!isArray(column.type)) continue;
    const found = inputs.map((input) => testOf(input.columns[i]?.id ?? 0, input.nulls));
    if (found.includes('untold')) tests.set(column.id, 'untold');
    else if (forced.has(column.id) || found.some((t) => t !== undefined)) positions.push(i);
  }
  const flagged = inputs.map(({ rel: input, nulls, columns }) => {
    const arrays = positions.map((i) => columns[i]).filter((column) => column !== undefined);
    const { rel: withOwn, byColumn } = withFlags({ rel: input, nulls }, arrays, c.flags, { always: true });
    return {
      rel: withOwn,
      columns: [...columns, ...arrays.map((a) => byColumn.get(a.id) ?? a)],
      added: arrays.map((a) => byColumn.get(a.id)),
    };
  });
  const comparesRows = !(rel.operator === 'UNION' && rel.all);
  const added = positions.flatMap((position, at): Column[] => {
    const column = rel.columns[position];
    if (column === undefined) return [];
    const from = flagged.flatMap((f) => f.added[at]?.id ?? []);
    const known = forced.get(column.id);
    known?.from.push(...from);
    const flag = known?.flag ?? c.flags.add(column, from, { needed: comparesRows });
    tests.set(column.id, flagRef(flag));
    return [flag];
  });
  return {
    rel: { ...rel, inputs: flagged.map((f) => ({ rel: f.rel, columns: f.columns })), columns: [...rel.columns, ...added] },
    nulls: { tests, outer },
  };
}
