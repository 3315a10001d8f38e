// Wildcard tables over those that were loaded. A wildcard of the engine's tables is described as a table is; a part of a source of the project is derived from it.
import type { SourceKind } from '../kind.ts';
import type { Place } from '../place.ts';

export const wildcardKind = ({ loaded }: Place): SourceKind => ({
  async find(name) {
    if (loaded === undefined || !name.endsWith('*')) return undefined;
    const { storedWildcard, tablesOf } = await import('./stored-wildcard.ts');
    const tables = tablesOf(name, Object.values(loaded.tables));
    return tables.length === 0 ? undefined : { read: () => storedWildcard(name, tables) };
  },
});
