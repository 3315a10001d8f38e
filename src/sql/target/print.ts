// Writes ClickHouse expressions and statements as text, a clause per line, so that differences read well.

import { clusterText } from '../../clickhouse/cluster.ts';
import { mergeText } from '../../clickhouse/merge.ts';
import { quoteIdentifier, quoteString } from '../../clickhouse/quote.ts';
import type { Check, CteText, From, NamedConstant, OrderBy, Over, Select, SelectItem, SqlExpression, Statement } from './ast.ts';
import { call, iff, infix, lit } from './build.ts';

type Printers = { readonly [K in SqlExpression['kind']]: (node: Extract<SqlExpression, { readonly kind: K }>, indent: string) => string };

/** How tightly operators bind, loosest first. https://clickhouse.com/docs/sql-reference/operators */
const PRECEDENCE: Readonly<Record<string, number>> = {
  OR: 1,
  AND: 2,
  NOT: 3,
  '=': 5,
  '!=': 5,
  '<': 5,
  '<=': 5,
  '>': 5,
  '>=': 5,
  LIKE: 5,
  '||': 6,
  '+': 7,
  '-': 7,
  '*': 8,
  '/': 8,
  '%': 8,
};
const TIGHT = 10;

function precedence(node: SqlExpression): number {
  switch (node.kind) {
    case 'infix':
      return PRECEDENCE[node.operator] ?? 0;
    case 'prefix':
      return node.operator === 'NOT' ? 3 : 9;
    case 'is_null':
    case 'in':
    case 'between':
      return 4;
    case 'lambda':
      return 0;
    case 'check':
      return node.value !== null && node.otherwise === null ? (PRECEDENCE['-'] ?? 0) : TIGHT;
    case 'lit':
      return (typeof node.value === 'number' || typeof node.value === 'bigint') && node.value < 0 ? 9 : TIGHT;
    default:
      return TIGHT;
  }
}

const PRINTERS: Printers = {
  lit: ({ value }) => {
    if (value === null) return 'NULL';
    if (typeof value === 'string') return quoteString(value);
    if (typeof value === 'number') return printNumber(value);
    return String(value);
  },
  raw: ({ text }) => text,
  param: ({ name, type }) => `{${name}:${type}}`,
  ident: ({ parts, subobjectAt }) => parts.map((p, i) => (i === subobjectAt ? `^${quoteIdentifier(p)}` : quoteIdentifier(p))).join('.'),
  func: (node, indent) => {
    const { name, params, args, distinct, over } = node;
    const [of, at] = args;
    if (name === 'arrayElement' && of !== undefined && at !== undefined && takesSubscript(of))
      return `${printExpr(of, indent)}[${printExpr(at, indent)}]`;
    if (name === 'tupleElement' && of !== undefined && at?.kind === 'lit' && takesSubscript(of))
      return `${printExpr(of, indent)}.${String(at.value)}`;
    if (name === 'tuple' && args.length > 1) return `(${printList(args, indent)})`;
    const parameters = params.length === 0 ? '' : `(${printList(params, indent)})`;
    const body = name === '*' ? '*' : `${name}${parameters}(${distinct ? 'DISTINCT ' : ''}${printList(args, indent)})`;
    return over === null ? body : `${body} OVER (${printOver(over, indent)})`;
  },
  check: (node, indent) => printExpr(writtenCheck(node), indent),
  infix: (node, indent) => printInfix(node, indent),
  prefix: ({ operator, operand }, indent) => {
    if (operator === 'NOT' && operand.kind === 'is_null') return printExpr({ ...operand, not: !operand.not }, indent);
    const inner = printTight(operand, operator === 'NOT' ? 3 : 9, indent);
    return operator === 'NOT' ? `NOT ${inner}` : `-${inner.startsWith('-') ? `(${inner})` : inner}`;
  },
  is_null: ({ operand, not }, indent) => `${printTight(operand, 5, indent)} IS ${not ? 'NOT ' : ''}NULL`,
  in: ({ operand, items, not, global }, indent) => {
    const list = 'kind' in items ? nested(printStatement(items, deeper(indent)), indent) : `(${printList(items, indent)})`;
    return `${printTight(operand, 5, indent)} ${global === true ? 'GLOBAL ' : ''}${not ? 'NOT IN' : 'IN'} ${list}`;
  },
  cast: ({ operand, type }, indent) => `CAST(${printExpr(operand, indent)}, ${quoteString(type)})`,
  array: ({ elements }, indent) => `[${printList(elements, indent)}]`,
  lambda: ({ parameters, body }, indent) => {
    const names = parameters.map(quoteIdentifier).join(', ');
    return `${parameters.length === 1 ? names : `(${names})`} -> ${printExpr(body, indent)}`;
  },
  subquery: ({ statement }, indent) => nested(printStatement(statement, deeper(indent)), indent),
  exists: ({ statement }, indent) => `EXISTS ${nested(printStatement(statement, deeper(indent)), indent)}`,
  between: ({ operand, low, high }, indent) =>
    `${printTight(operand, 6, indent)} BETWEEN ${printTight(low, 6, indent)} AND ${printTight(high, 6, indent)}`,
  subcolumn: ({ of, path, type }, indent) => {
    const subcolumn = `${printTight(of, TIGHT, indent)}.${path.map(quoteIdentifier).join('.')}`;
    return type === null ? subcolumn : `${subcolumn}.:${quoteIdentifier(type)}`;
  },
};

