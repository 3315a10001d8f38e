// Specializes a statement for one set of arguments: parts that its conditions on parameters rule out are removed before the text is
// written. ClickHouse would find that out too, but only after it has analyzed all of it, at some 50 µs for each function, whatever the
// rows.
import type { Check, From, Func, Ident, Infix, NamedConstant, Param, Select, SqlExpression, Statement } from './ast.ts';
import { lit, NULL } from './build.ts';
import { type KnownNames, type KnownValue, knownValue, passes } from './known-value.ts';
import { isOfColumn } from './of-column.ts';
import { withoutAbsence } from './present.ts';
import { type Change, isShape, rewrite, rewriteParts } from './rewrite.ts';

const TRUE = lit(true);
const FALSE = lit(false);

interface Specialized {
  readonly statement: Statement;
  /** Names of the parameters that the statement still reads. */
  readonly parameters: ReadonlySet<string>;
}

/**
 * Returns `statement` for parameters with these values: branches of CASE and terms of AND and OR that the values decide are removed, and so are names in
 * WITH and arrays of ARRAY JOIN that nothing reads any more. The rows stay the same. A branch can stand in place of its CASE, whose BigQuery type it has.
 * Equal expressions stay equal, so that GROUP BY keys still match the selected expressions.
 */
export const specialize = (statement: Statement, values: ReadonlyMap<string, KnownValue>): Specialized =>
  new Specializer(values).specialize(withoutAbsence(statement, values));

class Specializer {
  private readonly constants = new Map<string, KnownValue>();
  private readonly names: KnownNames;
  private readonly selects: { constants: Select['constants'] }[] = [];
  private readonly joins: { arrays: ArrayJoin['arrays'] }[] = [];

  constructor(parameters: ReadonlyMap<string, KnownValue>) {
    this.names = { parameters, constants: this.constants };
  }

  specialize(statement: Statement): Specialized {
    const whole = this.fold(statement);
    const first = readIn(whole);
    const unread = this.joins.filter(({ arrays }) => arrays.length > 1 && arrays.some(({ alias }) => !first.names.has(alias)));
    for (const join of unread) {
      // Arrays of one ARRAY JOIN have the same lengths, so one of them says how many rows there are.
      const arrays = join.arrays.filter(({ alias }) => first.names.has(alias));
      join.arrays = arrays.length > 0 ? arrays : join.arrays.slice(0, 1);
    }
    const read = unread.length === 0 ? first : readIn(whole);
    for (const select of this.selects) {
      if (!select.constants.every(read.reads)) select.constants = select.constants.filter(read.reads);
    }
    return { statement: whole, parameters: read.parameters };
  }

  private fold<T extends object>(node: T): T {
    return rewrite(node, this.change);
  }

  private readonly change: Change = (node) => {
    if (isSelect(node)) return this.foldSelect(node);
    if (isArrayJoin(node)) {
      const join = { ...rewriteParts(node, this.change) };
      this.joins.push(join);
      return join;
    }
    if (isCheck(node) && node.value !== null && passes(node, this.names)) return this.fold(node.value);
    if (isChoice(node)) return this.foldChoice(node);
    if (isLogical(node)) return this.foldTerms(node);
    if (isNullAsFalse(node)) {
      const condition = this.foldTerm(node.args[0]);
      return isTrue(condition) || isFalse(condition) ? condition : { ...node, args: [condition, FALSE] };
    }
    if (isNamed(node)) {
      const value = knownValue(node.value, this.names);
      if (value !== undefined) this.constants.set(node.name, value);
    }
    return undefined;
  };

  private foldSelect({ constants: named, where, ...rest }: Select): Select {
    // The other clauses read the names of the constants.
    const constants = this.fold(named);
    const condition = where === null ? null : this.foldCondition(where);
    const folded = { ...rewriteParts(rest, this.change), constants, where: condition !== null && isTrue(condition) ? null : condition };
    const select = folded.from !== null && isSpread(folded.from) ? withPlainKeys(folded) : folded;
    this.selects.push(select);
    return select;
  }

