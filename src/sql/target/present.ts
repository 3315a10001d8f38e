// Conditions on entries of maps that may be absent. An absent entry reads as '', and what tells it from one that is empty costs more than to read it:
// the conditions here do not hold for '', so that they need not ask.
import type { Infix, SqlExpression } from './ast.ts';
import { NULL } from './build.ts';
import { asFunc } from './checks.ts';
import { type KnownNames, type KnownValue, knownValue } from './known-value.ts';

/** Returns a condition for which NULL and FALSE mean the same, without tests for absent entries where these change nothing. */
export function withoutAbsence(condition: SqlExpression, names: KnownNames): SqlExpression {
  if (condition.kind === 'in') {
    const { operand, items, not } = condition;
    const entry = not || 'kind' in items ? undefined : entryOf(operand);
    return entry !== undefined && !('kind' in items) && items.every((item) => isText(knownValue(item, names)))
      ? { ...condition, operand: entry }
      : condition;
  }
  if (condition.kind === 'func') {
    const [value = NULL, pattern = NULL] = condition.args;
    const entry = SEARCHES[condition.name]?.(knownValue(pattern, names)) === true ? entryOf(value) : undefined;
    return entry === undefined ? condition : { ...condition, args: [entry, pattern] };
  }
  if (condition.kind !== 'infix') return condition;
  const { operator, left, right } = condition;
  if (operator === 'AND' || operator === 'OR') return ofTerms(condition, names);
  const entry = COMPARISONS[operator]?.(knownValue(right, names)) === true ? entryOf(left) : undefined;
  return entry === undefined ? condition : { ...condition, left: entry };
}

type Test = (known: KnownValue | undefined) => boolean;

const isText: Test = (known) => typeof known === 'string' && known !== '';

/** A character that must be there: a plain one, `.` or an escaped sign. */
const CHARACTER = String.raw`(?:[^\\|?*+{}()[\]^$]|\\[^A-Za-z0-9])\+?`;
const ALTERNATIVE = String.raw`[\^$]*${CHARACTER}(?:[\^$]|${CHARACTER})*`;
/** Patterns each of whose alternatives has such a character. */
const FINDS_SOMETHING = new RegExp(String.raw`^(?:\(\?-s\))?${ALTERNATIVE}(?:\|${ALTERNATIVE})*$`);

/** The operators and functions with a text or pattern on the right, and whether they are known not to hold for ''. */
const COMPARISONS: Readonly<Record<string, Test>> = {
  '=': isText,
  LIKE: (known) => typeof known === 'string' && /[^%]/.test(known),
};
const SEARCHES: Readonly<Record<string, Test>> = {
  match: (known) => typeof known === 'string' && FINDS_SOMETHING.test(known),
  startsWith: isText,
  endsWith: isText,
};

/** Chains lean left, so they are unwound instead of recursing once per term. */
function ofTerms(chain: Infix, names: KnownNames): SqlExpression {
  const { operator } = chain;
  const terms: SqlExpression[] = [];
  let leftmost: SqlExpression = chain;
  for (; leftmost.kind === 'infix' && leftmost.operator === operator; leftmost = leftmost.left) terms.push(leftmost.right);
  terms.push(leftmost);
  const written = terms.map((term) => withoutAbsence(term, names));
  return written.every((term, i) => term === terms[i])
    ? chain
    : written.reduceRight((before, term) => ({ kind: 'infix', operator, left: before, right: term }));
}

/** Returns the entry of a map that is NULL where the map has no such key. */
function entryOf(value: SqlExpression): SqlExpression | undefined {
  const [absent, none, entry] = asFunc(value)?.name === 'if' ? (asFunc(value)?.args ?? []) : [];
  const isAbsent = absent?.kind === 'infix' && absent.operator === 'AND' ? absent.right : undefined;
  const test = isAbsent?.kind === 'prefix' ? asFunc(isAbsent.operand)?.name : undefined;
  return test === 'mapContains' && none?.kind === 'lit' && none.value === null ? entry : undefined;
}
