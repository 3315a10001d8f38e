// The table of the kinds of sources.
import type { FileSources } from './files/file-sources.ts';
import { filesKind } from './files/files.ts';
import { informationSchemaKind } from './information-schema/information-schema.ts';
import type { SourceKind } from './kind.ts';
import { loadedKind } from './loaded/loaded.ts';
import { logKind } from './log/log.ts';
import type { Place } from './place.ts';
import { tableKind } from './table/table.ts';
import { wildcardKind } from './wildcard/wildcard.ts';

/** Returns every kind of source, in the order in which names are looked for among them. `files` is undefined where no source is files. */
export const kindsOf = (place: Place, files: FileSources | undefined): readonly SourceKind[] => [
  filesKind(place, files),
  loadedKind(place),
  logKind(place),
  wildcardKind(place),
  informationSchemaKind(place),
  tableKind(place), // takes every definition that is left
];
