// Sources that are known already, whatever the place of the rows has.
import type { Sources } from '../../src/sources/kind.ts';
import type { SourceCatalog } from '../../src/sql/source.ts';

/** `load` is asked whenever names are resolved. */
export function fixedSources(load: () => SourceCatalog | Promise<SourceCatalog>, fingerprint = '1'): Sources {
  const resolve = async (): Promise<SourceCatalog> => load();
  return { fingerprint, resolve, resolveAll: resolve, digests: async () => new Map() };
}
