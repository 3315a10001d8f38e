// A row of the table of settings.

import type { DefaultPaths } from './paths.ts';
import type { Kind } from './setting-kinds.ts';

export interface Setting<T> {
  readonly kind: Kind<T>;
  /** The value when nobody sets it; undefined means "not set". */
  readonly fallback: (paths: DefaultPaths) => T | undefined;
  /** Environment variable; an empty one counts as unset. */
  readonly env: string;
  /** Name of the command-line flag without `--`; absent when there is none. */
  readonly flag?: string;
  /** It is a flag of every command; `value` is what the help calls its value, which a switch has not. */
  readonly everywhere?: { readonly value?: string; readonly repeatable?: true };
  /** Never read from files, never printed. */
  readonly secret?: true;
  /** May hold a secret: printed without it, and not at all when it does not fit. */
  readonly sensitive?: true;
  /** A value as it is written in the environment or a flag, for settings whose values are not shown. */
  readonly example?: string;
  readonly help: string;
}

/** A setting that may be left unset. */
export interface OptionalSetting<T> extends Setting<T> {
  readonly optional: true;
}

type Row<S> = Omit<S, 'env'> & { readonly env?: string };

export const setting = <T>(row: Row<Setting<T>>): Row<Setting<T>> => row;
export const optional = <T>(row: Omit<Row<Setting<T>>, 'fallback'>): Row<OptionalSetting<T>> => ({
  ...row,
  fallback: () => undefined,
  optional: true,
});

/** The rows, each with its environment variable: `QUERN_` and its name, unless it says another one. */
export const withVariables = <R extends Readonly<Record<string, object>>>(
  rows: R,
): { readonly [N in keyof R]: R[N] & { readonly env: string } } =>
  Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, { env: `QUERN_${name.toUpperCase()}`, ...row }])) as never; // the same names
