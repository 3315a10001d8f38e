// Reads expressions by precedence climbing. https://cloud.google.com/bigquery/docs/reference/standard-sql/operators#operator_precedence
import type { BinaryOperator, Expr, UnaryOperator } from '../ast.ts';
import { LONGEST_LEFT_DEEP_CHAIN, PRECEDENCE } from '../precedence.ts';
import { isComparison, parseComparison } from './parse-comparison.ts';
import { parsePostfix } from './parse-postfix.ts';
import { parsePrimary } from './parse-primary.ts';
import type { Parser } from './parser.ts';

type Level = (typeof PRECEDENCE)[keyof typeof PRECEDENCE];
type ChainOperator = 'AND' | 'OR';
type ArithmeticOperator = Exclude<keyof typeof PRECEDENCE, ChainOperator | 'NOT' | 'comparison' | 'unary'>;

export function parseExpression(s: Parser): Expr {
  s.enter();
  const { start } = s.token;
  const expression = climb(s, PRECEDENCE.OR, start, parsePrefix(s, PRECEDENCE.OR));
  s.leave();
  return expression;
}

export function parseArithmetic(s: Parser): Expr {
  return parseOperand(s, PRECEDENCE['|']);
}

export function continueExpression(s: Parser, start: number, first: Expr): Expr {
  return climb(s, PRECEDENCE.OR, start, parsePostfix(s, start, first));
}

function parseOperand(s: Parser, lowest: number): Expr {
  const { start } = s.token;
  return climb(s, lowest, start, parsePrefix(s, lowest));
}

/** Joins `left`, begun at `start`, with the operators that bind at least as tightly as `lowest`. */
function climb(s: Parser, lowest: number, start: number, left: Expr): Expr {
  for (;;) {
    const level = levelOf(s);
    if (level === null || level < lowest) return left;
    left = level === PRECEDENCE.comparison ? parseOneComparison(s, start, left) : parseBinary(s, level, start, left);
  }
}

function levelOf(s: Parser): Level | null {
  const { text } = s.token;
  if (text === '') return null;
  if (text === '>' && isShiftRight(s)) return PRECEDENCE['>>'];
  if (isComparison(s)) return PRECEDENCE.comparison;
  return text !== 'NOT' && Object.hasOwn(PRECEDENCE, text) ? PRECEDENCE[text as keyof typeof PRECEDENCE] : null; // hasOwn proves the key
}

function isShiftRight(s: Parser): boolean {
  return s.peek().text === '>' && s.peek().start === s.token.end;
}

function parseOneComparison(s: Parser, start: number, left: Expr): Expr {
  const comparison = parseComparison(s, start, left);
  if (isComparison(s) && !isShiftRight(s)) {
    s.fail('AND, OR or the end of the comparison', 'comparisons do not chain: put one of them in parentheses, or join them with AND');
  }
  return comparison;
}

function parseBinary(s: Parser, level: Level, start: number, left: Expr): Expr {
  if (level === PRECEDENCE.AND) return parseChain(s, 'AND', start, left);
  if (level === PRECEDENCE.OR) return parseChain(s, 'OR', start, left);
  const operator = takeOperator(s);
  const right = parseOperand(s, level + 1);
  return { kind: 'binary', operator, left, right, span: s.span(start) };
}

function takeOperator(s: Parser): BinaryOperator {
  if (s.is('>')) {
    s.advance();
    s.advance();
    return '>>';
  }
  return s.advance().text as ArithmeticOperator; // levelOf() has looked: the token is one
}

interface Operand {
  readonly value: Expr;
  readonly start: number;
  readonly end: number;
}

function parseChain(s: Parser, operator: ChainOperator, start: number, first: Expr): Expr {
  s.enter();
  const operands: Operand[] = [{ value: first, start, end: s.end }];
  while (s.take(operator)) {
    const { start: from } = s.token;
    const value = parseOperand(s, PRECEDENCE[operator] + 1);
    operands.push({ value, start: from, end: s.end });
  }
  s.leave();
  if (operands.length > LONGEST_LEFT_DEEP_CHAIN) return balanced(operator, operands, 0, operands.length);
  return operands.slice(1).reduce<Expr>((left, { value, end }) => {
    return { kind: 'binary', operator, left, right: value, span: { start, end } };
  }, first);
}

/** Returns a balanced tree: AND and OR are associative, NULL included, so any shape of tree means the same. */
function balanced(operator: ChainOperator, operands: readonly Operand[], from: number, to: number): Expr {
  const first = operands[from];
  const last = operands[to - 1];
  if (first === undefined || last === undefined) throw new RangeError('an empty chain has no tree');
  if (to - from === 1) return first.value;
  const middle = (from + to) >>> 1;
  const left = balanced(operator, operands, from, middle);
  const right = balanced(operator, operands, middle, to);
  return { kind: 'binary', operator, left, right, span: { start: first.start, end: last.end } };
}

/** Reads NOT and the signs, then an operand and its postfixes. */
function parsePrefix(s: Parser, lowest: number): Expr {
  if (s.is('NOT')) return parseNot(s, lowest);
  const signs: { operator: UnaryOperator; start: number }[] = [];
  for (let sign = signOf(s); sign !== null; sign = signOf(s)) signs.push({ operator: sign, start: s.advance().start });
  const { start } = s.token;
  const operand = parsePostfix(s, start, parsePrimary(s));
  return signs.reduceRight<Expr>(
    (value, sign) => ({ kind: 'unary', operator: sign.operator, operand: value, span: s.span(sign.start) }),
    operand,
  );
}

function signOf(s: Parser): UnaryOperator | null {
  const { text } = s.token;
  return text === '-' || text === '+' || text === '~' ? text : null;
}

function parseNot(s: Parser, lowest: number): Expr {
  if (lowest > PRECEDENCE.NOT) s.fail('an expression', 'NOT binds more loosely than this operator: write (NOT …) in parentheses');
  const starts: number[] = [];
  while (s.is('NOT')) starts.push(s.advance().start);
  const operand = parseOperand(s, PRECEDENCE.comparison);
  return starts.reduceRight<Expr>((value, start) => ({ kind: 'unary', operator: 'NOT', operand: value, span: s.span(start) }), operand);
}
