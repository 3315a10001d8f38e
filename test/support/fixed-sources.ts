// Sources that are known already, and what rows are made of, whatever the place of the rows has.
import type { Sources } from '../../src/sources/kind.ts';
import { type Version, versionOf } from '../../src/sources/version.ts';
import type { SourceCatalog } from '../../src/sql/source.ts';

/** `load` is asked whenever names are resolved. */
export function fixedSources(load: () => SourceCatalog | Promise<SourceCatalog>, version = '1'): Sources {
  const resolve = async (): Promise<SourceCatalog> => load();
  return { resolve, resolveAll: resolve, versionOf: async () => ({ names: [], value: version }) };
}

/** What rows are made of, where the engine and its data are called `data`. */
export const fixedVersion = (data: string, more: Partial<Parameters<typeof versionOf>[0]> = {}): Version => versionOf({ data, ...more });
