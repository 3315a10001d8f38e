// Writes expressions as BigQuery text, with the parentheses that reading the text back needs.
import type { Argument, Binary, Call, Expr, Lambda, Membership } from '../../../src/sql/syntax/ast.ts';
import { LONGEST_LEFT_DEEP_CHAIN, PRECEDENCE } from '../../../src/sql/syntax/precedence.ts';
import { printAlias, printBytes, printName, printNames, printPath, printString, printType } from './print-name.ts';
import { printQuery } from './print-query.ts';
import { printOrderBy, printWindow } from './print-window.ts';

type ExprPrinters = { readonly [K in Expr['kind']]: (node: Extract<Expr, { kind: K }>) => string };

export function printExpr(node: Expr): string {
  const print = PRINTERS[node.kind] as (node: Expr) => string; // the table pairs each kind with its own printer
  return print(node);
}

export function printExprs(nodes: readonly Expr[]): string {
  return nodes.map(printExpr).join(', ');
}

const not = (negated: boolean): string => (negated ? 'NOT ' : '');

const PRINTERS: ExprPrinters = {
  null_literal: () => 'NULL',
  bool_literal: ({ value }) => (value ? 'TRUE' : 'FALSE'),
  int_literal: ({ value }) => String(value),
  float_literal: ({ text }) => text,
  string_literal: ({ value }) => printString(value),
  bytes_literal: ({ value }) => printBytes(value),
  typed_literal: ({ type, text }) => `${type} ${printString(text)}`,
  interval: ({ value, from, to }) => `INTERVAL ${printExpr(value)} ${from}${to === null ? '' : ` TO ${to}`}`,
  parameter: ({ name }) => (/^[A-Za-z_]\w*$/.test(name) ? `@${name}` : `@\`${name}\``),
  path: ({ parts }) => printPath(parts),
  field_access: ({ of, field }) => `${printBase(of, of.kind === 'path')}.${printName(field)}`,
  subscript: ({ of, mode, index }) => {
    const inner = printExpr(index);
    return `${printBase(of)}[${mode === 'plain' ? inner : `${mode.toUpperCase()}(${inner})`}]`;
  },
  unary: ({ operator, operand }) => {
    const binding = operator === 'NOT' ? PRECEDENCE.comparison : PRECEDENCE.unary;
    return `${operator} ${printOperand(operand, binding)}`;
  },
  binary: printBinary,
  is_test: ({ operand, test, not: negated }) => `${printCompared(operand)} IS ${not(negated)}${test}`,
  is_distinct: ({ left, right, not: negated }) => `${printCompared(left)} IS ${not(negated)}DISTINCT FROM ${printCompared(right)}`,
  between: ({ operand, low, high, not: negated }) =>
    `${printCompared(operand)} ${not(negated)}BETWEEN ${printCompared(low)} AND ${printCompared(high)}`,
  in: ({ operand, in: membership, not: negated }) => `${printCompared(operand)} ${not(negated)}IN ${printMembership(membership)}`,
  like: ({ operand, pattern, not: negated }) => `${printCompared(operand)} ${not(negated)}LIKE ${printCompared(pattern)}`,
  quantified_like: ({ operand, quantifier, patterns, not: negated }) =>
    `${printCompared(operand)} ${not(negated)}LIKE ${quantifier} ${printMembership(patterns)}`,
  case: ({ operand, whens, otherwise }) => {
    const branches = whens.map(({ when, then }) => ` WHEN ${printExpr(when)} THEN ${printExpr(then)}`).join('');
    return `CASE${operand === null ? '' : ` ${printExpr(operand)}`}${branches}${otherwise === null ? '' : ` ELSE ${printExpr(otherwise)}`} END`;
  },
  cast: ({ operand, to, safe, format, timeZone }) => {
    const options = `${format === null ? '' : ` FORMAT ${printExpr(format)}`}${printTimeZone(timeZone)}`;
    return `${safe ? 'SAFE_CAST' : 'CAST'}(${printExpr(operand)} AS ${printType(to)}${options})`;
  },
  extract: ({ part, from, timeZone }) => `EXTRACT(${part} FROM ${printExpr(from)}${printTimeZone(timeZone)})`,
  call: printCall,
  array: ({ elementType, elements }) => `${elementType === null ? '' : `ARRAY<${printType(elementType)}>`}[${printExprs(elements)}]`,
  struct: ({ type, fields }) => {
    const values = fields.map(({ value, name }) => printExpr(value) + printAlias(name)).join(', ');
    return `${type === null ? 'STRUCT' : printType(type)}(${values})`;
  },
  subquery: ({ mode, query }) => `${mode === 'scalar' ? '' : mode.toUpperCase()}(${printQuery(query)})`,
  with_expr: ({ bindings, body }) =>
    `WITH(${bindings.map(({ name, value }) => `${printName(name)} AS ${printExpr(value)}, `).join('')}${printExpr(body)})`,
};

