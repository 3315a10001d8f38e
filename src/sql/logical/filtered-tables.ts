// Whether all that a relation reads is filtered by a parameter: what a sandbox must know before it lets a key in that sets the parameter.

import type { Column, CteDefinition, Expr, Rel } from './nodes.ts';
import {
  type ColumnIds,
  common,
  createParameterTests,
  factsOf,
  NONE,
  type ParameterTests,
  type QueryFacts,
  union,
} from './parameter-tests.ts';
import { childrenOf, inputsOf, relationsOf } from './walk.ts';

/** What is asked of the WITH tables of one query, once all of it is resolved. */
interface FilteredTables {
  /**
   * Whether every row of a source that the WITH table shows anything of is one for which the author compares a column of it with the
   * parameter. True for a table that reads no source.
   */
  isFilteredBy(cte: number, parameter: string): boolean;
  /** Whether a condition anywhere in the query holds a column to the parameter by equality, or by a pattern. */
  isFilter(parameter: string): boolean;
}

/** `rels`: relations of the query that are no WITH tables. */
export function filteredTables(ctes: readonly CteDefinition[], rels: readonly Rel[] = []): FilteredTables {
  const definitions = new Map(ctes.map((cte) => [cte.id, cte]));
  const plan = { ctes: [...ctes], rels };
  const facts = factsOf(plan);
  const walks = new Map<string, (rel: Rel) => boolean>();
  return {
    isFilteredBy(id, parameter) {
      const cte = definitions.get(id);
      if (cte === undefined) return false;
      const walk = walks.get(parameter) ?? createWalk(parameter, definitions, facts);
      walks.set(parameter, walk);
      return walk({ kind: 'cte_scan', cte: id, columns: cte.columns, alias: cte.name });
    },
    isFilter(parameter) {
      const { tested } = createParameterTests(parameter, facts, { orders: false });
      return relationsOf(plan).some((rel) => conditionsOf(rel).some((condition) => tested(condition).size > 0));
    },
  };
}

function createWalk(parameter: string, definitions: ReadonlyMap<number, CteDefinition>, facts: QueryFacts): (rel: Rel) => boolean {
  const tests = createParameterTests(parameter, facts, { orders: true });
  const answers = new Map<string, boolean>();
  const knownOfCtes = new Map<number, ColumnIds>();

  /**
   * `wanted`: columns of the relation that are tested further up, so that no other rows of it matter. `outer`: columns of the queries around a
   * subquery that are tested there.
   */
  function isFiltered(rel: Rel, wanted: ColumnIds, outer: ColumnIds): boolean {
    if (rel.kind === 'cte_scan') return isCteFiltered(rel.cte, rel.columns, wanted);
    if (rel.kind === 'source_scan') return rel.columns.some(({ column }) => wanted.has(column.id));
    if (rel.kind === 'join') return isJoinFiltered(rel, wanted, outer);
    if (rel.kind === 'set_operation') {
      return rel.inputs.every((input) => isFiltered(input.rel, byPosition(rel.columns, input.columns, wanted), outer));
    }
    const below = conditionsOf(rel).reduce<ColumnIds>(
      (columns, condition) => withTested(columns, condition, outer),
      union([wantedBelow(rel, wanted, tests), knownBelow(rel)]),
    );
    return subqueriesFiltered(rel, union([below, outer])) && inputsOf(rel).every((input) => isFiltered(input, below, outer));
  }

  function isCteFiltered(id: number, columns: readonly Column[], wanted: ColumnIds): boolean {
    const cte = definitions.get(id);
    if (cte === undefined) return false;
    // What is read again and again is read with rows that nobody has asked about.
    const inside = cte.recursive ? NONE : byPosition(columns, cte.columns, wanted);
    const key = [id, ...[...inside].sort((a, b) => a - b)].join(' ');
    const known = answers.get(key);
    if (known !== undefined) return known;
    answers.set(key, true); // where a recursive table reads itself
    const answer = isFiltered(cte.rel, inside, NONE);
    answers.set(key, answer);
    return answer;
  }

  function isJoinFiltered(rel: Extract<Rel, { kind: 'join' }>, wanted: ColumnIds, outer: ColumnIds): boolean {
    const { left, right, on, type } = rel;
    const given = union([wanted, known(left), known(right)]);
    const matching = on === null ? given : withTested(given, on, outer);
    // Rows of an outer join's own side stay, whatever ON says.
    const [forLeft, forRight] = [
      type === 'LEFT' || type === 'FULL' ? wanted : matching,
      type === 'RIGHT' || type === 'FULL' ? wanted : matching,
    ];
    return subqueriesFiltered(rel, union([matching, outer])) && isFiltered(left, forLeft, outer) && isFiltered(right, forRight, outer);
  }

  function subqueriesFiltered(node: Rel | Expr, outer: ColumnIds): boolean {
    return childrenOf(node).every((expr) => {
      if (expr.kind === 'subquery' && !isFiltered(expr.input, NONE, outer)) return false;
      return subqueriesFiltered(expr, outer);
    });
  }

  /** `columns`, what the condition tests, and what it says to be equal to a column that is tested. */
  function withTested(columns: ColumnIds, condition: Expr, outer: ColumnIds): ColumnIds {
    const result = new Set([...columns, ...tests.tested(condition)]);
    const equal = equalColumns(condition);
    for (let size = -1; size !== result.size; ) {
      size = result.size;
      for (const [a, b] of equal) {
        if (result.has(a) || outer.has(a)) result.add(b);
        if (result.has(b) || outer.has(b)) result.add(a);
      }
    }
    return result;
  }

  /** Columns that are tested by what is below the relation or in it: they hold what is tested, or nothing. */
  function known(rel: Rel): ColumnIds {
    switch (rel.kind) {
      case 'filter':
        return withTested(known(rel.input), rel.condition, NONE);
      case 'join': {
        const both = union([known(rel.left), known(rel.right)]);
        return rel.type === 'INNER' && rel.on !== null ? withTested(both, rel.on, NONE) : both;
      }
      case 'project': {
        const below = known(rel.input);
        const renamed = rel.items.filter(({ value }) => value.kind === 'column' && below.has(value.column.id));
        return union([below, new Set(renamed.map(({ column }) => column.id))]);
      }
      case 'cte_scan': {
        const cte = definitions.get(rel.cte);
        if (cte === undefined || cte.recursive) return NONE;
        const inside = knownOfCtes.get(cte.id) ?? known(cte.rel);
        knownOfCtes.set(cte.id, inside);
        return byPosition(cte.columns, rel.columns, inside);
      }
      case 'set_operation':
        return common(rel.inputs.map((input) => byPosition(input.columns, rel.columns, known(input.rel))));
      case 'aggregate': {
        const below = known(rel.input);
        const keys = rel.keys.filter(({ value }) => value.kind === 'column' && below.has(value.column.id));
        return new Set(keys.map(({ column }) => column.id));
      }
      default:
        return union(inputsOf(rel).map(known));
    }
  }

  const knownBelow = (rel: Rel): ColumnIds => union(inputsOf(rel).map(known));

  return (rel) => isFiltered(rel, NONE, NONE);
}

