// A statement for one set of arguments: what its conditions on parameters rule out goes before the text is written. ClickHouse would find that
// out too, but only after it has analyzed all of it, at some 50 µs for each function, whatever the rows.
import type { Check, From, Func, Ident, Infix, NamedConstant, Param, Select, SqlExpression, Statement } from './ast.ts';
import { lit, NULL } from './build.ts';
import { type KnownNames, type KnownValue, knownValue, passes } from './known-value.ts';

type Shape = Readonly<Record<string, unknown>>;
const isShape = (value: unknown): value is Shape => typeof value === 'object' && value !== null;
const TRUE = lit(true);
const FALSE = lit(false);

interface Folded {
  readonly statement: Statement;
  /** Names of those that it still reads. */
  readonly parameters: ReadonlySet<string>;
}

/**
 * `statement` where the parameters in `values` have those values, with the same rows: branches of CASE and parts of AND and OR that these
 * values decide are gone, and so are names in WITH and arrays of ARRAY JOIN that nothing reads any more. Every branch of a CASE is an expression
 * of one BigQuery type, and stands wherever another of them does. Equal expressions stay equal: a key of GROUP BY is found again in what is
 * selected.
 */
export function specialize(statement: Statement, values: ReadonlyMap<string, KnownValue>): Folded {
  const constants = new Map<string, KnownValue>();
  const names: KnownNames = { parameters: values, constants };
  const selects: { constants: Select['constants'] }[] = [];
  const joins: { arrays: ArrayJoin['arrays'] }[] = [];

  const fold = <T>(node: T): T => {
    if (!isShape(node)) return node;
    return (Array.isArray(node) ? foldItems(node) : foldNode(node)) as T; // of the same kind, or another expression where an expression stood
  };

  const foldItems = (items: readonly unknown[]): readonly unknown[] => {
    const result = items.map(fold);
    return result.every((item, i) => item === items[i]) ? items : result;
  };

  const foldNode = (node: Shape): unknown => {
    if (isSelect(node)) return foldSelect(node);
    if (isArrayJoin(node)) {
      const join = { ...foldParts(node) };
      joins.push(join);
      return join;
    }
    if (isCheck(node) && node.value !== null && passes(node, names)) return fold(node.value);
    if (isChoice(node)) return foldChoice(node);
    if (isLogical(node)) return foldTerms(node);
    if (isNullAsFalse(node)) {
      const condition = foldTerm(node.args[0]);
      return isTrue(condition) || isFalse(condition) ? condition : { ...node, args: [condition, FALSE] };
    }
    if (isNamed(node)) {
      const value = knownValue(node.value, names);
      if (value !== undefined) constants.set(node.name, value);
    }
    return foldParts(node);
  };

  const foldParts = <T extends Shape>(node: T): T => {
    let changed: Record<string, unknown> | undefined;
    for (const key in node) {
      const before = node[key];
      const after = typeof before === 'object' ? fold(before) : before;
      if (after === before) continue;
      changed ??= { ...node };
      changed[key] = after;
    }
    return (changed as T | undefined) ?? node; // the same parts, folded
  };

  const foldSelect = ({ constants: named, where, ...rest }: Select): Select => {
    // First, for what they name is read by all the others.
    const kept = fold(named);
    const condition = where === null ? null : foldCondition(where);
    const select = { ...foldParts(rest), constants: kept, where: condition !== null && isTrue(condition) ? null : condition };
    selects.push(select);
    return select;
  };

  /** What is left of the branches of `if` and `multiIf`. */
  const foldChoice = (node: Func): SqlExpression => {
    const args: SqlExpression[] = [];
    let last = node.args.at(-1) ?? NULL;
    for (let i = 0; i + 2 < node.args.length; i += 2) {
      const [asked = NULL, then = NULL] = node.args.slice(i, i + 2);
      const condition = foldCondition(asked);
      if (isFalse(condition)) continue;
      if (isTrue(condition)) {
        last = then;
        break;
      }
      args.push(condition, fold(then));
    }
    if (args.length === 0) {
      // NULL by itself has no type; what it would have been does.
      const typed = node.args.find((arg, i) => (i % 2 === 1 || i === node.args.length - 1) && !isNullLiteral(arg));
      return isNullLiteral(last) && typed !== undefined ? { ...node, name: 'if', args: [FALSE, fold(typed), NULL] } : fold(last);
    }
    return { ...node, name: args.length === 2 ? 'if' : 'multiIf', args: [...args, fold(last)] };
  };

  /** Where NULL is as good as FALSE. */
  const foldCondition = (node: SqlExpression): SqlExpression => (knownValue(node, names) === null ? FALSE : foldTerm(node));

  const foldTerm = (node: SqlExpression): SqlExpression => {
    const value = knownValue(node, names);
    return value === true ? TRUE : value === false ? FALSE : fold(node);
  };

  /** Chains lean left, so they are unwound instead of recursing once per term. */
  const foldTerms = (node: Logical): SqlExpression => {
    const { operator } = node;
    const [decides, idle] = operator === 'AND' ? [isFalse, isTrue] : [isTrue, isFalse];
    const terms: SqlExpression[] = [];
    let leftmost: SqlExpression = node;
    for (; leftmost.kind === 'infix' && leftmost.operator === operator; leftmost = leftmost.left) terms.push(leftmost.right);
    terms.push(leftmost);
    const kept: SqlExpression[] = [];
    for (const term of terms.reverse()) {
      const condition = foldTerm(term);
      if (decides(condition)) return condition;
      if (!idle(condition)) kept.push(condition);
    }
    const [first, ...rest] = kept;
    if (first === undefined) return operator === 'AND' ? TRUE : FALSE;
    return kept.length === terms.length && kept.every((term, i) => term === terms[i])
      ? node
      : rest.reduce((left, right) => ({ kind: 'infix', operator, left, right }), first);
  };

  const whole = fold(statement);
  const first = readIn(whole);
  const unread = joins.filter(({ arrays }) => arrays.length > 1 && arrays.some(({ alias }) => !first.names.has(alias)));
  for (const join of unread) {
    // Arrays that are joined in step have the same lengths: one of them says how many rows there are.
    const arrays = join.arrays.filter(({ alias }) => first.names.has(alias));
    join.arrays = arrays.length > 0 ? arrays : join.arrays.slice(0, 1);
  }
  const read = unread.length === 0 ? first : readIn(whole);
  for (const select of selects) {
    if (select.constants.some(({ name }) => !read.names.has(name)))
      select.constants = select.constants.filter(({ name }) => read.names.has(name));
  }
  return { statement: whole, parameters: read.parameters };
}

