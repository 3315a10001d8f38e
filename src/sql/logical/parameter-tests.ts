// What a condition says of one parameter: which columns it compares with it, in every row for which the condition holds.
import type { FunctionDefinition } from './function.ts';
import type { Column, Expr, Rel } from './nodes.ts';
import { eachChild, visitRels } from './walk.ts';

export type ColumnIds = ReadonlySet<number>;
export const NONE: ColumnIds = new Set();

/** What must be known of the whole query to read a condition of it. */
export interface QueryFacts {
  /** What makes a column, where one expression makes it for all rows. */
  readonly made: ReadonlyMap<number, Expr>;
  /** Columns that are NULL where an outer join finds nothing. */
  readonly mayBeMissing: ColumnIds;
}

export interface ParameterTests {
  /**
   * Columns of which, or of one of whose fields, a value is compared with the parameter and nothing else, wherever `condition` is true and
   * the parameter is set, which is to say neither NULL nor ''.
   */
  tested(condition: Expr): ColumnIds;
  /** The only column that a value is made of, beside constants; none where there are several, or where it is made of something else too. */
  columnIn(value: Expr | null | undefined): ColumnIds;
}

/** `<` and its kin: with the sides changed it is another one. */
const isOrder = ({ name, turned }: FunctionDefinition): boolean => turned !== undefined && turned !== name;

/** What an expression is made of: literals alone, the parameter too, or something else. */
type Origin = 'constant' | 'parameter' | 'other';

/** With `orders`, `<` and its kin count as well as equality and matches of patterns. */
export function createParameterTests(
  parameter: string,
  { made, mayBeMissing }: QueryFacts,
  { orders }: { orders: boolean },
): ParameterTests {
  const origins = new Map<number, Origin>();

  function originOf(expr: Expr): Origin {
    switch (expr.kind) {
      case 'literal':
      case 'instant':
      case 'date_part':
        return 'constant';
      case 'parameter':
        return expr.name === parameter ? 'parameter' : 'other';
      case 'column':
        return originOfColumn(expr.column);
      case 'subquery':
        return expr.mode === 'scalar' ? originOfColumn(expr.column) : 'other';
      case 'call':
        return expr.fn.volatile === true ? 'other' : together(childrenOf(expr));
      case 'lambda':
      case 'aggregate':
      case 'window':
        return 'other';
      default:
        return together(childrenOf(expr));
    }
  }

  function originOfColumn({ id }: Column): Origin {
    const known = origins.get(id);
    if (known !== undefined) return known;
    const value = made.get(id);
    const origin = value === undefined ? 'other' : originOf(value);
    origins.set(id, origin);
    return origin;
  }

  function together(parts: readonly Expr[]): Origin {
    const all = parts.map(originOf);
    return all.includes('other') ? 'other' : all.includes('parameter') ? 'parameter' : 'constant';
  }

  const isParameter = (expr: Expr | null | undefined): boolean => expr !== null && expr !== undefined && originOf(expr) === 'parameter';

  function columnIn(expr: Expr | null | undefined): ColumnIds {
    const columns = new Set<number>();
    let plain = expr !== null && expr !== undefined;
    const look = (e: Expr): void => {
      if (e.kind === 'column' && originOfColumn(e.column) !== 'constant') columns.add(e.column.id);
      else if (e.kind === 'parameter' || e.kind === 'subquery' || e.kind === 'lambda' || (e.kind === 'call' && e.fn.volatile === true))
        plain = false;
      else childrenOf(e).forEach(look);
    };
    if (expr !== null && expr !== undefined) look(expr);
    return plain && columns.size === 1 ? columns : NONE;
  }

  function tested(test: Expr): ColumnIds {
    if (test.kind === 'case') return testedByCase(test);
    if (test.kind === 'subquery') return test.mode === 'in' && originOfColumn(test.column) === 'parameter' ? columnIn(test.needle) : NONE;
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
    return isParameter(second) ? columnIn(first) : isParameter(first) ? columnIn(second) : NONE;
  }

  function testedByCase({ whens, otherwise }: Extract<Expr, { kind: 'case' }>): ColumnIds {
    const branches = whens
      .filter(({ when, then }) => !isNeverTrue(when) && !isNeverTrue(then))
      .map(({ when, then }) => union([tested(when), tested(then)]));
    return common(otherwise === null || isNeverTrue(otherwise) ? branches : [...branches, tested(otherwise)]);
  }

  /** Where the parameter is set. */
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

  /** `@p = ''`, `length(@p) = 0` */
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

/** What is in all of them. */
export function common([first = NONE, ...rest]: readonly ColumnIds[]): ColumnIds {
  return new Set([...first].filter((id) => rest.every((set) => set.has(id))));
}

/** The expressions right below, without those of subqueries. */
export function childrenOf(node: Expr | Rel): readonly Expr[] {
  const children: Expr[] = [];
  eachChild(node, { expr: (child) => void children.push(child) });
  return children;
}

/** Facts of the relations, which are all that the query has, those of its WITH tables among them. */
export function factsOf(relations: readonly Rel[], cteColumns: ReadonlyMap<number, readonly Column[]>): QueryFacts {
  const made = new Map<number, Expr>();
  const mayBeMissing = new Set<number>();
  const miss = (rel: Rel): void => {
    const add = (r: Rel): void => {
      for (const { id } of columnsMadeBy(r)) mayBeMissing.add(id);
    };
    add(rel);
    visitRels(rel, add);
  };
  const look = (rel: Rel): void => {
    if (rel.kind === 'project') for (const { column, value } of rel.items) made.set(column.id, value);
    if (rel.kind === 'cte_scan') {
      const columns = cteColumns.get(rel.cte) ?? [];
      rel.columns.forEach((column, i) => {
        const read = columns[i];
        if (read !== undefined) made.set(column.id, { kind: 'column', column: read, type: read.type, span: { start: 0, end: 0 } });
      });
    }
    if (rel.kind === 'join' && (rel.type === 'RIGHT' || rel.type === 'FULL')) miss(rel.left);
    if (rel.kind === 'join' && (rel.type === 'LEFT' || rel.type === 'FULL')) miss(rel.right);
  };
  for (const rel of relations) {
    look(rel);
    visitRels(rel, look);
  }
  return { made, mayBeMissing };
}

function columnsMadeBy(rel: Rel): readonly Column[] {
  if (rel.kind === 'project') return rel.items.map(({ column }) => column);
  return rel.kind === 'cte_scan' ? rel.columns : [];
}
