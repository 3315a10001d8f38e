// What names mean in the text of a caller who sends SQL with a request: a dataset for names without one, and the saved queries that the caller may read. In the
// saved queries that the text reads, names mean what they always do.
import { QuernError } from '../base/errors.ts';
import type { SourceText, Span } from '../base/source-text.ts';
import type { ResolvedSources, Sources } from '../sources/kind.ts';
import type { QueryCatalog } from './catalog.ts';
import type { ParameterDeclaration } from './saved-query.ts';

export interface CallerNames {
  /** The dataset of names without one, with its project or without. */
  readonly defaultDataset?: string | undefined;
  /** Returns whether the caller may read the saved query of that name. Default: all. */
  readonly covers?: ((query: string) => boolean) | undefined;
  /** Parameters that the caller's key sets. With any the text reads only saved queries that have them all, since rows of tables would not be bounded by them. */
  readonly pinned?: readonly string[] | undefined;
}

/** What a text may read. */
export interface Reach {
  readonly catalog: QueryCatalog;
  readonly sources: Sources;
  /** What the saved queries that it reads may read. Default: the same. */
  readonly inner?: Reach;
  readonly pinned?: readonly string[];
}

/** Returns what the text of a caller may read where everybody else may read `all`. */
export function reachOf(all: Reach, { defaultDataset, covers = () => true, pinned = [] }: CallerNames): Reach {
  const sources = pinned.length > 0 ? withoutSources(all.sources, pinned) : all.sources;
  const inside = (name: string): string | undefined =>
    defaultDataset !== undefined && isWithoutDataset(name) ? `${defaultDataset}.${name}` : undefined;
  return {
    catalog: {
      ...all.catalog,
      named(name) {
        const own = inside(name);
        const found = (own === undefined ? undefined : all.catalog.named(own)) ?? all.catalog.named(name);
        return found !== undefined && covers(found.name) ? found : undefined;
      },
    },
    sources: defaultDataset === undefined ? sources : insideFirst(sources, inside),
    inner: all,
    pinned,
  };
}

const isWithoutDataset = (name: string): boolean => !name.includes('.') || /^information_schema\./i.test(name);

/** Returns sources in which `inside` says what a name means first. */
function insideFirst(sources: Sources, inside: (name: string) => string | undefined): Sources {
  const all = (names: Iterable<string>): readonly string[] => [...names].flatMap((name) => [name, inside(name) ?? []].flat());
  return {
    async resolve(names) {
      const found = await sources.resolve(all(names));
      return {
        names: found.names,
        find(name) {
          const own = inside(name);
          return own === undefined ? found.find(name) : eitherOf(found, own, name);
        },
      };
    },
    resolveAll: sources.resolveAll,
    versionOf: (names) => sources.versionOf(all(names)),
  };
}

/** Returns what the first name stands for that stands for something. Where neither does, the error is that of the first. */
function eitherOf({ find }: ResolvedSources, first: string, second: string) {
  try {
    return find(first) ?? find(second);
  } catch (error) {
    if (!(error instanceof QuernError) || error.code !== 'unknown-source') throw error;
    const found = find(second);
    if (found === undefined) throw error;
    return found;
  }
}

/** Returns sources that no name leads to. */
function withoutSources(sources: Sources, pinned: readonly string[]): Sources {
  const none = {
    names: [],
    find(name: string): never {
      throw new QuernError('unknown-source', `${name} cannot be read with this key, which sets ${pinned.join(' and ')}`, {
        hint: 'read saved queries, such as `queries.NAME`: they are bounded by what the key sets',
      });
    },
  };
  return { ...sources, resolve: async () => none, resolveAll: async () => none };
}

/** A key and a query may spell a parameter in any case, and with `-` for `_`. */
const spelling = (name: string): string => name.toLowerCase().replaceAll('-', '_');

/** Throws `parameter` where a caller's text would call functions that read tables, past what the key sets. */
export function refuseReaders(tables: readonly string[], pinned: readonly string[]): void {
  if (tables.length === 0) return;
  throw new QuernError('parameter', `the key sets ${pinned.join(' and ')}, and a function that reads ${tables[0]} could read past that`, {
    hint: 'read saved queries, such as `queries.NAME`',
  });
}

/** Throws `parameter` for a saved query that lacks a parameter which the key sets. Returns whether the key sets a parameter. */
export function refuseOthersRows(
  query: string,
  parameters: readonly ParameterDeclaration[],
  pinned: readonly string[],
  { source, span }: { readonly source: SourceText; readonly span: Span },
): (parameter: ParameterDeclaration) => boolean {
  const lacking = pinned.find((pin) => !parameters.some(({ name }) => spelling(name) === spelling(pin)));
  if (lacking !== undefined)
    throw new QuernError('parameter', `the key sets ${lacking}, but ${query} has no such parameter`, {
      source,
      span,
      hint: 'read a saved query that has it, or use another key',
    });
  return ({ name }) => pinned.some((pin) => spelling(pin) === spelling(name));
}