type Logical = Infix & { readonly operator: 'AND' | 'OR' };
const isLogical = (node: Shape): node is Shape & Logical =>
  node['kind'] === 'infix' && (node['operator'] === 'AND' || node['operator'] === 'OR');
const isCheck = (node: Shape): node is Shape & Check => node['kind'] === 'check';
const isChoice = (node: Shape): node is Shape & Func => node['kind'] === 'func' && (node['name'] === 'if' || node['name'] === 'multiIf');
const isNullAsFalse = (node: Shape): node is Shape & Func & { readonly args: readonly [SqlExpression, SqlExpression] } =>
  node['kind'] === 'func' && node['name'] === 'ifNull' && isFalse((node['args'] as readonly SqlExpression[])[1]);
const isSelect = (node: Shape): node is Shape & Select => node['kind'] === 'select' && 'constants' in node;
type ArrayJoin = Extract<From, { readonly kind: 'array_join' }>;
const isArrayJoin = (node: Shape): node is Shape & ArrayJoin => node['kind'] === 'array_join';
const isNamed = (node: Shape): node is Shape & NamedConstant => typeof node['name'] === 'string' && isShape(node['value']);
const isIdent = (node: object): node is Ident => 'kind' in node && node.kind === 'ident';
const isParam = (node: object): node is Param => 'kind' in node && node.kind === 'param';
const isNullLiteral = (node: SqlExpression): boolean => node.kind === 'lit' && node.value === null;
const isTrue = (node: SqlExpression): boolean => node.kind === 'lit' && node.value === true;
const isFalse = (node: SqlExpression | undefined): boolean => node?.kind === 'lit' && node.value === false;

/** The plain names and the parameters that a statement reads: those of a named constant only if its name is read. */
function readIn(statement: Statement) {
  const names = new Set<string>();
  const parameters = new Set<string>();
  /** Names that WITH gives are unique in a statement, whatever SELECT they belong to. */
  const constants = new Map<string, SqlExpression>();
  const look = (node: object): void => {
    if (isShape(node) && isSelect(node)) {
      for (const { name, value } of node.constants) constants.set(name, value);
    } else if (isIdent(node)) {
      const name = node.parts[0] ?? '';
      const constant = names.has(name) ? undefined : constants.get(name);
      names.add(name);
      if (constant !== undefined) look(constant);
      return;
    } else if (isParam(node)) {
      parameters.add(node.name);
    }
    for (const key in node) {
      const child: unknown = node[key as keyof typeof node]; // the key is the object's own
      if (typeof child === 'object' && child !== null && key !== 'constants') look(child);
    }
  };
  look(statement);
  return { names, parameters };
}
