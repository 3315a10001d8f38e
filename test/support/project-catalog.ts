// The sources of a section of quern.yaml over tables that are described at once.
import type { Section } from '../../src/fields/value-at.ts';
import { readDefinitions } from '../../src/sources/definition.ts';
import { NO_MEMORY } from '../../src/sources/memory.ts';
import { openSources } from '../../src/sources/resolve.ts';
import { tableKind } from '../../src/sources/table/table.ts';
import type { TableColumn } from '../../src/sql/layouts/index.ts';
import type { SourceCatalog } from '../../src/sql/source.ts';

export async function projectCatalog(
  section: Section,
  describe: (table: string) => Promise<readonly TableColumn[]>,
): Promise<SourceCatalog> {
  const ask = async (sql: string) => (await describe(sql.slice('DESCRIBE TABLE '.length))).map(({ name, type }) => [name, type]);
  const sources = openSources({
    kinds: async () => [tableKind({ sections: { sources: section }, memory: NO_MEMORY, closed: [], ask })],
    definitions: readDefinitions(section),
    derive: async () => undefined,
    known: '',
  });
  return sources.resolveAll();
}