  private foldChoice(node: Func): SqlExpression {
    const args: SqlExpression[] = [];
    let last = node.args.at(-1) ?? NULL;
    for (let i = 0; i + 2 < node.args.length; i += 2) {
      const [when = NULL, then = NULL] = node.args.slice(i, i + 2);
      const condition = this.foldCondition(when);
      if (isFalse(condition)) continue;
      if (isTrue(condition)) {
        last = then;
        break;
      }
      args.push(condition, this.fold(then));
    }
    if (args.length === 0) {
      // NULL has no type by itself, so a choice with another branch keeps the type.
      const typed = node.args.find((arg, i) => (i % 2 === 1 || i === node.args.length - 1) && !isNullLiteral(arg));
      return isNullLiteral(last) && typed !== undefined ? { ...node, name: 'if', args: [FALSE, this.fold(typed), NULL] } : this.fold(last);
    }
    return { ...node, name: args.length === 2 ? 'if' : 'multiIf', args: [...args, this.fold(last)] };
  }

  /** Folds a condition for which NULL means the same as FALSE. */
  private foldCondition(node: SqlExpression): SqlExpression {
    return knownValue(node, this.names) === null ? FALSE : this.foldTerm(node);
  }

  private foldTerm(node: SqlExpression): SqlExpression {
    const value = knownValue(node, this.names);
    return typeof value === 'boolean' ? lit(value) : this.fold(node);
  }

  /** Chains lean left, so they are unwound instead of recursing once per term. */
  private foldTerms(node: Logical): SqlExpression {
    const { operator } = node;
    const [decides, idle] = operator === 'AND' ? [isFalse, isTrue] : [isTrue, isFalse];
    const terms: SqlExpression[] = [];
    let leftmost: SqlExpression = node;
    for (; leftmost.kind === 'infix' && leftmost.operator === operator; leftmost = leftmost.left) terms.push(leftmost.right);
    terms.push(leftmost);
    const open: SqlExpression[] = [];
    for (const term of terms.reverse()) {
      const condition = this.foldTerm(term);
      if (decides(condition)) return condition;
      if (!idle(condition)) open.push(condition);
    }
    const [first, ...rest] = open;
    if (first === undefined) return operator === 'AND' ? TRUE : FALSE;
    return open.length === terms.length && open.every((term, i) => term === terms[i])
      ? node
      : rest.reduce((left, right) => ({ kind: 'infix', operator, left, right }), first);
  }
}

/** True of a table of all shards, and of its rows for each element of arrays. */
const isSpread = (from: From): boolean =>
  from.kind === 'array_join' ? isSpread(from.input) : from.kind === 'table' && from.sharded === true;

/**
 * Returns the SELECT from a table of all shards with keys as they are, if the arguments have chosen functions of columns for them. Keys that may be constant
 * are hidden from ClickHouse by `materialize`, and the group that it makes of no rows by HAVING (see lower/grouping.ts): both cost more than short queries do.
 */
function withPlainKeys(select: Select): Select {
  const { groupBy, constants, items, orderBy } = select;
  const values = new Map(constants.map(({ name, value }) => [name, value]));
  const valueOfKey = (key: SqlExpression): SqlExpression =>
    key.kind === 'ident' && key.parts.length === 1 ? (values.get(key.parts[0] ?? '') ?? key) : key;
  if (groupBy === null || !groupBy.some((key) => isHidden(valueOfKey(key)))) return select;
  const names = new Set(groupBy.flatMap((key) => (key.kind === 'ident' ? key.parts : [])));
  const shown = <T extends object>(part: T): T => rewrite(part, (node) => (isHidden(node) ? node.args[0] : undefined));
  const having = select.having === null ? null : withoutSome(select.having);
  return {
    ...select,
    constants: constants.map((constant) => (names.has(constant.name) ? shown(constant) : constant)),
    items: shown(items),
    groupBy: shown(groupBy),
    orderBy: shown(orderBy),
    having: having === null ? null : shown(having),
  };
}

