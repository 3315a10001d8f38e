// The kinds of single values: how each is read from text or YAML, what to say of one that does not fit, and its JSON Schema.
import { DURATION_SCHEMA, type JsonSchema, SIZE_SCHEMA } from '../base/json-schema.ts';
import { formatDuration, formatSize, parseDuration, parseSize } from '../base/quantity.ts';

export interface AnyKind<T> {
  /** Completes "… is not ": `a duration such as 30s, 15m or 1h`. */
  readonly expected: string;
  /** JSON Schema of what a file may hold. */
  readonly schema: JsonSchema;
  /** The texts it takes, where they are a list. */
  readonly values?: readonly string[];
  /** Text that reads as the value; without it, what String makes of it. */
  print?(value: T): string;
}

/** A kind whose values are the same wherever they are written. */
export interface ValueKind<T> extends AnyKind<T> {
  /** Returns the value of `raw`, or undefined when it does not fit. */
  read(raw: unknown): T | undefined;
}

export const SECONDS: ValueKind<number> = {
  expected: 'a duration such as 30s, 15m or 1h',
  schema: DURATION_SCHEMA,
  read: (raw) => {
    const seconds = typeof raw === 'string' ? parseDuration(raw) : undefined;
    return seconds !== undefined && seconds > 0 ? seconds : undefined;
  },
  print: formatDuration,
};

export const SIZE: ValueKind<number> = {
  expected: 'a size such as 256MB or 2GiB',
  schema: SIZE_SCHEMA,
  read: (raw) => {
    if (typeof raw === 'number') return Number.isSafeInteger(raw) && raw > 0 ? raw : undefined;
    const bytes = typeof raw === 'string' ? parseSize(raw) : undefined;
    return bytes !== undefined && bytes > 0 ? bytes : undefined;
  },
  print: formatSize,
};

/** YAML's own words for it, and no others. */
export const BOOLEAN: ValueKind<boolean> = {
  expected: 'true or false',
  schema: { type: 'boolean' },
  read: (raw) => (typeof raw === 'boolean' ? raw : undefined),
};

/** Text that is not empty, without the spaces around it. */
export const trimmedText = (expected: string): ValueKind<string> => ({
  expected,
  schema: { type: 'string', minLength: 1 },
  read: (raw) => (typeof raw === 'string' && raw.trim() !== '' ? raw.trim() : undefined),
});

export const wholeNumber = (expected: string, minimum: number): ValueKind<number> => ({
  expected,
  schema: { type: 'integer', minimum },
  read: (raw) => (typeof raw === 'number' && Number.isSafeInteger(raw) && raw >= minimum ? raw : undefined),
});

export function oneOf<const T extends string>(values: readonly T[]): ValueKind<T> {
  return {
    expected: `one of: ${values.join(', ')}`,
    schema: { enum: values },
    values,
    read: (raw) => values.find((value) => value === raw),
  };
}
