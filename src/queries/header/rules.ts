// Reads the rule of an assertion: an expression, or one of the built-in kinds.
import { isMap, isSeq, type Node } from 'yaml';
import { parseDuration } from '../../base/quantity.ts';
import type { Distance, Rule } from '../check-definition.ts';
import type { FieldReader, Invalid } from './fields.ts';

export const KINDS = ['assert', 'not_null', 'unique', 'accepted_values', 'relationships', 'freshness', 'row_count', 'change'] as const;

/** The rule of that kind; undefined when it does not fit, and the reader has noted why. */
export function readRule(kind: (typeof KINDS)[number], fields: FieldReader): Rule | undefined {
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
        return { message: `${JSON.stringify(value)} is not a list of columns`, hint: `write it as ${kind}: [id, timestamp]` };
      });
    case 'accepted_values':
      return fields.field(kind, readAcceptedValues);
    case 'freshness':
      return readFreshness(fields.mapping(kind));
    case 'row_count':
      return readRowCount(fields, fields.mapping(kind));
    case 'relationships':
      return readRelationships(fields.mapping(kind));
    case 'change':
      return readChange(fields.mapping(kind));
  }
}

function readAcceptedValues(value: unknown, node: Node | null): Rule | Invalid {
  const hint = 'write it as accepted_values: { status: [open, closed] }';
  const [pair, second] = isMap(node) ? Object.entries(value as object) : [];
  if (pair === undefined || second !== undefined || !isName(pair[0])) return { message: 'must map one column to a list of values', hint };
  const [column, values] = pair as [string, unknown];
  if (!isMap(node) || !isSeq(node.items[0]?.value) || !Array.isArray(values) || values.length === 0)
    return { message: `needs a list of values for ${column}`, hint };
  const invalid = (values as readonly unknown[]).find((one) => !['string', 'boolean'].includes(typeof one) && !isExact(one));
  if (invalid === undefined) return { kind: 'accepted_values', column, values };
  return {
    message: invalid === null ? 'NULL is always accepted' : `${JSON.stringify(invalid)} cannot be compared exactly`,
    hint: invalid === null ? 'remove it from the list; to refuse NULL, use not_null' : 'write an expression instead, with `assert`',
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
  if (min !== undefined && max !== undefined && min > max) above.problem('row_count', `has a min of ${min} above its max of ${max}`);
  return { kind: 'row_count', min, max };
}

function readRelationships(fields: FieldReader | undefined): Rule | undefined {
  if (fields === undefined) return undefined;
  const usage = 'write it as relationships: { column: customer, to: customers, key: id }';
  fields.refuseOthers(['column', 'to', 'key'], 'relationships');
  const namesIn = (field: string): readonly string[] | undefined =>
    fields.field(field, (value): readonly string[] | Invalid => {
      const names = Array.isArray(value) ? (value as readonly unknown[]) : [value];
      return names.length > 0 && names.every(isName)
        ? names
        : { message: `${JSON.stringify(value)} is not a list of columns`, hint: usage };
    });
  const columns = namesIn('column');
  const keys = fields.has('key') ? namesIn('key') : columns;
  const to = fields.field('to', (value): string | Invalid =>
    isName(value) ? value : { message: `${JSON.stringify(value)} is neither a saved query nor a source`, hint: usage },
  );
  for (const name of ['column', 'to']) if (!fields.has(name)) fields.problem('', `has no ${name}`, usage);
  if (columns === undefined || keys === undefined || to === undefined) return undefined;
  if (columns.length === keys.length) return { kind: 'relationships', columns, to, keys };
  fields.problem('key', `has ${keys.length} columns, but column has ${columns.length}`, usage);
  return undefined;
}

function readChange(fields: FieldReader | undefined): Rule | undefined {
  if (fields === undefined) return undefined;
  const usage = 'write it as change: { of: count(*), within: 20% }';
  fields.refuseOthers(['of', 'within'], 'change');
  const of = fields.field('of', (value): string | Invalid =>
    typeof value === 'string' && value.trim() !== ''
      ? value.trim()
      : { message: `${JSON.stringify(value)} is not an expression`, hint: usage },
  );
  const within = fields.field('within', (value): Distance | Invalid => {
    const written = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
    const [, amount, percent] = /^(\d+(?:\.\d+)?)\s*(%)?$/.exec(written) ?? [];
    if (amount !== undefined) return { text: `${amount}${percent ?? ''}`, amount: Number(amount), percent: percent !== undefined };
    return { message: `${JSON.stringify(value)} is neither a number nor a share such as 20%`, hint: usage };
  });
  for (const name of ['of', 'within']) if (!fields.has(name)) fields.problem('', `has no ${name}`, usage);
  return of === undefined || within === undefined ? undefined : { kind: 'change', of, within };
}

/** What reports call an assertion that has no name. */
export function nameOfRule(rule: Rule): string {
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
    case 'relationships':
      return `relationships: ${rule.columns.join(', ')} in ${rule.to}${rule.keys.join() === rule.columns.join() ? '' : ` (${rule.keys.join(', ')})`}`;
    case 'change':
      return `change: ${oneLine(rule.of)} within ${rule.within.text}`;
    case 'row_count':
      return `row_count: ${[rule.min === undefined ? [] : `at least ${rule.min}`, rule.max === undefined ? [] : `at most ${rule.max}`].flat().join(', ')}`;
  }
}

export const oneLine = (text: string): string => text.trim().replace(/\s+/g, ' ');
const isName = (value: unknown): value is string => typeof value === 'string' && /^[^`\\\s]+$/.test(value);
const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
const isExact = (value: unknown): boolean => typeof value === 'number' && Number.isSafeInteger(value);
