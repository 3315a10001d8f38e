// INFORMATION_SCHEMA: what queries can read.

import { digest } from '../../cache/json-memory.ts';
import { isInformationSchema } from '../bigquery-name.ts';
import { foundBy } from '../described.ts';
import type { SourceKind } from '../kind.ts';
import type { Place } from '../place.ts';

export const informationSchemaKind = (place: Place): SourceKind => ({
  async find(name, resolver) {
    if (!isInformationSchema(name)) return undefined;
    return foundBy(place, async () => {
      const { informationSchemaSource } = await import('./schema-source.ts');
      const source = await informationSchemaSource(name, place, resolver.all, {});
      return source?.query === undefined ? undefined : { digest: digest(source.query), read: () => source };
    });
  },
});