/** True of what `[1]` and `.1` may follow without parentheses: the same as arrayElement and tupleElement, and read sooner. */
const takesSubscript = (node: SqlExpression): boolean =>
  node.kind === 'ident' ||
  node.kind === 'cast' ||
  node.kind === 'array' ||
  (node.kind === 'func' && node.over === null && node.name !== '*' && node.name !== 'tuple');

/**
 * Writes the check as ClickHouse takes it. throwIf is never folded. For constants, reading the message as a number fails as well and leaves
 * a constant, which a primary key can use.
 */
function writtenCheck({ condition, message, value, otherwise, rows }: Check): SqlExpression {
  const test = failingTest(condition, lit(message), rows);
  if (value === null) return test;
  return otherwise === null ? infix('-', value, test) : iff(infix('=', test, lit(0)), value, otherwise);
}

/** Is 0, or fails with the message where the condition is true. */
export const failingTest = (condition: SqlExpression, message: SqlExpression, rows: Check['rows']): SqlExpression =>
  rows === 'constant' ? call('toUInt8', iff(condition, message, lit('0'))) : call('throwIf', condition, message);

const deeper = (indent: string): string => `${indent}  `;
const nested = (text: string, indent: string): string => `(\n${text}\n${indent})`;

export function printExpr(node: SqlExpression, indent: string): string {
  // The table is complete over the union; TypeScript can't pair a kind with its own entry by itself.
  const print = PRINTERS[node.kind] as (node: SqlExpression, indent: string) => string;
  return print(node, indent);
}

function printTight(node: SqlExpression, binding: number, indent: string): string {
  const text = printExpr(node, indent);
  return precedence(node) < binding ? `(${text})` : text;
}

/** Chains lean left, so they are unwound instead of recursing once per term. */
function printInfix(node: Extract<SqlExpression, { kind: 'infix' }>, indent: string): string {
  const binding = PRECEDENCE[node.operator] ?? 0;
  const rest: string[] = [];
  let leftmost: SqlExpression = node;
  while (leftmost.kind === 'infix' && (PRECEDENCE[leftmost.operator] ?? 0) === binding && binding !== 5) {
    // The right side of an equally binding operator keeps its parentheses: a - (b - c).
    rest.push(`${leftmost.operator} ${printTight(leftmost.right, binding + 1, indent)}`);
    leftmost = leftmost.left;
  }
  if (binding === 5) return `${printTight(node.left, 6, indent)} ${node.operator} ${printTight(node.right, 6, indent)}`;
  return [printTight(leftmost, binding, indent), ...rest.reverse()].join(' ');
}

const printList = (nodes: readonly SqlExpression[], indent: string): string => nodes.map((n) => printExpr(n, indent)).join(', ');

/** Returns the shortest text that reads back as the same Float64. */
function printNumber(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value < 0 ? '-inf' : 'inf';
  return Object.is(value, -0) ? '-0' : String(value);
}

function printOrder({ value, descending, nullsFirst, collate }: OrderBy, indent: string): string {
  const nulls = nullsFirst === null ? '' : ` NULLS ${nullsFirst ? 'FIRST' : 'LAST'}`;
  const rules = collate === undefined ? '' : ` COLLATE '${collate}'`;
  return `${printExpr(value, indent)}${descending ? ' DESC' : ''}${nulls}${rules}`;
}

function printOver({ partitionBy, orderBy, frame }: Over, indent: string): string {
  const parts: string[] = [];
  if (partitionBy.length > 0) parts.push(`PARTITION BY ${printList(partitionBy, indent)}`);
  if (orderBy.length > 0) parts.push(`ORDER BY ${orderBy.map((o) => printOrder(o, indent)).join(', ')}`);
  if (frame !== null) parts.push(frame);
  return parts.join(' ');
}

const LINE = 120;

export function printStatement(statement: Statement, indent = ''): string {
  const named = printWith(statement.kind === 'select' ? statement.constants : [], statement.with, statement.recursive, indent);
  const ctes = [...commented(statement.comments?.head, indent), ...named];
  if (statement.kind === 'select') return [...ctes, ...printSelect(statement, indent)].join('\n');
  const inputs = statement.inputs.map((input) => `${indent}${nested(printStatement(input, deeper(indent)), indent)}`);
  return [...ctes, inputs.join(`\n${indent}${statement.operator}\n`)].join('\n');
}

