// A caller's SQL with all that its translation depends on, as plain data: it may be translated by another thread.
import { type ErrorCode, type ErrorDetails, QuernError } from '../base/errors.ts';
import type { Expansion } from '../queries/expand.ts';
import { translateSandboxed, translateSpecializable } from '../sql/index.ts';
import type { Source, SourceCatalog } from '../sql/source.ts';
import type { SpecializableTranslation, TranslateOptions } from '../sql/translation.ts';

/** A QuernError without what only the thread that made it has. */
export interface ErrorData {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: Omit<ErrorDetails, 'cause'>;
}

export interface CallersText {
  readonly sql: string;
  /** The text of the saved query that it replaces; absent where it is a query for itself. */
  readonly saved?: string | undefined;
  /** The texts of the saved queries that the latter reads as tables, by name. */
  readonly savedQueries: ReadonlyMap<string, string>;
  /** The sources of the names in FROM of all these, or the error of one that cannot be read. */
  readonly sources: ReadonlyMap<string, Source | ErrorData>;
  /** The names of all sources, for suggestions. */
  readonly sourceNames: readonly string[];
  readonly options: Omit<TranslateOptions, 'sources' | 'savedQuery'>;
  /** True if its rows may be kept in buckets of time. */
  readonly buckets?: boolean;
}

/** Throws, or rejects with, what translateSandboxed throws, and its own. */
export type TranslateCallers = (text: CallersText) => Promise<SpecializableTranslation> | SpecializableTranslation;

export function callersText(
  text: Pick<CallersText, 'sql' | 'saved' | 'buckets'>,
  { uses, named }: Expansion,
  { sources, savedQuery: _, ...options }: TranslateOptions,
): CallersText {
  return {
    ...text,
    savedQueries: new Map([...uses].map(([name, { source }]) => [name, source.text])),
    sources: new Map(
      [...named].flatMap((name) => {
        const source = sources === undefined ? undefined : found(sources, name);
        return source === undefined ? [] : [[name, source]];
      }),
    ),
    sourceNames: sources?.names ?? [],
    options,
  };
}

/** Throws as translateSandboxed does. */
export function translateCallersText({
  sql,
  saved,
  savedQueries,
  sources,
  sourceNames,
  options,
  buckets = false,
}: CallersText): SpecializableTranslation {
  const find = (name: string) => {
    const source = sources.get(name);
    if (source !== undefined && 'code' in source) throw errorFrom(source);
    return source;
  };
  const all = { ...options, sources: { names: sourceNames, find }, savedQuery: (name: string) => savedQueries.get(name) };
  return saved === undefined ? translateSpecializable(sql, all, { buckets }) : translateSandboxed(saved, sql, all, { buckets });
}

export function errorData({ code, message, details: { cause: _, ...details } }: QuernError): ErrorData {
  return { code, message, details };
}

export const errorFrom = ({ code, message, details }: ErrorData): QuernError => new QuernError(code, message, details);

/** A name that a WITH defines may be that of a source, too: whether its rows are read is for the translator to find out. */
function found(sources: SourceCatalog, name: string): Source | ErrorData | undefined {
  try {
    return sources.find(name);
  } catch (error) {
    if (error instanceof QuernError) return errorData(error);
    throw error;
  }
}
