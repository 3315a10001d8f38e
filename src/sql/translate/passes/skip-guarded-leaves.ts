// `(@function_id = '' OR m.function_id = @function_id)`: where the parameter is not given, the field says nothing. A leaf that is walked for such a
// condition alone becomes the array of the condition's answers, which reads another leaf instead when the guard holds: the engine knows before it reads.
// Measured over a week of function records: a quarter of the bytes and 13 % of the time less.
import { scalarBuiltIn } from '../../functions/index.ts';
import type { Case, Column, Expr, Rel, ResolvedQuery, Unnest } from '../../resolved.ts';
import { columnsRead, contains, rewriteExpr, rewriteRel, visit, visitRels } from '../../rewrite.ts';
import { arrayOf, BOOL } from '../../types.ts';
import { conjuncts } from '../conjuncts.ts';
import { countUses } from '../lower/count-uses.ts';
import { definitionOf, inPlace, isConstantIn } from './column-origin.ts';
import type { PassContext } from './index.ts';

interface Guarded {
  readonly guard: Expr;
  /** Reads the element and constants. */
  readonly test: Expr;
  /** Whether the test holds, by element. */
  readonly answer: Column;
}

type Walked = NonNullable<Unnest['beside']>[number];
const walked = (rel: Unnest): readonly Walked[] => [{ array: rel.array, element: rel.element }, ...(rel.beside ?? [])];
const and = (all: readonly Expr[]): Expr => all.reduce((left, right) => call('$and', [left, right], BOOL));
const or = (all: readonly Expr[]): Expr => all.reduce((left, right) => call('$or', [left, right], BOOL));

export function skipGuardedLeaves(query: ResolvedQuery, context: PassContext): ResolvedQuery {
  const rels = [query.rel, ...query.ctes.map((c) => c.rel)];
  const elements = new Set<number>();
  visitRels({ rels }, (rel) => {
    if (rel.kind === 'unnest' && !rel.outer && rel.input !== null && rel.beside !== undefined)
      for (const w of walked(rel)) elements.add(w.element.id);
  });
  if (elements.size === 0) return query;
  const uses = countUses(query);
  const found = new Map<number, Guarded>();
  visitRels({ rels }, (rel) => {
    if (rel.kind !== 'filter') return;
    for (const condition of conjuncts(rel.condition)) {
      const split = splitGuard(condition, rel.input);
      const [element, ...others] = split === undefined ? [] : [...columnsRead(split.test)].filter((id) => !isConstantColumn(id, rel.input));
      if (split === undefined || element === undefined || others.length > 0) continue;
      if (elements.has(element) && uses.get(element) === readsOf(element, condition))
        found.set(element, { ...split, answer: context.newColumn('answer', BOOL) });
    }
  });
  // Another leaf of the same records says how many there are.
  visitRels({ rels }, (rel) => {
    if (rel.kind === 'unnest' && walked(rel).every((w) => found.has(w.element.id))) found.delete(rel.element.id);
  });
  if (found.size === 0) return query;
  const change = (rel: Rel): Rel =>
    rewriteRel(rel, (r) => {
      if (r.kind === 'unnest') return withAnswers(r, found, context);
      return r.kind === 'filter' ? { ...r, condition: and(conjuncts(r.condition).map((c) => withAnswer(c, found))) } : r;
    });
  return { ...query, rel: change(query.rel), ctes: query.ctes.map((c) => ({ ...c, rel: change(c.rel) })) };
}

const disjuncts = (condition: Expr): readonly Expr[] =>
  condition.kind === 'call' && condition.fn.name === '$or' ? condition.args.flatMap((a) => (a === null ? [] : disjuncts(a))) : [condition];

/** The part of the condition that is the same for all rows, and the rest. */
function splitGuard(condition: Expr, input: Rel): { readonly guard: Expr; readonly test: Expr } | undefined {
  if (contains(condition, (e) => e.kind === 'subquery' || (e.kind === 'call' && e.fn.volatile === true))) return undefined;
  const parts = disjuncts(condition);
  const guards = parts.filter((part) => isConstantIn(part, input));
  const tests = parts.filter((part) => !guards.includes(part));
  return guards.length === 0 || tests.length === 0 ? undefined : { guard: inPlace(or(guards), input), test: inPlace(or(tests), input) };
}

const isConstantColumn = (id: number, input: Rel): boolean => {
  const made = definitionOf(id, input);
  return made !== undefined && isConstantIn(made, input);
};

function readsOf(id: number, condition: Expr): number {
  let reads = 0;
  visit({ condition }, (e) => {
    if (e.kind === 'column' && e.column.id === id) reads++;
  });
  return reads;
}

function withAnswer(condition: Expr, found: ReadonlyMap<number, Guarded>): Expr {
  const element = [...columnsRead(condition)].find((id) => found.has(id));
  const guarded = element === undefined ? undefined : found.get(element);
  return guarded === undefined ? condition : or([guarded.guard, columnRef(guarded.answer, condition)]);
}

function withAnswers(rel: Unnest, found: ReadonlyMap<number, Guarded>, context: PassContext): Rel {
  const [length, ...rest] = walked(rel).filter((w) => !found.has(w.element.id));
  if (length === undefined || rest.length + 1 === walked(rel).length) return rel;
  const answers = walked(rel).flatMap((w): readonly Walked[] => {
    const guarded = found.get(w.element.id);
    return guarded === undefined ? [] : [{ array: answersOf(w, guarded, length.array, context), element: guarded.answer }];
  });
  return { ...rel, ...length, beside: [...rest, ...answers] };
}

/** For each element whether the test holds; anything where the guard does. */
function answersOf({ array, element }: Walked, { guard, test }: Guarded, length: Expr, context: PassContext): Case {
  const { span } = test;
  const of = (list: Expr, body: (parameter: Column) => Expr): Expr => {
    const parameter = context.newColumn('element', list.type.kind === 'ARRAY' ? list.type.element : list.type);
    const each: Expr = { kind: 'lambda', parameters: [parameter], body: body(parameter), type: BOOL, span };
    return { ...call('ARRAY_TRANSFORM', [list, each], arrayOf(BOOL)), span };
  };
  const constant = (value: boolean): Expr => ({ kind: 'literal', value, type: BOOL, span });
  const answers = of(array, (parameter) => {
    const body = rewriteExpr(test, (e) => (e.kind === 'column' && e.column.id === element.id ? columnRef(parameter, e) : e));
    return call('IFNULL', [body, constant(false)], BOOL);
  });
  return { kind: 'case', whens: [{ when: guard, then: of(length, () => constant(true)) }], otherwise: answers, type: arrayOf(BOOL), span };
}

const columnRef = (column: Column, { span }: Expr): Expr => ({ kind: 'column', column, type: column.type, span });

function call(name: string, args: readonly Expr[], type: Expr['type']): Expr {
  return { kind: 'call', fn: scalarBuiltIn(name), args, safe: false, type, span: args[0]?.span ?? { start: 0, end: 0 } };
}
