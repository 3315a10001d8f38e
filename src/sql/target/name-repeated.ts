// Names in a SELECT's WITH what the SELECT would repeat, so that a long part stands once in the text, however often it is used. ClickHouse puts
// the expression wherever its name stands, and computes equal expressions once, with names or without.
import { spend } from '../base/budget.ts';
import { nodesOfCheck } from '../base/size.ts';
import type { NamedConstant, SqlExpression, Statement } from './ast.ts';
import { ident } from './build.ts';
import { checksInBranch, isStatement } from './checks.ts';
import { isConstant } from './constant.ts';
import { isShape, withParts } from './rewrite.ts';

/** Shorter expressions read better where they are used. In characters, about. */
const LEAST_LENGTH = 48;
/** What a name takes, about. */
const NAME_LENGTH = 12;
/** A query in parentheses is worth a name. */
const STATEMENT_LENGTH = 200;

type FreshName = (base: string) => string;

/** Returns `statement` with names for what its SELECTs repeat. `fresh` makes names that neither the query nor its tables have. */
export function nameRepeated(statement: Statement, fresh: FreshName): Statement {
  if (statement.kind === 'set') {
    const { kind, ...parts } = statement;
    return { kind, ...new Parts(parts, fresh).written(null) };
  }
  const { kind, from, with: ctes, ...clauses } = statement;
  const named: NamedConstant[] = [];
  // A key differs between places where `group_by_use_nulls` changes it, and a name has one meaning.
  const own = new Parts(clauses, fresh).written(clauses.groupingSets === null ? named : null);
  const around = new Parts({ from, ctes }, fresh).written(null);
  return { kind, ...own, from: around.from, with: around.ctes, constants: [...named, ...own.constants] };
}

/** What is written alike in several places, as one. */
interface Part {
  readonly index: number;
  readonly node: object;
  readonly children: readonly Part[];
  /** Of its text, about. */
  readonly length: number;
  /** The names that it reads and does not bind itself. */
  readonly reads: ReadonlySet<string>;
  uses: number;
  isNamed: boolean;
  /** How it is written: by its name, or with the names of what is in it. */
  written: object;
}

const NONE: ReadonlySet<string> = new Set();
/** Stands for any parameter among the names that a part reads. */
const PARAMETER: ReadonlySet<string> = new Set(['{}']);

/** The parts of a tree, those inside of others first. Nothing recurses here but statements in statements, because trees may be deep. */
class Parts<T extends object> {
  private readonly byNode = new Map<object, Part>();
  private readonly byText = new Map<string, Part>();
  private readonly all: Part[] = [];
  /** Parameters of lambdas. A name stands outside of them. */
  private readonly bound = new Set<string>();

  private readonly root: T;
  private readonly fresh: FreshName;

  constructor(root: T, fresh: FreshName) {
    this.root = root;
    this.fresh = fresh;
    const waiting: object[] = [root];
    for (let node = waiting.at(-1); node !== undefined; node = waiting.at(-1)) {
      const before = waiting.length;
      const isLeaf = isStatement(node);
      for (const key in node) {
        const value: unknown = isLeaf || node[key as keyof typeof node]; // the key is the object's own
        if (isShape(value) && !this.byNode.has(value)) waiting.push(value);
      }
      if (waiting.length > before) continue;
      waiting.pop();
      if (!this.byNode.has(node)) this.byNode.set(node, this.partOf(node));
    }
  }

  /** Returns the tree with names for repeated parts, and adds to `named` what they stand for. */
  written(named: NamedConstant[] | null): T {
    if (named !== null) this.chooseNamed();
    for (const part of this.all) {
      part.written = isStatement(part.node)
        ? nameRepeated(part.node, this.fresh)
        : withParts(part.node, (inner) => this.byNode.get(inner)?.written ?? inner);
      if (named === null || !part.isNamed) continue;
      const node = part.node as SqlExpression; // no other is named
      const name = this.fresh(baseName(node));
      named.push({ name, value: part.written as SqlExpression });
      part.written = isConstant(node) ? { kind: 'ident', parts: [name], constant: true } : ident(name);
    }
    return this.byNode.get(this.root)?.written as T; // what stands for the root has its type
  }

  private chooseNamed(): void {
    for (const part of this.all.toReversed()) {
      // The root is used by none, and written once.
      part.uses = Math.max(part.uses, 1);
      part.isNamed = part.uses > 1 && this.mayBeNamed(part);
      // What has a name is written once.
      for (const child of part.children) child.uses += part.isNamed ? 1 : part.uses;
    }
    const shortened = new Map<Part, number>();
    for (const part of this.all) {
      const saved = part.children.reduce((sum, child) => sum + child.length - (shortened.get(child) ?? child.length), 0);
      const length = part.length - saved;
      part.isNamed &&= length >= LEAST_LENGTH;
      shortened.set(part, part.isNamed ? NAME_LENGTH : length);
    }
  }

