// Reads one assertion of a list of checks: an expression, or a mapping with one of the built-in kinds.
import type { SourceText } from '../../base/source-text.ts';
import type { AssertionDefinition, RowFilter, Severity, Threshold } from '../check-definition.ts';
import type { FieldReader, Invalid, ListElement } from './fields.ts';
import { readText } from './parameters.ts';
import { KINDS, nameOfRule, oneLine, readRule } from './rules.ts';

/** What an assertion takes from the group it is in. */
export interface Inherited {
  readonly severity: Severity;
  readonly tags: readonly string[];
  readonly where: readonly RowFilter[];
}

export const ASSERTION_FIELDS = [...KINDS, 'name', 'description', 'severity', 'tags', 'where', 'warn_if', 'error_if'] as const;
const USAGE = `write an expression such as count(*) > 0, or one of: ${KINDS.join(', ')}`;

/** Undefined when it does not fit; the reader has noted why. */
export function readAssertion(element: ListElement, source: SourceText, inherited: Inherited): AssertionDefinition | undefined {
  const { value, span, fields } = element;
  if (typeof value === 'string' && value.trim() !== '') {
    return { name: oneLine(value), ...inherited, rule: { kind: 'expression', text: value.trim() }, place: { source, span } };
  }
  if (fields === undefined) {
    element.problem(`${JSON.stringify(value)} is not an assertion`, USAGE);
    return undefined;
  }
  fields.refuseOthers(ASSERTION_FIELDS, 'an assertion');
  const [kind, second] = KINDS.filter((name) => fields.has(name));
  if (kind === undefined) fields.problem('', 'has no condition', USAGE);
  if (second !== undefined) fields.problem(second, `is a second rule in addition to ${kind}`, 'make it a separate assertion');
  const rule = kind === undefined ? undefined : readRule(kind, fields);
  const name = fields.field('name', readName);
  const description = fields.field('description', readText);
  const tags = fields.field('tags', readTags) ?? [];
  const severity = fields.field('severity', readSeverity) ?? inherited.severity;
  const thresholds = readThresholds(fields, severity);
  if (kind === undefined || rule === undefined) return undefined;
  const thresholdField = ['error_if', 'warn_if'].find((field) => fields.has(field));
  return {
    name: name ?? nameOfRule(rule),
    description,
    severity,
    tags: [...new Set([...inherited.tags, ...tags])],
    rule,
    where: [...inherited.where, ...readWhere(fields, source)],
    ...thresholds,
    place: { source, span: fields.spanOf(kind) },
    ...(thresholdField === undefined ? {} : { thresholdPlace: { source, span: fields.spanOf(thresholdField) } }),
  };
}

/** What is not said is made of the severity: one row too many for it is too many. */
function readThresholds(fields: FieldReader, severity: Severity): Pick<AssertionDefinition, 'warnIf' | 'errorIf'> {
  const errorIf = fields.field('error_if', readThreshold);
  const warnIf = fields.field('warn_if', readThreshold);
  if (severity === 'warn' && fields.has('error_if'))
    fields.problem('error_if', 'has no effect: the severity is warn', 'remove one of the two');
  if (severity === 'error' && fields.has('warn_if') && !fields.has('error_if'))
    fields.problem('warn_if', 'has no effect: any row is already an error', "add error_if: '> 100', or severity: warn");
  return { warnIf, errorIf };
}

function readThreshold(value: unknown): Threshold | Invalid {
  const [, sign, number = '', percent] = /^(>=?|!?=)\s*(\d{1,15}|\d{1,3}(?:\.\d{1,6})?(?=\s*%))\s*(%)?$/.exec(textOf(value)) ?? [];
  const operator = (['>', '>=', '=', '!='] as const).find((one) => one === sign);
  const rows = Number(number);
  if (operator !== undefined && percent === undefined) return { operator, rows };
  if (operator !== undefined && rows <= 100) return { operator, rows, percent: true };
  return { message: `${JSON.stringify(value)} is not a condition on the number of rows`, hint: "write it like '> 10', or '> 1%'" };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/** Of an assertion, or of a group of them. */
export function readWhere(fields: FieldReader, source: SourceText): readonly RowFilter[] {
  const text = fields.field('where', (value): string | Invalid =>
    textOf(value) === ''
      ? { message: `${JSON.stringify(value)} is not a condition on rows`, hint: "write it like status = 'open'" }
      : textOf(value),
  );
  return text === undefined ? [] : [{ text, place: { source, span: fields.spanOf('where') } }];
}

function readName(value: unknown): string | Invalid {
  return typeof value === 'string' && value.trim() !== '' ? oneLine(value) : { message: 'must be text', hint: 'put it in quotes' };
}

export function readSeverity(value: unknown): Severity | Invalid {
  return value === 'error' || value === 'warn' ? value : { message: `${JSON.stringify(value)} is not one of: error, warn` };
}

export function readTags(value: unknown): readonly string[] | Invalid {
  const tags = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  return tags.every(isTag) ? tags : { message: `${JSON.stringify(value)} is not a list of tags`, hint: 'write it as [nightly, slow]' };
}

const isTag = (value: unknown): value is string => typeof value === 'string' && /^\S+$/.test(value);
