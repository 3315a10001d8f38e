// What names mean in the text of a caller who sends SQL with a request: a dataset for names without one, and the saved queries that the caller may read. In the
// saved queries that the text reads, names mean what they always do.
import { QuernError } from '../base/errors.ts';
import type { SourceText, Span } from '../base/source-text.ts';
import { isInformationSchema, listsDatasets } from '../sources/bigquery-name.ts';
import type { SchemaOptions } from '../sources/information-schema/schema-source.ts';
import type { ResolvedSources, Sources } from '../sources/kind.ts';
import { sourceOrError } from '../sources/source-problem.ts';
import type { QueryCatalog } from './catalog.ts';
import type { ParameterDeclaration } from './saved-query.ts';

export interface CallerNames {
  /** The dataset of names without one, with its project or without. */
  readonly defaultDataset?: string | undefined;
  /** Returns whether the caller may read the saved query of that name. Default: all. */
  readonly covers?: ((query: string) => boolean) | undefined;
  /** Parameters that the caller's key sets. With any the text reads only saved queries that have them all, since rows of tables would not be bounded by them. */
  readonly pinned?: readonly string[] | undefined;
  /** The project of names that have none, as INFORMATION_SCHEMA shows it. */
  readonly project?: string | undefined;
  /** Returns the saved queries that INFORMATION_SCHEMA shows to the caller. Default: all. */
  readonly saved?: SchemaOptions['saved'];
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
export function reachOf(all: Reach, names: CallerNames): Reach {
  const { covers = () => true, pinned = [] } = names;
  const inside = (name: string): string | undefined => insideDataset(name, names);
  const schema = { saved: names.saved, onlyShown: names.project !== undefined, onlySaved: pinned.length > 0 };
  const sources = withSavedQueries(pinned.length > 0 ? withoutSources(all.sources, pinned) : all.sources, schema);
  return {
    catalog: {
      ...all.catalog,
      named(name) {
        const own = inside(name);
        const found = (own === undefined ? undefined : all.catalog.named(own)) ?? all.catalog.named(name);
        return found !== undefined && covers(found.name) ? found : undefined;
      },
    },
    sources: insideFirst(sources, inside),
    inner: all,
    pinned,
  };
}

/** Returns the whole name of one without a dataset, and of a view of INFORMATION_SCHEMA without a project; undefined for others. */
function insideDataset(name: string, { defaultDataset, project }: CallerNames): string | undefined {
  if (!isInformationSchema(name)) return defaultDataset === undefined || name.includes('.') ? undefined : `${defaultDataset}.${name}`;
  const view = name.split('.').slice(name.endsWith('__') ? -1 : -2);
  const before = name.split('.').slice(0, -view.length);
  const ofProject = listsDatasets(name);
  const at = before.length === 0 && defaultDataset !== undefined && !ofProject ? defaultDataset.split('.') : before;
  // Without a dataset it is of all of them.
  const isWhole = project === undefined || at.length > (ofProject ? 0 : 1);
  const place = isWhole ? at : [project, ...(at.length === 0 ? ['region-us'] : at)];
  const whole = [...place, ...view].join('.');
  return whole === name ? undefined : whole;
}

/** Returns sources in which INFORMATION_SCHEMA shows saved queries. */
export function withSavedQueries(sources: Sources, options: SchemaOptions): Sources {
  const views = async (names: readonly string[]) => {
    const found = await Promise.all(
      names.filter(isInformationSchema).map(async (name) => [name, await sources.informationSchema?.(name, options)] as const),
    );
    return new Map(found);
  };
  return {
    ...sources,
    async resolve(wanted) {
      const names = [...wanted];
      const [schema, found] = [await views(names), await sources.resolve(names)];
      return { names: found.names, find: (name) => schema.get(name) ?? found.find(name) };
    },
  };
}

/** Returns sources in which `inside` says what a name means first. */
function insideFirst(sources: Sources, inside: (name: string) => string | undefined): Sources {
  const all = (names: Iterable<string>): readonly string[] => [...names].flatMap((name) => [name, inside(name) ?? []].flat());
  return {
    ...sources,
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
    versionOf: (names) => sources.versionOf(all(names)),
  };
}

/** Returns what the first name stands for that stands for something. Where neither does, the error is that of the first. */
function eitherOf(sources: ResolvedSources, first: string, second: string) {
  const found = sourceOrError(sources, first);
  if (!(found instanceof QuernError)) return found ?? sources.find(second);
  const other = found.code === 'unknown-source' ? sources.find(second) : undefined;
  if (other === undefined) throw found;
  return other;
}

/** Returns sources that no name leads to. */
function withoutSources(sources: Sources, pinned: readonly string[]): Sources {
  const none = {
    names: [],
    find(name: string): never {
      throw new QuernError('unknown-source', `the API key sets ${pinned.join(' and ')}, and your own SQL could read past that in ${name}`, {
        hint: 'read saved queries, such as `queries.NAME`: they are bounded by what the key sets',
        ofKey: true,
      });
    },
  };
  return { ...sources, resolve: async () => none, resolveAll: async () => none };
}

/** A key and a query may spell a parameter in any case, and with `-` for `_`. */
const spelling = (name: string): string => name.toLowerCase().replaceAll('-', '_');

/** Returns whether none of the parameters is the one that a key sets. */
export const lacksPin = (parameters: readonly { readonly name: string }[], pin: string): boolean =>
  !parameters.some(({ name }) => spelling(name) === spelling(pin));

/** Throws `parameter` where a caller's text would call functions that read tables, past what the key sets. */
export function refuseReaders(tables: readonly string[], pinned: readonly string[]): void {
  if (tables.length === 0) return;
  throw new QuernError(
    'parameter',
    `the API key sets ${pinned.join(' and ')}, and your own SQL could read past that in ${tables[0]}, which a function reads`,
    {
      hint: 'read saved queries, such as `queries.NAME`',
      ofKey: true,
    },
  );
}

/** Throws `parameter` for a saved query that lacks a parameter which the key sets. Returns whether the key sets a parameter. */
export function refuseOthersRows(
  query: string,
  parameters: readonly ParameterDeclaration[],
  pinned: readonly string[],
  { source, span }: { readonly source: SourceText; readonly span: Span },
): (parameter: ParameterDeclaration) => boolean {
  const lacking = pinned.find((pin) => lacksPin(parameters, pin));
  if (lacking !== undefined)
    throw new QuernError('parameter', `the API key sets ${lacking}, but ${query} has no such parameter`, {
      source,
      span,
      hint: 'read a saved query that has it, or use another key',
      ofKey: true,
    });
  return (parameter) => pinned.some((pin) => !lacksPin([parameter], pin));
}
