// A catalog whose tables may also be such as nobody has defined: they are looked up when a query names them, and remembered with what else is known.
import { digest } from '../cache/json-memory.ts';
import type { MappedTables, Mapping } from '../catalog/mapped-tables.ts';
import { type ErrorCode, QuernError } from '../errors.ts';
import type { PrepareDependencies } from '../execution/prepared-query.ts';
import type { SourceCatalog } from '../sql/source.ts';
import type { LookUp } from './look-up-table.ts';

interface MappedSourcesOptions extends Pick<LookUp, 'describe' | 'ask'> {
  /** The sources that are defined. */
  readonly base: () => Promise<SourceCatalog>;
  readonly mapping: () => Promise<Mapping>;
  /** What is known already. */
  readonly mapped: MappedTables;
  readonly remember: (mapped: MappedTables) => Promise<void>;
}

/** What may be wrong with a table, and not with the engine. */
const OF_THE_TABLE: readonly ErrorCode[] = ['unknown-source', 'config'];

export function mappedSources(options: MappedSourcesOptions): Pick<PrepareDependencies['sources'], 'load' | 'lookUp' | 'digestOf'> {
  let { mapped } = options;
  const missing = new Map<string, QuernError>();
  const parts = once(async () => ({ base: await options.base(), mapping: await options.mapping() }));
  return {
    load: once(async () => {
      const [{ mappedCatalog }, { base, mapping }] = await Promise.all([import('../catalog/mapped-tables.ts'), parts()]);
      return mappedCatalog(base, mapping, { found: (name) => (Object.hasOwn(mapped, name) ? mapped[name] : undefined), missing });
    }),
    async lookUp(name) {
      const { lookUpTable } = await import('./look-up-table.ts');
      try {
        mapped = { ...mapped, [name]: await lookUpTable(name, { ...(await parts()), describe: options.describe, ask: options.ask }) };
      } catch (error) {
        // Who asks again for the table hears it, with the place where its name stands.
        if (!(error instanceof QuernError) || !OF_THE_TABLE.includes(error.code)) throw error;
        missing.set(name, error);
        return;
      }
      await options.remember(mapped);
    },
    digestOf: (name) => (Object.hasOwn(mapped, name) ? digest(JSON.stringify(mapped[name])) : undefined),
  };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
