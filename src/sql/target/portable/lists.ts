// Lists that ARRAY JOIN takes apart, taken apart by a function instead, in a subquery: whoever looks for the tables of a text finds none but its own.
import type { From, Ident, Select, SelectItem, SqlExpression, Statement } from '../ast.ts';
import { and, call, element, ident, select } from '../build.ts';
import { isStatement } from '../checks.ts';
import { eachNode } from '../helpers.ts';
import { rebuilt } from '../rewrite.ts';

type FreshName = (base: string) => string;
type ArrayJoin = Extract<From, { readonly kind: 'array_join' }>;

export const withoutArrayJoins = (statement: Statement, fresh: FreshName): Statement =>
  rebuilt(statement, (node) => (isStatement(node) && node.kind === 'select' ? ofSelect(node, fresh) : node));

function ofSelect(given: Select, fresh: FreshName): Select {
  const { from } = given;
  return from?.kind === 'array_join' ? overSubquery(given, from, fresh) : given;
}

/** Reads what the SELECT needs of the rows and of their lists from a subquery. */
function overSubquery(given: Select, { input, arrays }: ArrayJoin, fresh: FreshName): Select {
  const { kind, from: _, with: ctes, where: condition, ...others } = given;
  const alias = fresh('q');
  const tables = tablesIn(input);
  const lists = new Set([...listsIn(input), ...arrays.map((array) => array.alias)]);
  // Rows are filtered before their lists are taken apart.
  const tests = termsOf(condition);
  const below = tests.filter((test) => !readsOne(test, lists));
  const clauses = { ...others, where: conjunction(tests.filter((test) => !below.includes(test))) };
  const items = new Map<string, SelectItem>(elementsOf(arrays).map((item) => [item.alias, item]));
  const names = new Set(items.keys());
  const nameOf = (key: string, base: string, value: Ident): string => {
    const known = items.get(key);
    if (known !== undefined) return known.alias;
    const name = names.has(base) ? fresh(base) : base;
    names.add(name);
    items.set(key, { value, alias: name });
    return name;
  };
  const moved = rebuilt(clauses, (node) => {
    if (!('kind' in node) || node.kind !== 'ident') return node;
    const name = node as Ident; // the kind determines the type
    const [first = '', ...more] = name.parts;
    if (more.length === 0) return lists.has(first) ? ident(alias, nameOf(first, first, name)) : node;
    return tables.has(first) ? ident(alias, nameOf(name.parts.join('.'), more.at(-1) ?? '', name)) : node;
  });
  const inner = ofSelect(select([...items.values()], input, { where: conjunction(below) }), fresh);
  return { kind, ...moved, with: ctes, from: { kind: 'select', statement: inner, alias } };
}

const conjunction = (tests: readonly SqlExpression[]): SqlExpression | null => (tests.length === 0 ? null : and(...tests));

/** Chains lean left, so they are unwound instead of recursing once per term. */
function termsOf(condition: SqlExpression | null): readonly SqlExpression[] {
  const terms: SqlExpression[] = [];
  let leftmost = condition;
  for (; leftmost?.kind === 'infix' && leftmost.operator === 'AND'; leftmost = leftmost.left) terms.unshift(leftmost.right);
  return leftmost === null ? terms : [leftmost, ...terms];
}

function readsOne(test: SqlExpression, lists: ReadonlySet<string>): boolean {
  let found = false;
  eachNode(test, (node) => {
    found ||= 'kind' in node && node.kind === 'ident' && (node as Ident).parts.length === 1 && lists.has((node as Ident).parts[0] ?? ''); // the kind determines the type
  });
  return found;
}

/** The elements of the lists, which are in step. The same call of arrayJoin gives the same row of them. */
function elementsOf(arrays: ArrayJoin['arrays']): readonly SelectItem[] {
  const [first, ...more] = arrays;
  if (first === undefined || more.length === 0) return arrays.map(({ value, alias }) => ({ value: call('arrayJoin', value), alias }));
  const zipped = call('arrayJoin', call('arrayZip', ...arrays.map(({ value }): SqlExpression => value)));
  return arrays.map(({ alias }, i) => ({ value: element(zipped, i + 1), alias }));
}

function tablesIn(from: From): ReadonlySet<string> {
  if (from.kind === 'array_join') return tablesIn(from.input);
  return from.kind === 'join' ? new Set([...tablesIn(from.left), ...tablesIn(from.right)]) : new Set([from.alias]);
}

const listsIn = (from: From): readonly string[] =>
  from.kind === 'array_join' ? [...listsIn(from.input), ...from.arrays.map(({ alias }) => alias)] : [];
