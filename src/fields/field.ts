// A field of a file: how its value is read, with what is said of one that does not fit, and what editors know of it.
import { nearest } from '../base/errors.ts';
import { closed, type JsonSchema } from '../base/json-schema.ts';
import type { ValueKind } from './kinds.ts';
import { isMapping, refuseOthers, type ValueAt } from './value-at.ts';

export interface Field<T> {
  readonly schema: JsonSchema;
  /** Returns undefined, and reports why, for a value that the field cannot have. */
  read(value: ValueAt): T | undefined;
}

type Fields = Readonly<Record<string, Field<unknown>>>;
type ReadBy<F extends Fields> = { readonly [N in keyof F]?: (F[N] extends Field<infer T> ? T : never) | undefined };

interface Words {
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly string[];
  readonly hint?: string | ((value: unknown) => string | undefined);
  /** Stands behind the value that does not fit, where "is not" and what is expected would not do. */
  readonly says?: string;
  /** The message is "must be …". */
  readonly must?: true;
}

/** A field of one value. */
export const field = <T>(
  { expected, schema, read }: ValueKind<T>,
  { hint, must, says = `is not ${expected}`, ...described }: Words = {},
): Field<T> => ({
  schema: { ...schema, ...described },
  read(value) {
    const known = read(value.value);
    if (known !== undefined) return known;
    const message = must === true ? `must be ${expected}` : `${JSON.stringify(value.value)} ${says}`;
    return value.problem(message, typeof hint === 'function' ? hint(value.value) : hint);
  },
});

/** The field, with what is made of its value: undefined, and reported, where that cannot be. */
export const made = <T, R>({ schema, read }: Field<T>, make: (known: T, value: ValueAt) => R | undefined): Field<R> => ({
  schema,
  read(value) {
    const known = read(value);
    return known === undefined ? undefined : make(known, value);
  },
});

/** A field that can only be read once others are known. */
export const readLater = (schema: JsonSchema): Field<ValueAt> => ({ schema, read: (value) => value });

/** The field, whose value may also be left empty. */
export const orEmpty = <T>({ schema, read }: Field<T>): Field<T> => ({
  schema,
  read: (value) => (value.value === null ? undefined : read(value)),
});

/** A mapping of any names, each with a value that `each` reads; it may be left empty. `usage` is the hint where it is something else. */
export const mappingOf = <T>(what: string, each: Field<T>, schema: JsonSchema, usage?: string): Field<Readonly<Record<string, T>>> =>
  orEmpty({
    schema: { type: 'object', additionalProperties: each.schema, ...schema },
    read(value) {
      if (!isMapping(value.value)) return value.problem(`must be a mapping of ${what}`, usage);
      const known = value.names.map((name) => [name, each.read(value.at(name))] as const);
      return Object.fromEntries(known.filter((entry): entry is readonly [string, T] => entry[1] !== undefined));
    },
  });

interface RecordWords<R> {
  readonly required?: readonly R[];
  /** Hint where a required field is missing. */
  readonly usage?: string;
  /** What other tools call the fields. */
  readonly meant?: Readonly<Record<string, string>>;
}

/** The fields that a mapping has; those that it requires are never undefined. */
type ReadMapping<F extends Fields, R extends keyof F> = ReadBy<F> & Required<{ readonly [N in R]: Exclude<ReadBy<F>[N], undefined> }>;

/** The table of the fields of a mapping, `what`, which has no others. It is read as a whole: undefined where a required field is not there. */
export function mapping<F extends Fields, R extends keyof F & string = never>(
  what: string,
  fields: F,
  { required = [], usage, meant = {} }: RecordWords<R> = {},
): { readonly names: readonly string[]; readonly schema: JsonSchema; read(value: ValueAt): ReadMapping<F, R> | undefined } {
  const names = Object.keys(fields);
  return {
    names,
    schema: closed(schemasOf(fields), required),
    read(value) {
      if (!isMapping(value.value)) return value.problem('must contain fields, as in `{ type: string }`');
      refuseOthers(value, `a field of ${what}`, names, { meant });
      const misspelt = value.names.filter((name) => !names.includes(name)).map((name) => meant[name] ?? nearest(name, names));
      for (const name of required) if (!value.has(name) && !misspelt.includes(name)) value.problem(`has no ${name}`, usage);
      const known = readFields(value, fields);
      return required.some((name) => known[name] === undefined) ? undefined : (known as ReadMapping<F, R>);
    },
  };
}

/** Those of the fields that the mapping has. */
export function readFields<F extends Fields>(value: ValueAt, fields: F): ReadBy<F> {
  const given = Object.entries(fields).filter(([name]) => value.has(name));
  return Object.fromEntries(given.map(([name, one]) => [name, one.read(value.at(name))])) as ReadBy<F>; // each is what its field reads
}

export const schemasOf = (fields: Fields): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema]));