/** Of the columns that are tested above, what that says of the rows below. */
function wantedBelow(rel: Rel, wanted: ColumnIds, { columnIn }: ParameterTests): ColumnIds {
  const madeOf = (items: readonly { readonly column: Column; readonly value: Expr }[]): ColumnIds =>
    union(items.filter(({ column }) => wanted.has(column.id)).map(({ value }) => columnIn(value)));
  switch (rel.kind) {
    case 'filter':
      return wanted;
    case 'project':
      return union([wanted, madeOf(rel.items)]);
    case 'unnest':
      return wanted.has(rel.element.id) ? union([wanted, columnIn(rel.array)]) : wanted;
    case 'aggregate':
      // The rows of a group share its keys.
      return rel.groupingSets === null ? madeOf(rel.keys) : NONE;
    case 'window': {
      const partitions = rel.items.map(({ call }) => new Set(call.partitionBy.flatMap((e) => (e.kind === 'column' ? [e.column.id] : []))));
      return common([wanted, ...partitions]);
    }
    case 'distinct':
      return common([wanted, new Set(rel.columns.map(({ id }) => id))]);
    case 'order_limit':
      // Which rows a limit leaves depends on all of them.
      return rel.limit === null && rel.offset === null ? wanted : NONE;
    default:
      return NONE;
  }
}

function conditionsOf(rel: Rel): readonly Expr[] {
  if (rel.kind === 'filter') return [rel.condition];
  return rel.kind === 'join' && rel.on !== null ? [rel.on] : [];
}

/** Pairs of columns that are equal wherever the condition is true. */
function equalColumns(condition: Expr): readonly (readonly [number, number])[] {
  if (condition.kind !== 'call') return [];
  if (condition.fn.name === '$and') return condition.args.flatMap((arg) => (arg === null ? [] : equalColumns(arg)));
  const [left, right] = condition.fn.name === '$equal' ? condition.args : [];
  return left?.kind === 'column' && right?.kind === 'column' ? [[left.column.id, right.column.id]] : [];
}

/** Those of `ids` that are columns of `from`, as the columns of `to` at their positions. */
function byPosition(from: readonly Column[], to: readonly Column[], ids: ColumnIds): ColumnIds {
  return new Set(to.flatMap((column, i) => (ids.has(from[i]?.id ?? -1) ? [column.id] : [])));
}
