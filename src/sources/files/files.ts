// Files as sources.

import { describedBy } from '../described.ts';
import type { SourceKind } from '../kind.ts';
import type { Place } from '../place.ts';
import type { FileSources } from './file-sources.ts';

/** `files` is undefined where no source is files. */
export const filesKind = (place: Place, files: FileSources | undefined): SourceKind => ({
  async define(definition) {
    if (files === undefined || definition.files === undefined) return undefined;
    return describedBy(definition, place, async () => ({ files: await files.facts(definition) }));
  },
});
