// A statement for one set of arguments: what its conditions on parameters rule out goes before the text is written. ClickHouse would find that
// out too, but only after it has analyzed all of it, at some 50 µs for each function, whatever the rows.
import type { Ch, Func, Infix, NamedConstant, Select, Statement } from './ast.ts';
import { lit, NULL } from './build.ts';
import { type KnownNames, type KnownValue, knownValue } from './known-value.ts';

type Shape = Readonly<Record<string, unknown>>;
const isShape = (value: unknown): value is Shape => typeof value === 'object' && value !== null;
const TRUE = lit(true);
const FALSE = lit(false);

/**
 * `statement` where the parameters in `values` have those values, with the same rows: branches of CASE and parts of AND and OR that these
 * values decide are gone, and so are names in WITH that nothing reads any more. Every branch of a CASE is an expression of one BigQuery type,
 * and stands wherever another of them does. Equal expressions stay equal: a key of GROUP BY is found again in what is selected.
 */
export function foldArguments(statement: Statement, values: ReadonlyMap<string, KnownValue>): Statement {
  const constants = new Map<string, KnownValue>();
  const names: KnownNames = { parameters: values, constants };
  const folded = new Map<object, unknown>();

  const fold = <T>(node: T): T => {
    if (!isShape(node)) return node;
    let result = folded.get(node);
    if (result === undefined) {
      result = Array.isArray(node) ? foldItems(node) : foldNode(node);
      folded.set(node, result);
    }
    return result as T; // of the same kind, or another expression where an expression stood
  };

  const foldItems = (items: readonly unknown[]): readonly unknown[] => {
    const result = items.map(fold);
    return result.every((item, i) => item === items[i]) ? items : result;
  };

  const foldNode = (node: Shape): unknown => {
    if (isSelect(node)) return foldSelect(node);
    if (isChoice(node)) return foldChoice(node);
    if (isLogical(node)) return foldTerms(node);
    if (isNullAsFalse(node)) {
      const condition = foldTerm(node.args[0]);
      return condition.kind === 'lit' ? condition : { ...node, args: [condition, FALSE] };
    }
    if (isNamed(node)) {
      const value = knownValue(node.value, names);
      if (value !== undefined) constants.set(node.name, value);
    }
    return foldParts(node);
  };

  const foldParts = <T extends Shape>(node: T): T => {
    const changed: Record<string, unknown> = {};
    let same = true;
    for (const key in node) {
      changed[key] = fold(node[key]);
      same &&= changed[key] === node[key];
    }
    return same ? node : (changed as T); // the same parts, folded
  };

  const foldSelect = ({ constants: named, where, ...rest }: Select): Select => {
    // First, for what they name is read by all the others.
    const kept = fold(named);
    const condition = where === null ? null : foldCondition(where);
    return { ...foldParts(rest), constants: kept, where: condition !== null && isTrue(condition) ? null : condition };
  };

  /** What is left of the branches of `if` and `multiIf`. */
  const foldChoice = (node: Func): Ch => {
    const args: Ch[] = [];
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
    if (args.length === 0) return fold(last);
    return { ...node, name: args.length === 2 ? 'if' : 'multiIf', args: [...args, fold(last)] };
  };

  /** Where NULL is as good as FALSE. */
  const foldCondition = (node: Ch): Ch => (knownValue(node, names) === null ? FALSE : foldTerm(node));

  const foldTerm = (node: Ch): Ch => {
    const value = knownValue(node, names);
    return value === true ? TRUE : value === false ? FALSE : fold(node);
  };

  /** Chains lean left, so they are unwound instead of recursing once per term. */
  const foldTerms = (node: Logical): Ch => {
    const { operator } = node;
    const [decides, idle] = operator === 'AND' ? [isFalse, isTrue] : [isTrue, isFalse];
    const terms: Ch[] = [];
    let leftmost: Ch = node;
    for (; leftmost.kind === 'infix' && leftmost.operator === operator; leftmost = leftmost.left) terms.push(leftmost.right);
    terms.push(leftmost);
    const kept: Ch[] = [];
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

  return withoutUnread(fold(statement));
}

type Logical = Infix & { readonly operator: 'AND' | 'OR' };
const isLogical = (node: Shape): node is Shape & Logical =>
  node['kind'] === 'infix' && (node['operator'] === 'AND' || node['operator'] === 'OR');
const isChoice = (node: Shape): node is Shape & Func => node['kind'] === 'func' && (node['name'] === 'if' || node['name'] === 'multiIf');
const isNullAsFalse = (node: Shape): node is Shape & Func & { readonly args: readonly [Ch, Ch] } =>
  node['kind'] === 'func' && node['name'] === 'ifNull' && isFalse((node['args'] as readonly Ch[])[1]);
const isSelect = (node: Shape): node is Shape & Select => node['kind'] === 'select' && 'constants' in node;
const isNamed = (node: Shape): node is Shape & NamedConstant => typeof node['name'] === 'string' && isShape(node['value']);
const isTrue = (node: Ch): boolean => node.kind === 'lit' && node.value === true;
const isFalse = (node: Ch | undefined): boolean => node?.kind === 'lit' && node.value === false;

/** Names that WITH gives are unique in a statement, whatever SELECT they belong to. */
function withoutUnread(statement: Statement): Statement {
  const named = new Map<string, readonly string[]>();
  const read = namesIn(statement, named);
  const waiting = [...read];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    for (const inner of named.get(name) ?? []) {
      if (read.has(inner)) continue;
      read.add(inner);
      waiting.push(inner);
    }
  }
  return [...named.keys()].every((name) => read.has(name)) ? statement : keeping(statement, read);
}

/** The plain names that `node` reads; those that named constants read go into `named` instead, by the constant's name. */
function namesIn(node: Shape | Statement, named: Map<string, readonly string[]>): Set<string> {
  const names = new Set<string>();
  const look = (value: unknown): void => {
    if (!isShape(value)) return;
    if (value['kind'] === 'ident') names.add((value as unknown as { readonly parts: readonly string[] }).parts[0] ?? '');
    for (const key in value) {
      if (key === 'constants')
        for (const { name, value: of } of value[key] as readonly NamedConstant[])
          named.set(name, [...namesIn(of as unknown as Shape, named)]);
      else look(value[key]);
    }
  };
  look(node);
  return names;
}

function keeping<T>(node: T, read: ReadonlySet<string>): T {
  if (!isShape(node)) return node;
  if (Array.isArray(node)) return node.map((item) => keeping(item, read)) as T;
  const entries = Object.entries(node).map(([key, value]): [string, unknown] => {
    const kept = key === 'constants' ? (value as readonly NamedConstant[]).filter(({ name }) => read.has(name)) : value;
    return [key, keeping(kept, read)];
  });
  return Object.fromEntries(entries) as T;
}
