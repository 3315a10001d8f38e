// Finds the columns that a condition compares with one parameter, in every row for which the condition holds.

import { ref } from './build.ts';
import type { FunctionDefinition } from './function.ts';
import type { Expr } from './nodes.ts';
import { filledIn, madeIn } from './properties/made.ts';
import { type ParametersIn, parametersIn } from './properties/parameters.ts';
import { isVolatile } from './volatile.ts';
import { childrenOf, type Relations } from './walk.ts';

export type ColumnIds = ReadonlySet<number>;
export const NONE: ColumnIds = new Set();

/** The facts of the whole query that are needed to read a condition of it. */
export interface QueryFacts {
  /** The expression that makes a column, where one makes it for all rows. */
  readonly made: ReadonlyMap<number, Expr>;
  /** The columns that are NULL where an outer join finds nothing. */
  readonly mayBeMissing: ColumnIds;
  readonly parametersIn: ParametersIn;
}

export interface ParameterTests {
  /**
   * Returns the columns of which, or of one of whose fields, a value is compared with the parameter and nothing else, wherever `condition` is true and
   * the parameter is set: neither NULL nor ''.
   */
  tested(condition: Expr): ColumnIds;
  /** Returns the only column that a value is made of, besides constants; none where there are several, or where it is made of something else too. */
  columnIn(value: Expr | null | undefined): ColumnIds;
}

/** True of `<` and its kin, which become another comparison when the sides change. */
const isOrder = ({ name, turned }: FunctionDefinition): boolean => turned !== undefined && turned !== name;

/** With `orders`, `<` and its kin count as well as equality and matches of patterns. */
export function createParameterTests(
  parameter: string,
  { made, mayBeMissing, parametersIn }: QueryFacts,
  { orders }: { orders: boolean },
): ParameterTests {
  const isConstant = (expr: Expr): boolean => parametersIn(expr)?.size === 0;
  const isParameter = (expr: Expr | null | undefined): boolean => {
    const [name, ...others] = (expr && parametersIn(expr)) ?? [];
    return name === parameter && others.length === 0;
  };

  function columnIn(expr: Expr | null | undefined): ColumnIds {
    const columns = new Set<number>();
    let plain = expr !== null && expr !== undefined;
    const look = (e: Expr): void => {
      if (e.kind === 'column' && !isConstant(e)) columns.add(e.column.id);
      else if (e.kind === 'parameter' || e.kind === 'subquery' || e.kind === 'lambda' || isVolatile(e)) plain = false;
      else childrenOf(e).forEach(look);
    };
    if (expr !== null && expr !== undefined) look(expr);
    return plain && columns.size === 1 ? columns : NONE;
  }

  function tested(test: Expr): ColumnIds {
    if (test.kind === 'case') return testedByCase(test);
    if (test.kind === 'subquery') return test.mode === 'in' && isParameter(ref(test.column, test)) ? columnIn(test.needle) : NONE;
    if (test.kind !== 'call') return NONE;
    const { args } = test;
    const [first, second, third] = args;
    const { name, firstPresent, matches, equality } = test.fn;
    if (name === '$and') return union(args.map((arg) => (arg === null ? NONE : tested(arg))));
    if (name === '$is_true') return first === null || first === undefined ? NONE : tested(first);
    if (name === '$or' || firstPresent) return common(args.flatMap((arg) => (arg === null || isNeverTrue(arg) ? [] : [tested(arg)])));
    if (name === '$in_list') return args.slice(1).every(isParameter) ? columnIn(first) : NONE;
    if (name === '$in_array' && isParameter(first)) return columnIn(second);
    if (matches) return isParameter(second) ? columnIn(first) : NONE;
    if (orders && name === '$between') return isParameter(second) || isParameter(third) ? columnIn(first) : NONE;
    if (!equality && !(orders && isOrder(test.fn))) return NONE;
    if (isParameter(second)) return columnIn(first);
    return isParameter(first) ? columnIn(second) : NONE;
  }

  function testedByCase({ whens, otherwise }: Extract<Expr, { kind: 'case' }>): ColumnIds {
    const branches = whens
      .filter(({ when, then }) => !isNeverTrue(when) && !isNeverTrue(then))
      .map(({ when, then }) => union([tested(when), tested(then)]));
    return common(otherwise === null || isNeverTrue(otherwise) ? branches : [...branches, tested(otherwise)]);
  }

  /** True if the test never holds where the parameter is set. */
  function isNeverTrue(test: Expr): boolean {
    if (test.kind === 'literal') return test.value === false || test.value === null;
    if (test.kind !== 'call') return false;
    const [first, second] = test.args;
    switch (test.fn.name) {
      case '$and':
        return test.args.some((arg) => arg !== null && isNeverTrue(arg));
      case '$or':
        return test.args.every((arg) => arg !== null && isNeverTrue(arg));
      case '$is_null':
        return isNeverNull(first);
      case '$equal':
        return isNothing(first, second) || isNothing(second, first);
      default:
        return false;
    }
  }

  /** True of `@p = ''` and `length(@p) = 0`, with the operands of `=`. */
  function isNothing(value: Expr | null | undefined, nothing: Expr | null | undefined): boolean {
    if (nothing?.kind !== 'literal') return false;
    if (nothing.value === '') return isNeverEmpty(value);
    return nothing.value === 0n && value?.kind === 'call' && value.fn.length === true && isNeverEmpty(value.args[0]);
  }

  function isNeverNull(value: Expr | null | undefined): boolean {
    if (value === null || value === undefined) return false;
    if (value.kind === 'literal') return value.value !== null;
    if (value.kind === 'cast') return !value.safe && isNeverNull(value.operand);
    if (value.kind === 'call' && !value.safe) {
      if (value.fn.nullForNullOnly) return value.args.every((arg) => arg === null || isNeverNull(arg));
      if (value.fn.firstPresent) return value.args.some(isNeverNull);
    }
    return isNeverEmpty(value);
  }

  function isNeverEmpty(value: Expr | null | undefined): boolean {
    if (value === null || value === undefined) return false;
    if (value.kind === 'parameter') return value.name === parameter;
    if (value.kind === 'column') return !mayBeMissing.has(value.column.id) && isNeverEmpty(made.get(value.column.id));
    const [text, nothing] = value.kind === 'call' && !value.safe && value.fn.name === 'NULLIF' ? value.args : [];
    return nothing?.kind === 'literal' && nothing.value === '' && isNeverEmpty(text);
  }

  return { tested, columnIn };
}

export function union(sets: readonly ColumnIds[]): ColumnIds {
  return new Set(sets.flatMap((set) => [...set]));
}

/** Returns the ids that are in all of them. */
export function common([first = NONE, ...rest]: readonly ColumnIds[]): ColumnIds {
  return new Set([...first].filter((id) => rest.every((set) => set.has(id))));
}

export function factsOf(plan: Relations): QueryFacts {
  const made = madeIn(plan).flatMap((of): readonly (readonly [number, Expr])[] => {
    if (of.by === 'value') return [[of.column.id, of.value]];
    return of.by === 'cte' && of.read !== undefined ? [[of.column.id, ref(of.read, { span: { start: 0, end: 0 } })]] : [];
  });
  return { made: new Map(made), mayBeMissing: filledIn(plan), parametersIn: parametersIn(plan) };
}