const isHidden = (node: object): node is Func & { readonly args: readonly [SqlExpression] } =>
  hasKind<Func>(node, 'func') && node.name === 'materialize' && node.args[0] !== undefined && isOfColumn(node.args[0]);

/** Removes `count() > 0`, which groups of rows have in any case. */
function withoutSome(condition: SqlExpression): SqlExpression | null {
  if (condition.kind !== 'infix') return condition;
  const { operator, left, right } = condition;
  if (
    operator === '>' &&
    left.kind === 'func' &&
    left.name === 'count' &&
    left.args.length === 0 &&
    right.kind === 'lit' &&
    right.value === 0
  )
    return null;
  if (operator !== 'AND') return condition;
  const [first, second] = [withoutSome(left), withoutSome(right)];
  return first === null || second === null ? (first ?? second) : { ...condition, left: first, right: second };
}

const hasKind = <T extends { readonly kind: string }>(node: object, kind: T['kind']): node is T => 'kind' in node && node.kind === kind;
type Logical = Infix & { readonly operator: 'AND' | 'OR' };
const isLogical = (node: object): node is Logical => hasKind<Infix>(node, 'infix') && (node.operator === 'AND' || node.operator === 'OR');
const isCheck = (node: object): node is Check => hasKind<Check>(node, 'check');
const isChoice = (node: object): node is Func => hasKind<Func>(node, 'func') && (node.name === 'if' || node.name === 'multiIf');
const isNullAsFalse = (node: object): node is Func & { readonly args: readonly [SqlExpression, SqlExpression] } =>
  hasKind<Func>(node, 'func') && node.name === 'ifNull' && isFalse(node.args[1]);
const isSelect = (node: object): node is Select => hasKind<Select>(node, 'select') && 'constants' in node;
type ArrayJoin = Extract<From, { readonly kind: 'array_join' }>;
const isArrayJoin = (node: object): node is ArrayJoin => hasKind<ArrayJoin>(node, 'array_join');
const isNamed = (node: object): node is NamedConstant =>
  'name' in node && typeof node.name === 'string' && 'value' in node && isShape(node.value);
const isIdent = (node: object): node is Ident => hasKind<Ident>(node, 'ident');
const isParam = (node: object): node is Param => hasKind<Param>(node, 'param');
const isNullLiteral = (node: SqlExpression): boolean => node.kind === 'lit' && node.value === null;
const isTrue = (node: SqlExpression): boolean => node.kind === 'lit' && node.value === true;
const isFalse = (node: SqlExpression | undefined): boolean => node?.kind === 'lit' && node.value === false;

/**
 * Collects the plain names, the called helpers and the parameters that a statement reads: those of a named constant only if its name is read. A name may
 * be that of a function of ClickHouse, which is not the same as a call of it.
 */
function readIn(statement: Statement) {
  const names = new Set<string>();
  const called = new Set<string>();
  const parameters = new Set<string>();
  /** Names that WITH gives are unique in a statement, whichever SELECT they belong to. */
  const constants = new Map<string, SqlExpression>();
  const read = (of: Set<string>, name: string): void => {
    const constant = of.has(name) ? undefined : constants.get(name);
    of.add(name);
    if (constant !== undefined) visit(constant);
  };
  const visit = (node: object): void => {
    if (isSelect(node)) {
      for (const { name, value } of node.constants) constants.set(name, value);
    } else if (isIdent(node)) {
      read(names, node.parts[0] ?? '');
      return;
    } else if (isParam(node)) {
      parameters.add(node.name);
    } else if (hasKind<Func>(node, 'func')) {
      read(called, node.name);
    }
    for (const key in node) {
      const child: unknown = node[key as keyof typeof node]; // the key is the object's own
      if (isShape(child) && key !== 'constants') visit(child);
    }
  };
  visit(statement);
  return { names, reads: ({ name, helper }: NamedConstant) => (helper === undefined ? names : called).has(name), parameters };
}
