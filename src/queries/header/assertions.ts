// Reads one assertion of a list of checks: an expression, or a mapping with one of the built-in kinds.
import { isMap, isSeq, type Node } from 'yaml';
import { parseDuration } from '../../quantity.ts';
import type { SourceText } from '../../source-text.ts';
import type { AssertionDefinition, Rule, Severity, Threshold } from '../check-definition.ts';
import type { FieldReader, Invalid, ListElement } from './fields.ts';
import { readText } from './parameters.ts';

/** What an assertion takes from the group it is in. */
export interface Inherited {
  readonly severity: Severity;
  readonly tags: readonly string[];
}

const KINDS = ['assert', 'not_null', 'unique', 'accepted_values', 'freshness', 'row_count'] as const;
export const ASSERTION_FIELDS = [...KINDS, 'name', 'description', 'severity', 'tags', 'warn_if', 'error_if'] as const;
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
  if (kind === undefined) fields.problem('', 'does not say what must hold', USAGE);
  if (second !== undefined) fields.problem(second, `is a second rule beside ${kind}`, 'make it an assertion of its own');
  const rule = kind === undefined ? undefined : readRule(kind, fields);
  const name = fields.field('name', readName);
  const description = fields.field('description', readText);
  const tags = fields.field('tags', readTags) ?? [];
  const severity = fields.field('severity', readSeverity) ?? inherited.severity;
  const thresholds = readThresholds(fields, severity);
  if (kind === undefined || rule === undefined) return undefined;
  const thresholdField = ['error_if', 'warn_if'].find((field) => fields.has(field));
  return {
    name: name ?? nameOf(rule),
    description,
    severity,
    tags: [...new Set([...inherited.tags, ...tags])],
    rule,
    ...thresholds,
    place: { source, span: fields.spanOf(kind) },
    ...(thresholdField === undefined ? {} : { thresholdPlace: { source, span: fields.spanOf(thresholdField) } }),
  };
}

function readRule(kind: (typeof KINDS)[number], fields: FieldReader): Rule | undefined {
  switch (kind) {
    case 'assert':
      return fields.field(kind, (value): Rule | Invalid =>
        typeof value === 'string' && value.trim() !== ''
          ? { kind: 'expression', text: value.trim() }
          : { message: `${JSON.stringify(value)} is not an expression`, hint: 'for example count(*) > 0' },
      );
    case 'not_null':
    case 'unique':
      return fields.field(kind, (value): Rule | Invalid => {
        const columns = Array.isArray(value) ? (value as readonly unknown[]) : [value];
        if (columns.length > 0 && columns.every(isName)) return { kind, columns };
        return { message: `${JSON.stringify(value)} does not name columns`, hint: `write it as ${kind}: [id, timestamp]` };
      });
    case 'accepted_values':
      return fields.field(kind, readAcceptedValues);
    case 'freshness':
      return readFreshness(fields.mapping(kind));
    case 'row_count':
      return readRowCount(fields, fields.mapping(kind));
  }
}

function readAcceptedValues(value: unknown, node: Node | null): Rule | Invalid {
  const hint = 'write it as accepted_values: { status: [open, closed] }';
  const [pair, second] = isMap(node) ? Object.entries(value as object) : [];
  if (pair === undefined || second !== undefined || !isName(pair[0]))
    return { message: 'must name one column with a list of values', hint };
  const [column, values] = pair as [string, unknown];
  if (!isMap(node) || !isSeq(node.items[0]?.value) || !Array.isArray(values) || values.length === 0)
    return { message: `must give ${column} a list of values`, hint };
  const invalid = (values as readonly unknown[]).find((one) => !['string', 'boolean'].includes(typeof one) && !isExact(one));
  if (invalid === undefined) return { kind: 'accepted_values', column, values };
  return {
    message: invalid === null ? 'NULL is always accepted' : `${JSON.stringify(invalid)} cannot be compared with exactly`,
    hint: invalid === null ? 'take it out of the list; not_null refuses NULL' : 'write an expression instead, with `assert`',
  };
}

