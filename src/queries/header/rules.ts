// The table of the kinds of checks: how a kind is written, what reports call it, and what it means as a BigQuery expression.

import { DURATION_SCHEMA } from '../../base/json-schema.ts';
import { parseDuration } from '../../base/quantity.ts';
import { type Field, field, made, mapping } from '../../fields/field.ts';
import { trimmedText, type ValueKind, wholeNumber } from '../../fields/kinds.ts';
import { isMapping } from '../../fields/value-at.ts';

/** The distance that a number may have from another: `20%` of that, or so much. */
export interface Distance {
  readonly text: string;
  readonly amount: number;
  readonly percent: boolean;
}

interface RuleKind<R extends object> {
  readonly field: Field<R>;
  /** Returns what reports call an assertion that has no name. */
  name(rule: R): string;
  /** Returns the condition, on every row or on all rows together. */
  sql(rule: R): string;
}
const rule = <R extends object>(kind: RuleKind<R>): RuleKind<R> => kind;

const isName = (value: unknown): value is string => typeof value === 'string' && /^[^`\\\s]+$/.test(value);
export const oneLine = (text: string): string => text.trim().replace(/\s+/g, ' ');

const EXPRESSION = trimmedText('an expression');
const NAME: ValueKind<string> = {
  expected: 'a column',
  schema: { type: 'string' },
  read: (raw) => (isName(raw) ? raw : undefined),
};
const NAMES: ValueKind<readonly string[]> = {
  expected: 'a list of columns',
  schema: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' }, minItems: 1 }] },
  read(raw) {
    const names: readonly unknown[] = Array.isArray(raw) ? raw : [raw];
    return names.length > 0 && names.every(isName) ? names : undefined;
  },
};
const ROWS = wholeNumber('a number of rows', 0);
const WITHIN: ValueKind<{ readonly within: string; readonly withinSeconds: number }> = {
  expected: 'a duration',
  schema: DURATION_SCHEMA,
  read(raw) {
    const withinSeconds = typeof raw === 'string' ? parseDuration(raw) : undefined;
    return typeof raw === 'string' && withinSeconds !== undefined && withinSeconds > 0 ? { within: raw.trim(), withinSeconds } : undefined;
  },
};
const DISTANCE: ValueKind<Distance> = {
  expected: 'a distance',
  schema: {
    anyOf: [
      { type: 'number', minimum: 0 },
      { type: 'string', pattern: '^\\s*\\d+(\\.\\d+)?\\s*%?\\s*$' },
    ],
  },
  read(raw) {
    const written = typeof raw === 'number' || typeof raw === 'string' ? String(raw).trim() : '';
    const [, amount, percent] = /^(\d+(?:\.\d+)?)\s*(%)?$/.exec(written) ?? [];
    return amount === undefined ? undefined : { text: `${amount}${percent ?? ''}`, amount: Number(amount), percent: percent !== undefined };
  },
};

const columnsOf = (kind: string) =>
  made(field(NAMES, { hint: `write it as ${kind}: [id, timestamp]` }), (columns): { readonly columns: readonly string[] } => ({ columns }));

const ACCEPTED_HINT = 'write it as accepted_values: { status: [open, closed] }';
interface Accepted {
  readonly column: string;
  readonly values: readonly (string | number | boolean)[];
}
const isExact = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value);
const accepted: Field<Accepted> = {
  schema: { type: 'object', minProperties: 1, maxProperties: 1, additionalProperties: { type: 'array', minItems: 1 } },
  read(value) {
    const [pair, second] = isMapping(value.value) ? Object.entries(value.value) : [];
    if (pair === undefined || second !== undefined || !isName(pair[0]))
      return value.problem('must map one column to a list of values', ACCEPTED_HINT);
    const [column, values] = pair;
    if (!Array.isArray(values) || values.length === 0) return value.problem(`needs a list of values for ${column}`, ACCEPTED_HINT);
    const invalid: unknown = values.find((one) => !isExact(one));
    if (invalid === undefined) return { column, values };
    if (invalid === null) return value.problem('NULL is always accepted', 'remove it from the list; to refuse NULL, use not_null');
    return value.problem(`${JSON.stringify(invalid)} cannot be compared exactly`, 'write an expression instead, with `assert`');
  },
};

const freshness = mapping(
  'freshness',
  { column: field(NAME), within: field(WITHIN, { hint: 'for example 30m, 1h or 2d' }) },
  { required: ['column', 'within'], usage: 'write it as freshness: { column: timestamp, within: 1h }' },
);

const bounds = mapping('row_count', { min: field(ROWS), max: field(ROWS) });

const RELATIONSHIPS_HINT = 'write it as relationships: { column: customer, to: customers, key: id }';
const relationships = mapping(
  'relationships',
  {
    column: field(NAMES, { hint: RELATIONSHIPS_HINT }),
    to: field(
      { ...NAME, schema: { type: 'string', minLength: 1 } },
      { says: 'is neither a saved query nor a source', hint: RELATIONSHIPS_HINT },
    ),
    key: field(NAMES, { hint: RELATIONSHIPS_HINT }),
  },
  { required: ['column', 'to'], usage: RELATIONSHIPS_HINT },
);

const CHANGE_HINT = 'write it as change: { of: count(*), within: 20% }';
const change = mapping(
  'change',
  {
    of: field(EXPRESSION, { hint: CHANGE_HINT }),
    within: field(DISTANCE, { says: 'is neither a number nor a share such as 20%', hint: CHANGE_HINT }),
  },
  { required: ['of', 'within'], usage: CHANGE_HINT },
);

export const RULES = {
  assert: rule({
    field: made(
      field(
        { ...EXPRESSION, schema: { type: 'string' } },
        { description: 'a boolean BigQuery expression over the rows', examples: ['count(*) > 0'], hint: 'for example count(*) > 0' },
      ),
      (text) => ({ text }),
    ),
    name: ({ text }) => oneLine(text),
    sql: ({ text }) => text,
  }),
  not_null: rule({
    field: columnsOf('not_null'),
    name: ({ columns }) => `not_null: ${columns.join(', ')}`,
    sql: ({ columns }) => columns.map((name) => `${quoted(name)} is not null`).join(' and '),
  }),
  unique: rule({
    field: columnsOf('unique'),
    name: ({ columns }) => `unique: ${columns.join(', ')}`,
    // NULL equals nothing, so it repeats nothing.
    sql: ({ columns }) => `${anyNull(columns)} or count(*) over (partition by ${columns.map(quoted).join(', ')}) = 1`,
  }),
  accepted_values: rule({
    field: accepted,
    name: ({ column, values }) => `accepted_values: ${column} in ${values.join(', ')}`,
    sql: ({ column, values }) => `${quoted(column)} is null or ${quoted(column)} in (${values.map(literal).join(', ')})`,
  }),
  /** The columns have values that the keys of the rows of `to` have, a saved query or a source. */
  relationships: rule({
    field: made(
      { ...relationships, schema: { ...relationships.schema, description: 'every value must be a key of a saved query or a source' } },
      ({ column: columns, to, key: keys = columns }, value) =>
        columns.length === keys.length
          ? { columns, to, keys }
          : value.at('key').problem(`has ${keys.length} columns, but column has ${columns.length}`, RELATIONSHIPS_HINT),
    ),
    name: ({ columns, to, keys }) =>
      `relationships: ${columns.join(', ')} in ${to}${keys.join() === columns.join() ? '' : ` (${keys.join(', ')})`}`,
    sql({ columns, to, keys }) {
      // Without its table a key that the other has not would be one of the rows around.
      const others = keys.map((name) => `other.${quoted(name)}`);
      const known = others.map((name) => `${name} is not null`).join(' and ');
      const tuple = (names: readonly string[]): string => (names.length === 1 ? names.join() : `struct(${names.join(', ')})`);
      return `${anyNull(columns)} or ${tuple(columns.map(quoted))} in (select ${tuple(others)} from ${quoted(to)} as other where ${known})`;
    },
  }),
  freshness: rule({
    field: made(freshness, ({ column, within }) => ({ column, ...within })),
    name: ({ column, within }) => `freshness: ${column} within ${within}`,
    sql: ({ column, withinSeconds }) =>
      `cast(max(${quoted(column)}) as timestamp) >= timestamp_sub(current_timestamp(), interval ${Math.round(withinSeconds * 1e6)} microsecond)`,
  }),
  row_count: rule({
    field: made({ ...bounds, schema: { ...bounds.schema, minProperties: 1 } }, ({ min, max }, value) => {
      if (!value.has('min') && !value.has('max')) value.problem('has neither min nor max', 'write it as row_count: { min: 1, max: 500 }');
      if (min !== undefined && max !== undefined && min > max) value.problem(`has a min of ${min} above its max of ${max}`);
      return { min, max };
    }),
    name: ({ min, max }) => `row_count: ${withBounds(min, max, 'at least', 'at most').join(', ')}`,
    sql: ({ min, max }) => withBounds(min, max, 'count(*) >=', 'count(*) <=').join(' and '),
  }),
  /** The value of `of` is near that of the last run. */
  change: rule({
    field: made(
      { ...change, schema: { ...change.schema, description: 'how far a number may be from its value in the last run' } },
      (rule) => rule,
    ),
    name: ({ of, within }) => `change: ${oneLine(of)} within ${within.text}`,
    sql: ({ of }) => `(${of}) is not null`,
  }),
};

type Rules = typeof RULES;
export type RuleName = keyof Rules;
/** The expression that must be true: of every row, or of all rows together. */
export type Rule = { readonly [K in RuleName]: { readonly kind: K } & (Rules[K] extends RuleKind<infer R> ? R : never) }[RuleName];

// A rule was read by its own kind.
const kindOf = ({ kind }: Rule): RuleKind<Rule> => RULES[kind] as unknown as RuleKind<Rule>;
export const nameOfRule = (rule: Rule): string => kindOf(rule).name(rule);
export const sqlOfRule = (rule: Rule): string => kindOf(rule).sql(rule);

/** Names of columns hold no back quotes: whoever read the rule has seen to it. */
export const quoted = (name: string): string =>
  name
    .split('.')
    .map((part) => `\`${part}\``)
    .join('.');

const anyNull = (columns: readonly string[]): string => columns.map((name) => `${quoted(name)} is null`).join(' or ');

/** JSON's escapes of text are among BigQuery's. */
const literal = (value: string | number | boolean): string => (typeof value === 'string' ? JSON.stringify(value) : String(value));

const withBounds = (min: number | undefined, max: number | undefined, least: string, most: string): readonly string[] =>
  [min === undefined ? [] : `${least} ${min}`, max === undefined ? [] : `${most} ${max}`].flat();