  private add(node: object, children: readonly Part[], length: number, reads: ReadonlySet<string>): Part {
    const added: Part = { index: this.all.length, node, children, length, reads, uses: 0, isNamed: false, written: node };
    this.all.push(added);
    return added;
  }

  private partOf(node: object): Part {
    spend(1);
    if (isStatement(node)) return this.add(node, [], STATEMENT_LENGTH, NONE);
    let text = Array.isArray(node) ? '[' : '{';
    let length = 2 + 4 * nodesOfCheck(node);
    let reads = NONE;
    const children: Part[] = [];
    for (const key in node) {
      const value: unknown = node[key as keyof typeof node]; // the key is the object's own
      const part = isShape(value) ? this.byNode.get(value) : undefined;
      // Lengths keep texts with commas apart.
      if (part !== undefined) text += `${key}#${part.index},`;
      else text += typeof value === 'string' ? `${key}=${value.length}:${value},` : `${key}:${String(value)}${typeof value},`;
      if (typeof value === 'string' && key !== 'kind') length += value.length;
      if (part === undefined) continue;
      length += part.length;
      children.push(part);
      reads = union(reads, part.reads);
    }
    const known = this.byText.get(text) ?? this.add(node, children, length, this.readsOf(node, reads));
    this.byText.set(text, known);
    return known;
  }

  private readsOf(node: object, inside: ReadonlySet<string>): ReadonlySet<string> {
    const expression = node as SqlExpression; // or has another kind, or none
    if (expression.kind === 'ident') return new Set(expression.parts.slice(0, 1));
    if (expression.kind === 'param') return PARAMETER;
    if (expression.kind !== 'lambda') return inside;
    for (const parameter of expression.parameters) this.bound.add(parameter);
    return new Set([...inside].filter((name) => !expression.parameters.includes(name)));
  }

  private mayBeNamed({ node, length, reads }: Part): boolean {
    if (!isNameable(node, length) || [...reads].some((name) => this.bound.has(name))) return false;
    // Errors name the parameters that a check of constants reads.
    return !checksInBranch(node) && !(reads.has('{}') && isConstant(node));
  }
}

function union(one: ReadonlySet<string>, other: ReadonlySet<string>): ReadonlySet<string> {
  if (one.size < other.size) return union(other, one);
  for (const name of other) if (!one.has(name)) return new Set([...one, ...other]);
  return one;
}

const NAMEABLE: ReadonlySet<string> = new Set([
  'func',
  'check',
  'infix',
  'prefix',
  'is_null',
  'in',
  'cast',
  'array',
  'subquery',
  'exists',
  'subcolumn',
] satisfies SqlExpression['kind'][]);

const isNameable = (node: object, length: number): node is SqlExpression =>
  length >= LEAST_LENGTH && 'kind' in node && typeof node.kind === 'string' && NAMEABLE.has(node.kind) && !isStatement(node);

const OPERATIONS: Readonly<Record<string, string>> = { '+': 'total', '-': 'difference', '*': 'product', '/': 'quotient', '||': 'text' };

/** Returns what a reader would call the value. */
function baseName(node: SqlExpression): string {
  switch (node.kind) {
    case 'func':
      return nameOfCall(node);
    case 'check':
      return node.value === null ? 'checked' : baseName(node.value);
    case 'infix':
      return OPERATIONS[node.operator] ?? 'condition';
    case 'prefix':
      return node.operator === 'NOT' ? 'condition' : 'negative';
    case 'is_null':
    case 'in':
    case 'exists':
      return 'condition';
    case 'cast':
      return baseName(node.operand);
    case 'ident':
      return node.parts.at(-1) ?? 'value';
    case 'array':
      return 'list';
    case 'subcolumn':
      return node.path.at(-1) ?? 'value';
    default:
      return 'value';
  }
}

/** Calls that pass a value on are called as the value, and so are those of helpers, which have an underscore. */
const PASSING: ReadonlySet<string> = new Set(['arrayElement', 'tupleElement', 'assumeNotNull', 'ifNull', 'toNullable']);

function nameOfCall({ name, args: [first, second] }: Extract<SqlExpression, { readonly kind: 'func' }>): string {
  if ((name === 'if' || name === 'multiIf') && second !== undefined) return baseName(second);
  if (first !== undefined && (PASSING.has(name) || name.includes('_'))) return baseName(first);
  const words = name.replace(/(?:OrNull|OrZero|If)+$/, '').replace(/([a-z0-9])([A-Z])/g, '$1_$2');
  return words.toLowerCase();
}
