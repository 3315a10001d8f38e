// Tables of the engine that the project names.

import type { SourceDefinition } from '../definition.ts';
import { describedBy } from '../described.ts';
import type { TableFacts } from '../facts.ts';
import type { SourceKind } from '../kind.ts';
import type { Place } from '../place.ts';

export const tableKind = (place: Place): SourceKind => ({
  define: (definition) =>
    describedBy(definition, place, async () => {
      const { closed, memory } = place;
      if (closed.length > 0) (await import('../names.ts')).checkReach(definition, closed);
      const { tableText } = await import('../table-text.ts');
      return memory.recall(`table ${tableText(definition)}`, () => describeTable(definition, place));
    }),
});

/** Looks at a table, or at all tables of a wildcard. */
export async function describeTable(definition: SourceDefinition, { ask, server }: Place): Promise<TableFacts> {
  const { tableText } = await import('../table-text.ts');
  const rows = await ask(`DESCRIBE TABLE ${tableText(definition)}`);
  const described = rows.map(([name, type]) => ({ name: String(name), type: String(type) }));
  const columns =
    definition.wildcard === true ? await (await import('../wildcard/lacking.ts')).withLacking(described, definition, ask) : described;
  return server === undefined ? { columns } : { columns, ...(await (await import('./sharded.ts')).shardedBy(definition, ask)) };
}
