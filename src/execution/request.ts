// A request for the rows of a query, whoever sends it and wherever the rows go.

import { QuernError } from '../base/errors.ts';
import { instantAt, NOW_FORMS, readNow } from '../base/instant.ts';
import type { SourceText } from '../base/source-text.ts';
import type { CacheMode } from '../cache/cache.ts';
import type { CallerNames } from '../queries/caller-names.ts';
import { readArguments } from '../queries/parameters.ts';
import type { SavedQuery } from '../queries/saved-query.ts';
import type { SourceDefinition } from '../sources/definition.ts';
import { INSTANT_PARAMETER } from '../sql/translation.ts';
import type { ExecutionRequest } from './execute.ts';
import type { PreparedQuery } from './prepared-query.ts';

/** How a prepared query is run. */
export interface RunOptions {
  /** As given: text, JSON values, or lists for repeated flags. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The instant of CURRENT_TIMESTAMP(): a timestamp as parameters take it. Default: now. */
  readonly asOf?: string | undefined;
  /** How the cache is used, where rows may come from there. Default: `use`. */
  readonly cache?: CacheMode | undefined;
  readonly maxAgeSeconds?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface QueryRequest extends RunOptions {
  /** Name, UUID or path of a saved query, or one that no file holds. */
  readonly query: string | SavedQuery;
  /** Files that the query names by their paths: see filesAmong of services.ts. */
  readonly files?: readonly SourceDefinition[] | undefined;
  /** Remembers what was read of a text that no file holds. Called once it has been prepared: then it is right. */
  readonly remember?: (() => Promise<void>) | undefined;
  /** What names mean in SQL that no file holds. */
  readonly names?: CallerNames | undefined;
  /** SQL in place of the query's own SELECT; for a query whose sandbox is enabled. */
  readonly sql?: SourceText | undefined;
  /** Which of the queries in a text that has several, counted from 0. Default: the last. */
  readonly result?: number | undefined;
  /** Fewer rows than the query's own bound. */
  readonly maxRows?: number | undefined;
}

/**
 * Returns the values for a run of the prepared query; `asOf` in canonical form, where one was given. Throws what readArguments throws, and
 * `usage` for an invalid `asOf`.
 */
export function readRunOptions(
  prepared: PreparedQuery,
  options: RunOptions,
  { now }: { readonly now: () => number },
): ExecutionRequest & { readonly asOf: string | undefined } {
  const values = readArguments(prepared.parameters, options.arguments, prepared.name);
  const asOf = options.asOf === undefined ? undefined : readAsOf(options.asOf, prepared);
  return { arguments: values, asOf, instant: asOf ?? instantAt(now()), signal: options.signal };
}

/** Throws `usage` for text that is no time, or would change nothing. */
function readAsOf(text: string, prepared: PreparedQuery): string {
  const instant = readNow(text);
  if (instant === undefined) throw new QuernError('usage', `--as-of ${JSON.stringify(text)} is not ${NOW_FORMS}`, {});
  if (prepared.dialect === 'clickhouse' && !readsInstant(prepared)) {
    throw new QuernError('usage', `${prepared.name} is ClickHouse SQL that reads the clock itself, so --as-of would change nothing`, {
      hint: `use {${INSTANT_PARAMETER}:DateTime64(6, 'UTC')} in its SQL for the current time`,
    });
  }
  return instant;
}

/** Returns whether the rows depend on CURRENT_TIMESTAMP(). */
export const readsInstant = ({ bound }: Pick<PreparedQuery, 'bound'>): boolean => bound.some(({ name }) => name === INSTANT_PARAMETER);
