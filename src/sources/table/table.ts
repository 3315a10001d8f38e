// Tables of the engine that the project names.

import type { TableColumn } from '../../sql/layouts/index.ts';
import type { SourceDefinition } from '../definition.ts';
import { describedBy } from '../described.ts';
import type { SourceKind } from '../kind.ts';
import type { Place } from '../place.ts';

export const tableKind = (place: Place): SourceKind => ({
  define: (definition) =>
    describedBy(definition, place, async () => {
      const { closed, memory } = place;
      if (closed.length > 0) (await import('../names.ts')).checkReach(definition, closed);
      const { tableText } = await import('../table-text.ts');
      return memory.recall(`table ${tableText(definition)}`, async () => ({ columns: await describeTable(definition, place) }));
    }),
});

/** Returns the columns of a table, or of all tables of a wildcard. */
export async function describeTable(definition: SourceDefinition, { describe, ask }: Place): Promise<readonly TableColumn[]> {
  const { tableText } = await import('../table-text.ts');
  const columns = await describe(tableText(definition));
  if (definition.wildcard !== true) return columns;
  return (await import('../wildcard/lacking.ts')).withLacking(columns, definition, ask);
}
