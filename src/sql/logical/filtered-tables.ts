// Finds out whether all that a relation reads is filtered by a parameter: a sandbox must know it before it lets a key in that sets the parameter.

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

/** The answers about the WITH tables of one query, once all of it is resolved. */
interface FilteredTables {
  /**
   * True if every row of a source that the WITH table shows anything of is one for which the author compares a column of it with the
   * parameter, so also for a table that reads no source.
   */
  isFilteredBy(cte: number, parameter: string): boolean;
  /** True if a condition anywhere in the query compares a column with the parameter by equality, or by a pattern. */
  isFilter(parameter: string): boolean;
}

/** `rels`: the relations of the query that are no WITH tables. */
export function filteredTables(ctes: readonly CteDefinition[], rels: readonly Rel[] = []): FilteredTables {
  const definitions = new Map(ctes.map((cte) => [cte.id, cte]));
  const plan = { ctes: [...ctes], rels };
  const facts = factsOf(plan);
  const walks = new Map<string, Walk>();
  return {
    isFilteredBy(id, parameter) {
      const cte = definitions.get(id);
      if (cte === undefined) return false;
      const walk = walks.get(parameter) ?? new Walk(parameter, definitions, facts);
      walks.set(parameter, walk);
      return walk.isFiltered({ kind: 'cte_scan', cte: id, columns: cte.columns, alias: cte.name }, NONE, NONE);
    },
    isFilter(parameter) {
      const { tested } = createParameterTests(parameter, facts, { orders: false });
      return relationsOf(plan).some((rel) => conditionsOf(rel).some((condition) => tested(condition).size > 0));
    },
  };
}

/** The walk for one parameter, with the answers that it has found. */
class Walk {
  readonly #definitions: ReadonlyMap<number, CteDefinition>;
  readonly #tests: ParameterTests;
  readonly #answers = new Map<string, boolean>();
  readonly #knownOfCtes = new Map<number, ColumnIds>();

  constructor(parameter: string, definitions: ReadonlyMap<number, CteDefinition>, facts: QueryFacts) {
    this.#definitions = definitions;
    this.#tests = createParameterTests(parameter, facts, { orders: true });
  }

