// The parameters that a key sets: nobody who holds the key can choose others.
import { type Problem, QuernError } from '../../base/errors.ts';
import { credentialOf, type Key } from './key.ts';

/** The part of a saved query that pins depend on; a PreparedQuery has it. */
interface PinnedQuery {
  readonly name: string;
  readonly parameters: readonly { readonly name: string }[];
}

/**
 * The caller's arguments with those that the key sets. A caller may repeat the key's value, or give none.
 * Throws QuernError `parameter` when the caller gives another value: an answer about something else than was asked would mislead;
 * and when the query does not have such a parameter: without it the key's bound would not hold.
 */
export function pinnedArguments(
  key: Pick<Key, 'pins' | 'credential'>,
  query: PinnedQuery,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const pins = Object.entries(key.pins);
  if (pins.length === 0) return given;
  const credential = credentialOf(key);
  const problems: Problem[] = [];
  const values = new Map(Object.entries(given));
  for (const [pin, value] of pins) {
    const parameter = query.parameters.find(({ name }) => spelling(name) === spelling(pin));
    if (parameter === undefined) {
      problems.push({ kind: 'pinned', name: pin, message: `is set by the ${credential}, but ${query.name} has no such parameter` });
      continue;
    }
    for (const [name, other] of Object.entries(given)) {
      if (spelling(name) !== spelling(pin)) continue;
      if (!isAbsent(other) && textOf(other) !== value)
        problems.push({ kind: 'pinned', name, message: `is set by the ${credential} to another value` });
      values.delete(name);
    }
    values.set(parameter.name, value);
  }
  if (problems.length > 0) {
    throw new QuernError('parameter', `the ${credential} does not allow these arguments of ${query.name}`, {
      problems,
      hint: credential === 'token' ? 'leave out what the token sets' : 'leave out what the key sets, or use another key',
    });
  }
  return Object.fromEntries(values);
}

/** The parameters that the key sets and the query does not have: such a key may not run it. */
export function unknownPins(key: Pick<Key, 'pins'>, query: PinnedQuery): readonly string[] {
  return Object.keys(key.pins).filter((pin) => !query.parameters.some(({ name }) => spelling(name) === spelling(pin)));
}

/** Returns the error of a key that may not send SQL of its caller's own for a query. */
type SandboxBar = { readonly kind: 'rows' } | { readonly kind: 'pins'; readonly parameters: readonly string[] };

/**
 * SQL of a caller's own sees all that the query's WITH tables show: what the key sets must be a filter of each of them. A bound on rows would
 * not hold there, since one row can hold an array of all.
 */
export function sandboxBar(
  { pins, maxRows }: Pick<Key, 'pins' | 'maxRows'>,
  { parameters, filteredBy = [] }: PinnedQuery & { readonly filteredBy?: readonly string[] | undefined },
): SandboxBar | undefined {
  const pinned = Object.keys(pins);
  if (pinned.length === 0) return maxRows === undefined ? undefined : { kind: 'rows' };
  const spelled = new Set(pinned.map(spelling));
  const open = parameters.map(({ name }) => name).filter((name) => spelled.has(spelling(name)) && !filteredBy.includes(name));
  return open.length === 0 ? undefined : { kind: 'pins', parameters: open };
}

/** The QuernError `parameter` for a caller who may not send SQL of their own for the query with this key. */
export function barredFromSql(
  key: Pick<Key, 'pins' | 'maxRows' | 'credential'>,
  query: Parameters<typeof sandboxBar>[1],
): QuernError | undefined {
  const bar = sandboxBar(key, query);
  if (bar === undefined) return undefined;
  if (bar.kind === 'rows') {
    return new QuernError(
      'parameter',
      `the API key limits the rows of a response, and your own SQL for ${query.name} could get around that`,
      { hint: 'leave out sql, or use a key without --max-rows' },
    );
  }
  const { parameters } = bar;
  const them = parameters.length === 1 ? 'it' : 'them';
  return new QuernError(
    'parameter',
    `the ${credentialOf(key)} sets ${parameters.join(' and ')}, and your own SQL for ${query.name} could read past ${them}`,
    {
      hint: `leave out sql, or let every WITH table of ${query.name} filter by ${parameters.map((name) => `@${name}`).join(' and ')}; \`quern lint\` shows which do not`,
    },
  );
}

/** A parameter has the same name in any case, and with `-` for `_`. */
const spelling = (name: string): string => name.toLowerCase().replaceAll('-', '_');

const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === '';

/** The text of a scalar, or of a list of one: a name given once or in an array. */
function textOf(value: unknown): string | undefined {
  const single: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return typeof single === 'string' || typeof single === 'number' || typeof single === 'bigint' || typeof single === 'boolean'
    ? String(single)
    : undefined;
}
