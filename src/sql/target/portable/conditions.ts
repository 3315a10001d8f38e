// Conditions over texts that are '' where there is nothing, read as nullIf(text, ''). Where NULL and FALSE, or NULL and TRUE, come to the same, most of
// them need no nullIf.
import { regexpFacts } from '../../base/regexp-pattern.ts';
import type { Func, Select, SqlExpression } from '../ast.ts';
import { infix, lit } from '../build.ts';
import { asFunc, isStatement } from '../checks.ts';
import { looseTextOf } from '../helpers.ts';
import { rebuilt } from '../rewrite.ts';
import { SameMap } from '../same.ts';

/** Shortens every condition of the tree. */
export const withShortConditions = <T extends object>(tree: T): T =>
  rebuilt(tree, (node) => {
    if (isStatement(node) && node.kind === 'select') return ofSelect(node);
    const func = asFunc(node);
    const tests = func === undefined ? undefined : testsOf(func);
    return func === undefined || tests === undefined
      ? node
      : { ...func, args: func.args.map((arg, i) => (tests(i) ? whereTrue(arg) : arg)) };
  });

const orNull = (condition: SqlExpression | null): SqlExpression | null => (condition === null ? null : whereTrue(condition));

const ofSelect = (select: Select): Select => ({
  ...select,
  where: orNull(select.where),
  having: orNull(select.having),
  qualify: orNull(select.qualify),
});

/** Returns the text of `nullIf(text, '')`. */
export function textOf(value: SqlExpression): SqlExpression | undefined {
  const [text, empty] = value.kind === 'func' && value.name === 'nullIf' ? value.args : [];
  return empty?.kind === 'lit' && empty.value === '' ? text : undefined;
}

const EMPTY = lit('');

const isWord = (value: SqlExpression): boolean => value.kind === 'lit' && typeof value.value === 'string' && value.value !== '';

type Infix = Extract<SqlExpression, { readonly kind: 'infix' }>;
type InList = Extract<SqlExpression, { readonly kind: 'in' }>;
type IsNull = Extract<SqlExpression, { readonly kind: 'is_null' }>;

/** Tells which arguments of a call are conditions; undefined where none is. */
function testsOf({ name, args }: Func): ((position: number) => boolean) | undefined {
  const last = args.length - 1;
  if (name === 'if' || name === 'multiIf') return (i) => i % 2 === 0 && i < last;
  return name.endsWith('If') && name !== 'nullIf' ? (i) => i === last : undefined;
}

/** Returns a text that equals one of `words` for the same rows as the value does. */
function textAmong(value: SqlExpression, words: readonly SqlExpression[]): SqlExpression | undefined {
  if (!words.every(isWord)) return undefined;
  const loose = looseTextOf(value);
  const isTold = (word: SqlExpression): boolean => word.kind !== 'lit' || loose?.words.includes(String(word.value)) !== true;
  return textOf(value) ?? (loose !== undefined && words.every(isTold) ? loose.text : undefined);
}

/** Returns a condition that is true for the same rows; elsewhere it may be false instead of NULL. */
function whereTrue(condition: SqlExpression): SqlExpression {
  switch (condition.kind) {
    case 'infix':
      return joined(condition, whereTrue) ?? comparedTrue(condition);
    case 'prefix':
      return condition.operator === 'NOT' ? { ...condition, operand: unlessFalse(condition.operand) } : condition;
    case 'in':
      return listedTrue(condition);
    case 'is_null':
      return tested(condition);
    case 'func':
      return searched(condition);
    default:
      return condition;
  }
}

/** Returns a condition that is false for the same rows; elsewhere it may be true instead of NULL. */
function unlessFalse(condition: SqlExpression): SqlExpression {
  switch (condition.kind) {
    case 'infix':
      return joined(condition, unlessFalse) ?? comparedFalse(condition);
    case 'prefix':
      return condition.operator === 'NOT' ? { ...condition, operand: whereTrue(condition.operand) } : condition;
    case 'in':
      return listedFalse(condition);
    case 'is_null':
      return tested(condition);
    default:
      return condition;
  }
}

function comparedTrue(condition: Infix): SqlExpression {
  const { operator, left, right } = condition;
  const text = textOf(left);
  switch (operator) {
    case '=': {
      const equal = textAmong(left, [right]);
      return equal === undefined ? condition : infix(operator, equal, right);
    }
    case '!=':
      if (text === undefined || right.kind !== 'lit' || typeof right.value !== 'string') return condition;
      return right.value === '' ? infix(operator, text, right) : among(text, [EMPTY, right], true);
    case 'LIKE':
      return text !== undefined && isWord(right) && right.kind === 'lit' && /[^%]/.test(String(right.value))
        ? infix(operator, text, right)
        : condition;
    default:
      return condition;
  }
}

function comparedFalse(condition: Infix): SqlExpression {
  const { operator, left, right } = condition;
  const text = textOf(left);
  if (text === undefined || !isWord(right)) return condition;
  if (operator === '=') return among(text, [right, EMPTY], false);
  return operator === '!=' ? infix(operator, text, right) : condition;
}

function listedTrue(condition: InList): SqlExpression {
  const { operand, items, not } = condition;
  if ('kind' in items || !items.every(isWord)) return condition;
  const text = not ? textOf(operand) : textAmong(operand, items);
  if (text === undefined) return condition;
  return { ...condition, operand: text, items: not ? [...items, EMPTY] : items };
}

function listedFalse(condition: InList): SqlExpression {
  const { operand, items, not } = condition;
  const text = textOf(operand);
  if (text === undefined || 'kind' in items || !items.every(isWord)) return condition;
  return { ...condition, operand: text, items: not ? items : [...items, EMPTY] };
}

function tested(condition: IsNull): SqlExpression {
  const text = textOf(condition.operand);
  return text === undefined ? condition : infix(condition.not ? '!=' : '=', text, EMPTY);
}

function searched(condition: Func): SqlExpression {
  const [value, word] = condition.args;
  if (condition.name === 'ifNull' && word?.kind === 'lit' && word.value === false && value !== undefined) return whereTrue(value);
  const text = value && textOf(value);
  if (text === undefined || word === undefined || !SEARCHES.has(condition.name) || !isWord(word)) return condition;
  if (condition.name === 'match' && (word.kind !== 'lit' || regexpFacts(String(word.value)).emptyMatch)) return condition;
  return { ...condition, args: [text, word] };
}

/** Shortens the terms of AND or OR. Chains lean left, so they are unwound instead of recursing once per term; a term stands once. */
function joined(condition: Infix, each: (term: SqlExpression) => SqlExpression): SqlExpression | undefined {
  const { operator } = condition;
  if (operator !== 'AND' && operator !== 'OR') return undefined;
  const terms: SqlExpression[] = [];
  let leftmost: SqlExpression = condition;
  for (; leftmost.kind === 'infix' && leftmost.operator === operator; leftmost = leftmost.left) terms.unshift(each(leftmost.right));
  const known = new SameMap<true>();
  return [each(leftmost), ...terms]
    .filter((term) => {
      const isNew = known.get(term) === undefined;
      known.set(term, true);
      return isNew;
    })
    .reduce((left, right) => infix(operator, left, right));
}

const among = (text: SqlExpression, words: readonly SqlExpression[], not: boolean): SqlExpression => ({
  kind: 'in',
  operand: text,
  items: words,
  not,
});

/** Searches that never find a word in an empty text. */
const SEARCHES: ReadonlySet<string> = new Set(['startsWith', 'endsWith', 'match']);
