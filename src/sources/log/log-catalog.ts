// The built-in log sources as the translator sees them, when they live in the embedded store.

import { STRING, TIMESTAMP } from '../../sql/base/types.ts';
import type { Source, SourceCatalog, SourceColumn } from '../../sql/source.ts';
import type { LoadedSources } from '../place.ts';
import { findLogSource, LOG_SOURCES, type LogSource, PROJECT_REFERENCE, plainColumns, recordType, typedPaths } from './log-sources.ts';

/** Database of the store's tables; chdb's own `default` would also show files as tables. */
export const STORE_DATABASE = 'quern';

/** Catalog of the log sources in the embedded store that `manifest` describes. */
export function embeddedSources(manifest: Pick<LoadedSources, 'sources'>): SourceCatalog {
  const known = new Map<string, Source>();
  return {
    names: LOG_SOURCES.flatMap((source) => [source.name, ...source.aliases]),
    find(name) {
      const source = findLogSource(name);
      if (source === undefined) return undefined;
      const found = known.get(source.name) ?? toSource(source, manifest.sources[source.name]);
      known.set(source.name, found);
      return found;
    },
  };
}

/** A log source whose table is not there, as `absent` says. */
export function absentSource(source: LogSource, absent: NonNullable<Source['absent']>): Source {
  return { ...toSource(source, undefined), absent };
}

function toSource(source: LogSource, held: LoadedSources['sources'][string]): Source {
  const metadata: SourceColumn = {
    name: 'metadata',
    type: recordType(source.metadata),
    read: {
      layout: 'json',
      column: 'metadata',
      typedPaths: typedPaths(source.metadata),
      recordsColumn: 'metadata_records',
      textColumn: 'metadata_text',
      severalElements: held?.severalElements === true,
    },
  };
  const plain = plainColumns(source).map(
    ([name, clickhouseType]): SourceColumn => ({
      name,
      type: name === 'timestamp' ? TIMESTAMP : STRING,
      read: { layout: 'column', column: name, clickhouseType },
    }),
  );
  return {
    name: source.name,
    database: STORE_DATABASE,
    table: source.name,
    columns: [...plain, metadata],
    ...(Object.hasOwn(source.metadata, PROJECT_REFERENCE)
      ? // Of no events every one has the reference.
        { sameAs: { project: ['metadata', PROJECT_REFERENCE] }, sameAsEverywhere: held === undefined || held.referenceEverywhere === true }
      : {}),
  };
}
