// Writes ClickHouse expressions as text. Statements are in print-statement.ts.
import type { Ch, OrderBy, Over } from './ast.ts';
import { printStatement } from './print-statement.ts';
import { quoteIdentifier, quoteString } from './quote.ts';

type Printers = { readonly [K in Ch['kind']]: (node: Extract<Ch, { readonly kind: K }>, indent: string) => string };

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

function precedence(node: Ch): number {
  switch (node.kind) {
    case 'infix':
      return PRECEDENCE[node.operator] ?? 0;
    case 'prefix':
      return node.operator === 'NOT' ? 3 : 9;
    case 'is_null':
    case 'in':
      return 4;
    case 'lambda':
      return 0;
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
  func: ({ name, params, args, distinct, over }, indent) => {
    const parameters = params.length === 0 ? '' : `(${printList(params, indent)})`;
    const body = name === '*' ? '*' : `${name}${parameters}(${distinct ? 'DISTINCT ' : ''}${printList(args, indent)})`;
    return over === null ? body : `${body} OVER (${printOver(over, indent)})`;
  },
  infix: (node, indent) => printInfix(node, indent),
  prefix: ({ operator, operand }, indent) => {
    const inner = printTight(operand, operator === 'NOT' ? 3 : 9, indent);
    return operator === 'NOT' ? `NOT ${inner}` : `-${inner.startsWith('-') ? `(${inner})` : inner}`;
  },
  is_null: ({ operand, not }, indent) => `${printTight(operand, 5, indent)} IS ${not ? 'NOT ' : ''}NULL`,
  in: ({ operand, items, not }, indent) => {
    const list = 'kind' in items ? nested(printStatement(items, deeper(indent)), indent) : `(${printList(items, indent)})`;
    return `${printTight(operand, 5, indent)} ${not ? 'NOT IN' : 'IN'} ${list}`;
  },
  cast: ({ operand, type }, indent) => `CAST(${printExpr(operand, indent)}, ${quoteString(type)})`,
  array: ({ elements }, indent) => `[${printList(elements, indent)}]`,
  lambda: ({ parameters, body }, indent) => {
    const names = parameters.map(quoteIdentifier).join(', ');
    return `${parameters.length === 1 ? names : `(${names})`} -> ${printExpr(body, indent)}`;
  },
  subquery: ({ statement }, indent) => nested(printStatement(statement, deeper(indent)), indent),
  exists: ({ statement }, indent) => `EXISTS ${nested(printStatement(statement, deeper(indent)), indent)}`,
  subcolumn: ({ of, path, type }, indent) => {
    const subcolumn = `${printTight(of, TIGHT, indent)}.${path.map(quoteIdentifier).join('.')}`;
    return type === null ? subcolumn : `${subcolumn}.:${quoteIdentifier(type)}`;
  },
};

export const deeper = (indent: string): string => `${indent}  `;
export const nested = (text: string, indent: string): string => `(\n${text}\n${indent})`;

export function printExpr(node: Ch, indent: string): string {
  // The table is complete over the union; TypeScript can't pair a kind with its own entry by itself.
  const print = PRINTERS[node.kind] as (node: Ch, indent: string) => string;
  return print(node, indent);
}

export function printTight(node: Ch, binding: number, indent: string): string {
  const text = printExpr(node, indent);
  return precedence(node) < binding ? `(${text})` : text;
}

/** Chains lean left, so they are unwound instead of recursing once per term. */
function printInfix(node: Extract<Ch, { kind: 'infix' }>, indent: string): string {
  const binding = PRECEDENCE[node.operator] ?? 0;
  const rest: string[] = [];
  let leftmost: Ch = node;
  while (leftmost.kind === 'infix' && (PRECEDENCE[leftmost.operator] ?? 0) === binding && binding !== 5) {
    // The right side of an equally binding operator keeps its parentheses: a - (b - c).
    rest.push(`${leftmost.operator} ${printTight(leftmost.right, binding + 1, indent)}`);
    leftmost = leftmost.left;
  }
  if (binding === 5) return `${printTight(node.left, 6, indent)} ${node.operator} ${printTight(node.right, 6, indent)}`;
  return [printTight(leftmost, binding, indent), ...rest.reverse()].join(' ');
}

export const printList = (nodes: readonly Ch[], indent: string): string => nodes.map((n) => printExpr(n, indent)).join(', ');

/** Shortest text that reads back as the same Float64, always with a sign of being a float. */
function printNumber(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value < 0 ? '-inf' : 'inf';
  const text = Object.is(value, -0) ? '-0' : String(value);
  return text;
}

export function printOrder({ value, descending, nullsFirst }: OrderBy, indent: string): string {
  const nulls = nullsFirst === null ? '' : nullsFirst ? ' NULLS FIRST' : ' NULLS LAST';
  return `${printExpr(value, indent)}${descending ? ' DESC' : ''}${nulls}`;
}

function printOver({ partitionBy, orderBy, frame }: Over, indent: string): string {
  const parts: string[] = [];
  if (partitionBy.length > 0) parts.push(`PARTITION BY ${printList(partitionBy, indent)}`);
  if (orderBy.length > 0) parts.push(`ORDER BY ${orderBy.map((o) => printOrder(o, indent)).join(', ')}`);
  if (frame !== null) parts.push(frame);
  return parts.join(' ');
}