function printTimeZone(timeZone: Expr | null): string {
  return timeZone === null ? '' : ` AT TIME ZONE ${printExpr(timeZone)}`;
}

function printMembership(membership: Membership): string {
  switch (membership.kind) {
    case 'list':
      return `(${printExprs(membership.items)})`;
    case 'in_query':
      return `(${printQuery(membership.query)})`;
    case 'unnest':
      return `UNNEST(${printExpr(membership.array)})`;
  }
}

function printBinary(node: Binary): string {
  const own = precedenceOf(node);
  // Comparisons do not chain, and a printed chain of AND or OR must not grow into one that is read as a balanced tree.
  const closed = own === PRECEDENCE.comparison || chainLength(node) > LONGEST_LEFT_DEEP_CHAIN;
  return `${printOperand(node.left, closed ? own + 1 : own)} ${node.operator} ${printOperand(node.right, own + 1)}`;
}

/** Number of operands of a chain of AND or OR, counted no further than needed. */
function chainLength({ operator, left }: Binary): number {
  if (operator !== 'AND' && operator !== 'OR') return 2;
  let length = 2;
  let at = left;
  while (at.kind === 'binary' && at.operator === operator && length <= LONGEST_LEFT_DEEP_CHAIN) {
    at = at.left;
    length++;
  }
  return length;
}

function printOperand(node: Expr, binding: number): string {
  const text = printExpr(node);
  return precedenceOf(node) < binding ? `(${text})` : text;
}

function printCompared(node: Expr): string {
  return printOperand(node, PRECEDENCE.comparison + 1);
}

/** What stands before `[…]` or `.field`. */
function printBase(node: Expr, closed = false): string {
  const tight =
    node.kind === 'path' ||
    node.kind === 'parameter' ||
    node.kind === 'call' ||
    node.kind === 'subscript' ||
    node.kind === 'field_access' ||
    node.kind === 'array';
  return tight && !closed ? printExpr(node) : `(${printExpr(node)})`;
}

function precedenceOf(node: Expr): number {
  switch (node.kind) {
    case 'binary':
      switch (node.operator) {
        case '=':
        case '<>':
        case '<':
        case '<=':
        case '>':
        case '>=':
          return PRECEDENCE.comparison;
        default:
          return PRECEDENCE[node.operator];
      }
    case 'unary':
      return node.operator === 'NOT' ? PRECEDENCE.NOT : PRECEDENCE.unary;
    case 'is_test':
    case 'is_distinct':
    case 'between':
    case 'in':
    case 'like':
    case 'quantified_like':
      return PRECEDENCE.comparison;
    default:
      return PRECEDENCE.unary + 1;
  }
}

function printCall(node: Call): string {
  const inside = [
    node.distinct ? 'DISTINCT' : '',
    node.star ? '*' : node.args.map(printArgument).join(', '),
    node.nulls === null ? '' : `${node.nulls} NULLS`,
    node.having === null ? '' : `HAVING ${node.having.which} ${printExpr(node.having.value)}`,
    printOrderBy(node.orderBy),
    node.limit === null ? '' : `LIMIT ${printExpr(node.limit)}`,
  ];
  const over = node.over === null ? '' : ` OVER ${printWindow(node.over)}`;
  return `${node.safe ? 'SAFE.' : ''}${printPath(node.name)}(${inside.filter((part) => part !== '').join(' ')})${over}`;
}

function printArgument({ name, value, alias }: Argument): string {
  const text = value.kind === 'lambda' ? printLambda(value) : printExpr(value);
  return `${name === null ? '' : `${printName(name)} => `}${text}${printAlias(alias)}`;
}

function printLambda({ parameters, body }: Lambda): string {
  return `(${printNames(parameters)}) -> ${printExpr(body)}`;
}