function readFreshness(fields: FieldReader | undefined): Rule | undefined {
  if (fields === undefined) return undefined;
  fields.refuseOthers(['column', 'within'], 'freshness');
  const column = fields.field('column', (value): string | Invalid =>
    isName(value) ? value : { message: `${JSON.stringify(value)} is not a column` },
  );
  const within = fields.field('within', (value): { text: string; seconds: number } | Invalid => {
    const seconds = typeof value === 'string' ? parseDuration(value) : undefined;
    if (typeof value === 'string' && seconds !== undefined && seconds > 0) return { text: value.trim(), seconds };
    return { message: `${JSON.stringify(value)} is not a duration`, hint: 'for example 30m, 1h or 2d' };
  });
  for (const name of ['column', 'within'])
    if (!fields.has(name)) fields.problem('', `has no ${name}`, 'write it as freshness: { column: timestamp, within: 1h }');
  return column === undefined || within === undefined
    ? undefined
    : { kind: 'freshness', column, within: within.text, withinSeconds: within.seconds };
}

function readRowCount(above: FieldReader, fields: FieldReader | undefined): Rule | undefined {
  if (fields === undefined) return undefined;
  fields.refuseOthers(['min', 'max'], 'row_count');
  const [min, max] = ['min', 'max'].map((name) =>
    fields.field(name, (value): number | Invalid =>
      isCount(value) ? value : { message: `${JSON.stringify(value)} is not a number of rows` },
    ),
  );
  if (!fields.has('min') && !fields.has('max'))
    above.problem('row_count', 'has neither min nor max', 'write it as row_count: { min: 1, max: 500 }');
  if (min !== undefined && max !== undefined && min > max) above.problem('row_count', `nothing is at least ${min} and at most ${max}`);
  return { kind: 'row_count', min, max };
}

/** What is not said is made of the severity: one row too many for it is too many. */
function readThresholds(fields: FieldReader, severity: Severity): Pick<AssertionDefinition, 'warnIf' | 'errorIf'> {
  const errorIf = fields.field('error_if', readThreshold);
  const warnIf = fields.field('warn_if', readThreshold);
  if (severity === 'warn' && fields.has('error_if'))
    fields.problem('error_if', 'is never looked at: the severity is warn', 'remove one of the two');
  if (severity === 'error' && fields.has('warn_if') && !fields.has('error_if'))
    fields.problem('warn_if', 'is never looked at: any row is an error already', "add error_if: '> 100', or severity: warn");
  return { warnIf, errorIf };
}

function readThreshold(value: unknown): Threshold | Invalid {
  const match = /^(>=?|!?=)\s*(\d{1,15})$/.exec(typeof value === 'string' ? value.trim() : '');
  const operator = (['>', '>=', '=', '!='] as const).find((one) => one === match?.[1]);
  if (operator !== undefined) return { operator, rows: Number(match?.[2]) };
  return { message: `${JSON.stringify(value)} is not a condition on the number of rows`, hint: "write it like '> 10'" };
}

function nameOf(rule: Rule): string {
  switch (rule.kind) {
    case 'expression':
      return oneLine(rule.text);
    case 'not_null':
    case 'unique':
      return `${rule.kind}: ${rule.columns.join(', ')}`;
    case 'accepted_values':
      return `accepted_values: ${rule.column} in ${rule.values.join(', ')}`;
    case 'freshness':
      return `freshness: ${rule.column} within ${rule.within}`;
    case 'row_count':
      return `row_count: ${[rule.min === undefined ? [] : `at least ${rule.min}`, rule.max === undefined ? [] : `at most ${rule.max}`].flat().join(', ')}`;
  }
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

const oneLine = (text: string): string => text.trim().replace(/\s+/g, ' ');
const isName = (value: unknown): value is string => typeof value === 'string' && /^[^`\\\s]+$/.test(value);
const isTag = (value: unknown): value is string => typeof value === 'string' && /^\S+$/.test(value);
const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
const isExact = (value: unknown): boolean => typeof value === 'number' && Number.isSafeInteger(value);
