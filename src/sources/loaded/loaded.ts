// Tables that were loaded into the embedded store, by their own names and by definitions of the project.

import { describedBy } from '../described.ts';
import type { SourceFacts } from '../facts.ts';
import type { SourceKind } from '../kind.ts';
import type { Place } from '../place.ts';
import { tableNamed } from '../table-names.ts';

export function loadedKind(place: Place): SourceKind {
  const { loaded } = place;
  if (loaded === undefined) return {};
  const { tables } = loaded;
  return {
    names: Object.values(tables).map(({ name }) => name),
    async define(definition) {
      if (definition.files !== undefined) return undefined;
      const { storedDefinition } = await import('./stored-definition.ts');
      const look = async (): Promise<SourceFacts | undefined> => {
        const stored = storedDefinition(definition, tables);
        return stored && { stored };
      };
      return describedBy(definition, place, look);
    },
    async find(name) {
      const table = tableNamed(loaded, name);
      if (table === undefined) return undefined;
      return { read: async () => (await import('./stored-table.ts')).storedTableSource(table) };
    },
  };
}
