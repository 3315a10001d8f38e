// What the embedded store holds as sources: the log sources, and tables of the user's own.
import type { Source, SourceCatalog } from '../sql/source.ts';
import { embeddedSources } from './log-catalog.ts';
import { type StoredTable, storedTableSource } from './stored-table.ts';
import { storedWildcard } from './stored-wildcard.ts';

type Stored = Parameters<typeof embeddedSources>[0] & { readonly tables: Readonly<Record<string, StoredTable>> };

/** A table of the user's comes before a log source that a later quern gave its name to. */
export function storeSources(manifest: Stored): SourceCatalog {
  const logs = embeddedSources(manifest);
  const known = new Map<string, Source>();
  return {
    names: [...Object.values(manifest.tables).map(({ name }) => name), ...logs.names],
    find(name) {
      const key = name.toLowerCase();
      const table = Object.hasOwn(manifest.tables, key) ? manifest.tables[key] : undefined;
      const source =
        known.get(key) ??
        (table === undefined ? (logs.find(name) ?? storedWildcard(name, Object.values(manifest.tables))) : storedTableSource(table));
      if (source !== undefined) known.set(key, source);
      return source;
    },
  };
}