function printWith(constants: readonly NamedConstant[], ctes: readonly CteText[], recursive: boolean, indent: string): readonly string[] {
  if (ctes.length + constants.length === 0) return [];
  const inner = deeper(indent);
  const named = constants.map((c) => `${inner}${printTight(c.value, 1, inner)} AS ${quoteIdentifier(c.name)}`);
  const texts = ctes.map((c) => `${inner}${quoteIdentifier(c.name)} AS ${nested(printStatement(c.statement, deeper(inner)), inner)}`);
  return [`${indent}WITH${recursive ? ' RECURSIVE' : ''}`, [...named, ...texts].join(',\n')];
}

function printSelect(select: Select, indent: string): readonly string[] {
  const inner = deeper(indent);
  const { comments = {} } = select;
  const exprs = (nodes: readonly SqlExpression[]): readonly string[] => nodes.map((node) => printExpr(node, inner));
  const one = (word: string, node: SqlExpression | null, above?: readonly string[]): readonly string[] =>
    node === null ? [] : [...commented(above, indent), `${indent}${word} ${printExpr(node, inner)}`];
  const list = (word: string, items: readonly string[], above?: readonly string[]): readonly string[] =>
    items.length === 0 ? [] : [...commented(above, indent), clause(word, items, indent)];
  const items = select.items.map((item) =>
    [...commented(item.comments, inner), `${inner}${printItem(item, inner)}`].join('\n').trimStart(),
  );
  return [
    ...commented(comments.select, indent),
    clause(`SELECT${select.distinct ? ' DISTINCT' : ''}`, items, indent),
    ...(select.from === null ? [] : [...commented(comments.from, indent), `${indent}FROM ${printFrom(select.from, indent)}`]),
    ...one('WHERE', select.where, comments.where),
    ...(select.groupingSets === null
      ? list('GROUP BY', exprs(select.groupBy ?? []), comments.groupBy)
      : [
          ...commented(comments.groupBy, indent),
          clause(
            'GROUP BY GROUPING SETS (',
            select.groupingSets.map((set) => `(${exprs(set).join(', ')})`),
            indent,
            ')',
          ),
        ]),
    ...one('HAVING', select.having, comments.having),
    ...one('QUALIFY', select.qualify, comments.qualify),
    ...list(
      'ORDER BY',
      select.orderBy.map((o) => printOrder(o, inner)),
      comments.orderBy,
    ),
    ...one('LIMIT', select.limit, comments.limit),
    ...one('OFFSET', select.offset),
  ];
}

const commented = (lines: readonly string[] = [], indent: string): readonly string[] =>
  lines.map((line) => `${indent}-- ${line}`.trimEnd());

/** Writes a clause on one line if it fits, else an item per line. */
function clause(word: string, items: readonly string[], indent: string, end = ''): string {
  const line = `${indent}${word} ${items.join(', ')}${end}`;
  if (line.length <= LINE && !line.includes('\n')) return line;
  const inner = deeper(indent);
  return `${indent}${word}\n${items.map((i) => `${inner}${i}`).join(',\n')}${end === '' ? '' : `\n${indent}${end}`}`;
}

const called = (text: string, alias: string): string => (alias === '' ? text : `${text} AS ${quoteIdentifier(alias)}`);

/** A column that is shown under its own name stands alone. */
function printItem({ value, alias }: SelectItem, indent: string): string {
  const isItself = value.kind === 'ident' && value.constant !== true && value.parts.length === 1 && value.parts[0] === alias;
  return isItself ? quoteIdentifier(alias) : `${printExpr(value, indent)} AS ${quoteIdentifier(alias)}`;
}

function printFrom(from: From, indent: string): string {
  const inner = deeper(indent);
  switch (from.kind) {
    case 'table': {
      const [name = '', database] = from.name.toReversed();
      const { cluster, shardingKey } = from;
      if (cluster !== undefined) return called(clusterText({ cluster, database, table: name, shardingKey }), from.alias);
      if (from.wildcard === true) return called(mergeText(database, name), from.alias);
      const table = from.name.map(quoteIdentifier).join('.');
      return from.alias === name ? table : called(table, from.alias);
    }
    case 'table_function':
      return called(`${from.name}(${from.args.map(quoteString).join(', ')})`, from.alias);
    case 'select':
      return called(nested(printStatement(from.statement, inner), indent), from.alias);
    case 'join': {
      const on = from.on === null ? '' : ` ON ${printExpr(from.on, inner)}`;
      return `${printFrom(from.left, indent)}\n${indent}${from.global === true ? 'GLOBAL ' : ''}${from.type} JOIN ${printFrom(from.right, indent)}${on}`;
    }
    case 'array_join': {
      const arrays = from.arrays.map((a) => `${printExpr(a.value, inner)} AS ${quoteIdentifier(a.alias)}`);
      return `${printFrom(from.input, indent)}\n${indent}ARRAY JOIN ${arrays.join(', ')}`;
    }
  }
}
