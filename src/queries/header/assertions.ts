// One assertion of a list of checks: an expression, or a mapping with one of the built-in kinds.

import type { JsonSchema } from '../../base/json-schema.ts';
import { type Field, field, made, mapping, readLater } from '../../fields/field.ts';
import { oneOf, trimmedText, type ValueKind } from '../../fields/kinds.ts';
import { isMapping, type ValueAt } from '../../fields/value-at.ts';
import type { AssertionDefinition, Inherited, RowFilter, Severity, Threshold } from '../check-definition.ts';
import { LINES } from './parameters.ts';
import { nameOfRule, oneLine, RULES, type Rule, type RuleName } from './rules.ts';

const KINDS = Object.keys(RULES) as readonly RuleName[]; // Object.keys only knows strings
const USAGE = `write an expression such as count(*) > 0, or one of: ${KINDS.join(', ')}`;

const TAGS: ValueKind<readonly string[]> = {
  expected: 'a list of tags',
  schema: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
  read(raw) {
    const tags: readonly unknown[] = Array.isArray(raw) ? raw : [raw];
    return tags.every((tag): tag is string => typeof tag === 'string' && /^\S+$/.test(tag)) ? tags : undefined;
  },
};

const THRESHOLD: ValueKind<Threshold> = {
  expected: 'a condition on the number of rows',
  schema: {
    type: 'string',
    pattern: '^\\s*(>=?|!?=)\\s*(\\d{1,15}|\\d{1,3}(\\.\\d{1,6})?\\s*%)\\s*$',
    examples: ['> 10', '> 1%'],
  },
  read(raw) {
    const written = typeof raw === 'string' ? raw.trim() : '';
    const [, sign, number = '', percent] = /^(>=?|!?=)\s*(\d{1,15}|\d{1,3}(?:\.\d{1,6})?(?=\s*%))\s*(%)?$/.exec(written) ?? [];
    const operator = (['>', '>=', '=', '!='] as const).find((one) => one === sign);
    const rows = Number(number);
    if (operator === undefined || (percent !== undefined && rows > 100)) return undefined;
    return percent === undefined ? { operator, rows } : { operator, rows, percent: true };
  },
};
const threshold = (outcome: string): Field<Threshold> =>
  field(THRESHOLD, { description: `how many failing rows make ${outcome}`, hint: "write it like '> 10', or '> 1%'" });

/** The fields of assertions and of groups of them. */
export const INHERITED = {
  severity: field(oneOf(['error', 'warn']), { description: 'the severity of a failed assertion; by default error' }),
  tags: field(TAGS, { description: 'tags, for --select tag:NAME', hint: 'write it as [nightly, slow]' }),
  where: made(
    field(trimmedText('a condition on rows'), {
      description: 'check only the rows for which this is true',
      examples: ["status = 'open'"],
      hint: "write it like status = 'open'",
    }),
    (text, { place }): RowFilter => ({ text, place }),
  ),
};

const NAME: ValueKind<string> = {
  expected: 'text',
  schema: { type: 'string' },
  read: (raw) => (typeof raw === 'string' && raw.trim() !== '' ? oneLine(raw) : undefined),
};

const RULE_FIELDS = Object.fromEntries(KINDS.map((kind) => [kind, readLater(RULES[kind].field.schema)]));
const ASSERTION = mapping('an assertion', {
  ...RULE_FIELDS,
  name: field(NAME, { must: true, hint: 'put it in quotes' }),
  description: field(LINES, { must: true, hint: 'put it in quotes' }),
  ...INHERITED,
  warn_if: threshold('a warning'),
  error_if: threshold('an error'),
});
export const ASSERTION_SCHEMAS: readonly JsonSchema[] = [{ type: 'string', minLength: 1 }, ASSERTION.schema];

/** Undefined, and reported, when it does not fit. */
export function readAssertion(assertion: ValueAt, inherited: Inherited): AssertionDefinition | undefined {
  const { value, place } = assertion;
  if (typeof value === 'string' && value.trim() !== '')
    return { name: oneLine(value), ...inherited, rule: { kind: 'assert', text: value.trim() }, place };
  if (!isMapping(value)) return assertion.problem(`${JSON.stringify(value)} is not an assertion`, USAGE);
  const [kind, second] = KINDS.filter((name) => assertion.has(name));
  if (kind === undefined) assertion.problem('has no condition', USAGE);
  if (second !== undefined) assertion.at(second).problem(`is a second rule in addition to ${kind}`, 'make it a separate assertion');
  const { name, description, severity = inherited.severity, tags = [], where, warn_if, error_if } = ASSERTION.read(assertion) ?? {};
  checkThresholds(assertion, severity);
  const rule = kind === undefined ? undefined : readRule(kind, assertion.at(kind));
  if (kind === undefined || rule === undefined) return undefined;
  const counted = ['error_if', 'warn_if'].find((field) => assertion.has(field));
  return {
    name: name ?? nameOfRule(rule),
    description,
    severity,
    tags: [...new Set([...inherited.tags, ...tags])],
    rule,
    where: [...inherited.where, ...(where === undefined ? [] : [where])],
    warnIf: warn_if,
    errorIf: error_if,
    place: assertion.at(kind).place,
    thresholdPlace: counted === undefined ? undefined : assertion.at(counted).place,
  };
}

function readRule(kind: RuleName, value: ValueAt): Rule | undefined {
  const known = RULES[kind].field.read(value);
  return known === undefined ? undefined : ({ kind, ...known } as Rule); // its own field read it
}

/** Reports a threshold that changes nothing: for the severity, one row is too many already. */
function checkThresholds(assertion: ValueAt, severity: Severity): void {
  if (severity === 'warn' && assertion.has('error_if'))
    assertion.at('error_if').problem('has no effect: the severity is warn', 'remove one of the two');
  if (severity === 'error' && assertion.has('warn_if') && !assertion.has('error_if'))
    assertion.at('warn_if').problem('has no effect: any row is already an error', "add error_if: '> 100', or severity: warn");
}
