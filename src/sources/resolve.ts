// Resolves names in FROM into sources, before anything is translated.

import { QuernError } from '../base/errors.ts';
import { digest } from '../cache/json-memory.ts';
import type { Source } from '../sql/source.ts';
import type { Found, ResolvedSources, Resolver, SourceKind, Sources } from './kind.ts';
import type { SourceDefinition } from './source-definition.ts';
import { problemOf } from './source-problem.ts';

interface ResolveOptions {
  /** Loads them, in the order in which names are looked for among them. */
  readonly kinds: () => Promise<readonly SourceKind[]>;
  /** The project's own, and files that the user has typed. */
  readonly definitions: readonly SourceDefinition[];
  /** Finds what `names:` and wildcard sources make of a name that no kind has. */
  readonly derive: NonNullable<SourceKind['find']>;
  /** Of what is known without looking at a source: definitions, rules, and what was loaded. */
  readonly known: string;
}

export function openSources({ kinds, definitions, derive, known: facts }: ResolveOptions): Sources {
  const defined = definitions.flatMap((one) => [one.name, ...one.aliases].map((name) => [name, one] as const));
  const index = new Map(defined.map(([name, definition]) => [name.toLowerCase(), definition]));
  let loaded: Promise<readonly SourceKind[]> | undefined;
  let factsDigest: string | undefined;
  const allKinds = (): Promise<readonly SourceKind[]> => {
    loaded ??= kinds();
    return loaded;
  };
  const allNames = async (): Promise<readonly string[]> => [
    ...new Set([...defined.map(([name]) => name), ...(await allKinds()).flatMap((kind) => kind.names ?? [])]),
  ];
  const define = once(async (definition: SourceDefinition): Promise<Found> => {
    for (const kind of await allKinds()) {
      const found = await kind.define?.(definition);
      if (found !== undefined) return found;
    }
    throw new RangeError(`no kind takes the definition of ${definition.name}`);
  });
  const known = once(async (name: string): Promise<Found | undefined> => {
    const definition = index.get(name.toLowerCase());
    if (definition !== undefined) return define(definition);
    for (const kind of await allKinds()) {
      const found = await kind.find?.(name, resolver);
      if (found !== undefined) return found;
    }
    return undefined;
  });
  const named = once(async (name: string) => (await known(name)) ?? derive(name, resolver));
  const read = once(async (found: Found): Promise<Source> => found.read());
  const outcome = once(async (name: string): Promise<Source | QuernError | undefined> => {
    const found = await named(name);
    return found && read(found).catch(problemOf);
  });
  const resolve = async (wanted: Iterable<string>): Promise<ResolvedSources> => {
    const sources = new Map(await Promise.all([...new Set(wanted)].map(async (name) => [name, await outcome(name)] as const)));
    return {
      names: await allNames(),
      empty: (await allKinds()).flatMap((kind) => kind.empty ?? []),
      find(name) {
        const source = sources.get(name);
        if (source instanceof QuernError) throw source;
        return source;
      },
    };
  };
  const resolver: Resolver = { known, define, all: async () => resolve(await allNames()) };
  return {
    resolve,
    resolveAll: resolver.all,
    async versionOf(wanted) {
      const found = await Promise.all([...wanted].map(async (name) => ({ name, digest: (await named(name))?.digest })));
      const looked = found.filter(({ digest: own }) => own !== undefined);
      factsDigest ??= digest(facts); // a store with many loads has many facts, and a run wants several versions
      return {
        names: looked.map(({ name }) => name),
        value: looked.length === 0 ? factsDigest : digest(JSON.stringify([factsDigest, looked])),
      };
    },
  };
}

/** Returns a function that makes the value of each key once. */
function once<K, V>(make: (key: K) => Promise<V>): (key: K) => Promise<V> {
  const made = new Map<K, Promise<V>>();
  return (key) => {
    const value = made.get(key) ?? make(key);
    made.set(key, value);
    return value;
  };
}