  /**
   * True if all that the relation reads is filtered. `wanted`: columns of it that are tested further up, so that no other rows of it matter. `outer`:
   * columns of the queries around a subquery that are tested there.
   */
  isFiltered(rel: Rel, wanted: ColumnIds, outer: ColumnIds): boolean {
    if (rel.kind === 'cte_scan') return this.#isCteFiltered(rel.cte, rel.columns, wanted);
    if (rel.kind === 'source_scan') return rel.columns.some(({ column }) => wanted.has(column.id));
    if (rel.kind === 'join') return this.#isJoinFiltered(rel, wanted, outer);
    if (rel.kind === 'set_operation') {
      return rel.inputs.every((input) => this.isFiltered(input.rel, byPosition(rel.columns, input.columns, wanted), outer));
    }
    const below = conditionsOf(rel).reduce<ColumnIds>(
      (columns, condition) => this.#withTested(columns, condition, outer),
      union([wantedBelow(rel, wanted, this.#tests), union(inputsOf(rel).map((input) => this.#known(input)))]),
    );
    return this.#subqueriesFiltered(rel, union([below, outer])) && inputsOf(rel).every((input) => this.isFiltered(input, below, outer));
  }

  #isCteFiltered(id: number, columns: readonly Column[], wanted: ColumnIds): boolean {
    const cte = this.#definitions.get(id);
    if (cte === undefined) return false;
    // A recursive table is also read with rows of its own, which nobody has tested.
    const inside = cte.recursive ? NONE : byPosition(columns, cte.columns, wanted);
    const key = [id, ...[...inside].sort((a, b) => a - b)].join(' ');
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    this.#answers.set(key, true); // where a recursive table reads itself
    const answer = this.isFiltered(cte.rel, inside, NONE);
    this.#answers.set(key, answer);
    return answer;
  }

  #isJoinFiltered(rel: Extract<Rel, { kind: 'join' }>, wanted: ColumnIds, outer: ColumnIds): boolean {
    const { left, right, on, type } = rel;
    const given = union([wanted, this.#known(left), this.#known(right)]);
    const matching = on === null ? given : this.#withTested(given, on, outer);
    // Rows of an outer join's own side stay, whatever ON says.
    const [forLeft, forRight] = [
      type === 'LEFT' || type === 'FULL' ? wanted : matching,
      type === 'RIGHT' || type === 'FULL' ? wanted : matching,
    ];
    return (
      this.#subqueriesFiltered(rel, union([matching, outer])) &&
      this.isFiltered(left, forLeft, outer) &&
      this.isFiltered(right, forRight, outer)
    );
  }

  #subqueriesFiltered(node: Rel | Expr, outer: ColumnIds): boolean {
    return childrenOf(node).every((expr) => {
      if (expr.kind === 'subquery' && !this.isFiltered(expr.input, NONE, outer)) return false;
      return this.#subqueriesFiltered(expr, outer);
    });
  }

  /** Returns `columns`, those that the condition tests, and those that it says to be equal to a tested one. */
  #withTested(columns: ColumnIds, condition: Expr, outer: ColumnIds): ColumnIds {
    const result = new Set([...columns, ...this.#tests.tested(condition)]);
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

  /** Returns the columns that are tested in the relation or below it: they hold a tested value, or nothing. */
  #known(rel: Rel): ColumnIds {
    switch (rel.kind) {
      case 'filter':
        return this.#withTested(this.#known(rel.input), rel.condition, NONE);
      case 'join': {
        const both = union([this.#known(rel.left), this.#known(rel.right)]);
        return rel.type === 'INNER' && rel.on !== null ? this.#withTested(both, rel.on, NONE) : both;
      }
      case 'project': {
        const below = this.#known(rel.input);
        const renamed = rel.items.filter(({ value }) => value.kind === 'column' && below.has(value.column.id));
        return union([below, new Set(renamed.map(({ column }) => column.id))]);
      }
      case 'cte_scan': {
        const cte = this.#definitions.get(rel.cte);
        if (cte === undefined || cte.recursive) return NONE;
        const inside = this.#knownOfCtes.get(cte.id) ?? this.#known(cte.rel);
        this.#knownOfCtes.set(cte.id, inside);
        return byPosition(cte.columns, rel.columns, inside);
      }
      case 'set_operation':
        return common(rel.inputs.map((input) => byPosition(input.columns, rel.columns, this.#known(input.rel))));
      case 'aggregate': {
        const below = this.#known(rel.input);
        const keys = rel.keys.filter(({ value }) => value.kind === 'column' && below.has(value.column.id));
        return new Set(keys.map(({ column }) => column.id));
      }
      default:
        return union(inputsOf(rel).map((input) => this.#known(input)));
    }
  }
}

/** Returns the columns below that are tested because those of `wanted` are. */
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

/** Returns the pairs of columns that are equal wherever the condition is true. */
function equalColumns(condition: Expr): readonly (readonly [number, number])[] {
  if (condition.kind !== 'call') return [];
  if (condition.fn.name === '$and') return condition.args.flatMap((arg) => (arg === null ? [] : equalColumns(arg)));
  const [left, right] = condition.fn.name === '$equal' ? condition.args : [];
  return left?.kind === 'column' && right?.kind === 'column' ? [[left.column.id, right.column.id]] : [];
}

/** Returns those of `ids` that are columns of `from`, as the columns of `to` at their positions. */
function byPosition(from: readonly Column[], to: readonly Column[], ids: ColumnIds): ColumnIds {
  return new Set(to.flatMap((column, i) => (ids.has(from[i]?.id ?? -1) ? [column.id] : [])));
}
