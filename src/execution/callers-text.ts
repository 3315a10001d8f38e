// A caller's SQL with all that its translation depends on, as plain data: it may be translated by another thread.
import { type ErrorCode, type ErrorDetails, QuernError } from '../base/errors.ts';
import type { Expansion, ReadOptions, Reads } from '../queries/expand.ts';
import { sourceOrError } from '../sources/source-problem.ts';
import { translateSandboxed, translateSpecializable } from '../sql/index.ts';
import type { Source } from '../sql/source.ts';
import type { SpecializableTranslation, TranslateOptions } from '../sql/translation.ts';

/** A QuernError without what only the thread that made it has. */
export interface ErrorData {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: Omit<ErrorDetails, 'cause'>;
}

/** What the names in FROM stand for, as plain data. */
interface ReadsData {
  /** The texts of the saved queries that are read as tables, by name. */
  readonly savedQueries: ReadonlyMap<string, string>;
  /** Those of them that are called as table functions. */
  readonly savedFunctions?: Expansion['calls'];
  /** The sources of the names, or the error of one that cannot be read. */
  readonly sources: ReadonlyMap<string, Source | ErrorData>;
}

export interface CallersText extends ReadsData {
  readonly sql: string;
  /** The text of the saved query that it replaces; absent where it is a query for itself. */
  readonly saved?: string | undefined;
  /** What names stand for in the saved queries that are read, where that differs. */
  readonly inner?: ReadsData | undefined;
  /** The names of all sources, for suggestions. */
  readonly sourceNames: readonly string[];
  readonly options: Omit<TranslateOptions, keyof ReadOptions>;
  /** True if its rows may be kept in buckets of time. */
  readonly buckets?: boolean;
}

/** Throws, or rejects with, what translateSandboxed throws, and its own. */
export type TranslateCallers = (text: CallersText) => Promise<SpecializableTranslation> | SpecializableTranslation;

export function callersText(
  text: Pick<CallersText, 'sql' | 'saved' | 'buckets'>,
  expansion: Expansion,
  { sources, savedQuery: _, savedFunction: __, inner: ___, ...options }: TranslateOptions,
): CallersText {
  const { named, read, inner } = expansion;
  const names = [...new Set([...named, ...read])];
  return {
    ...text,
    ...readsData(expansion, names),
    inner: inner && readsData(inner, names),
    sourceNames: sources?.names ?? [],
    options,
  };
}

const readsData = ({ uses, calls, sources }: Reads, names: readonly string[]): ReadsData => ({
  savedQueries: new Map([...uses].map(([name, { source }]) => [name, source.text])),
  savedFunctions: calls,
  sources: new Map(
    names.flatMap((name) => {
      // A name that a WITH defines may be that of a source, too: whether its rows are read is for the translator to find out.
      const source = sourceOrError(sources, name);
      return source === undefined ? [] : [[name, source instanceof QuernError ? errorData(source) : source]];
    }),
  ),
});

function readsFrom({ savedQueries, savedFunctions, sources }: ReadsData, names: readonly string[]): ReadOptions {
  const find = (name: string) => {
    const source = sources.get(name);
    if (source !== undefined && 'code' in source) throw errorFrom(source);
    return source;
  };
  return {
    sources: { names, find },
    savedQuery: (name) => savedQueries.get(name),
    savedFunction: (name) => savedFunctions?.get(name),
  };
}

/** Throws as translateSandboxed does. */
export function translateCallersText({
  sql,
  saved,
  sourceNames,
  options,
  inner,
  buckets = false,
  ...reads
}: CallersText): SpecializableTranslation {
  const all = {
    ...options,
    ...readsFrom(reads, sourceNames),
    ...(inner === undefined ? {} : { inner: readsFrom(inner, sourceNames) }),
  };
  return saved === undefined ? translateSpecializable(sql, all, { buckets }) : translateSandboxed(saved, sql, all, { buckets });
}

export function errorData({ code, message, details: { cause: _, ...details } }: QuernError): ErrorData {
  return { code, message, details };
}

export const errorFrom = ({ code, message, details }: ErrorData): QuernError => new QuernError(code, message, details);
