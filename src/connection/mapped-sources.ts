// A catalog whose tables may also be such as nobody has defined: they are looked up when a query names them, and remembered with what else is known.
import { digest } from '../cache/json-memory.ts';
import type { MappedTable, Mapping } from '../catalog/mapped-tables.ts';
import { withTables } from '../catalog/with-tables.ts';
import { type ErrorCode, QuernError } from '../errors.ts';
import type { PrepareDependencies } from '../execution/prepared-query.ts';
import type { SourceCatalog } from '../sql/source.ts';
import type { LookUp } from './look-up-table.ts';

interface MappedSourcesOptions extends Pick<LookUp, 'describe' | 'ask'> {
  /** The sources that are defined. */
  readonly base: () => Promise<SourceCatalog>;
  /** Looks at one of these. */
  readonly lookUp?: (name: string) => Promise<void>;
  /** Looks at all of them: INFORMATION_SCHEMA names every one. */
  readonly lookUpAll?: () => Promise<void>;
  readonly mapping: () => Promise<Mapping>;
  /** What was found before, or is found now. */
  readonly recall: (what: string, make: () => Promise<MappedTable>) => Promise<MappedTable>;
}

/** What may be wrong with a table, and not with the engine. */
const OF_THE_TABLE: readonly ErrorCode[] = ['unknown-source', 'config'];

export function mappedSources(
  options: MappedSourcesOptions,
): Required<Pick<PrepareDependencies['sources'], 'load' | 'lookUp' | 'digestOf'>> {
  const mapped = new Map<string, MappedTable>();
  const missing = new Map<string, QuernError>();
  const parts = once(async () => ({ base: await options.base(), mapping: await options.mapping() }));
  const findOut = async (name: string): Promise<MappedTable> => {
    const [{ lookUpTable }, { informationSchemaOf }, { base, mapping }] = await Promise.all([
      import('./look-up-table.ts'),
      import('../catalog/information-schema.ts'),
      parts(),
    ]);
    if (informationSchemaOf(name, mapping.rules) !== undefined) await options.lookUpAll?.();
    const { describe, ask, lookUp } = options;
    return withTables({ load: async () => base, ...(lookUp === undefined ? {} : { lookUp }) }, () =>
      lookUpTable(name, { base, mapping, describe, ask }),
    );
  };
  return {
    load: once(async () => {
      const [{ mappedCatalog }, { base, mapping }] = await Promise.all([import('../catalog/mapped-tables.ts'), parts()]);
      return mappedCatalog(base, mapping, { found: (name) => mapped.get(name), missing });
    }),
    async lookUp(name) {
      if (mapped.has(name) || missing.has(name)) return;
      try {
        mapped.set(name, await options.recall(`name ${name}`, () => findOut(name)));
      } catch (error) {
        // Who asks again for the table hears it, with the place where its name stands.
        if (!(error instanceof QuernError) || !OF_THE_TABLE.includes(error.code)) throw error;
        missing.set(name, error);
      }
    },
    digestOf: (name) => (mapped.has(name) ? digest(JSON.stringify(mapped.get(name))) : undefined),
  };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
