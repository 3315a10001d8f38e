// The sources of a section of quern.yaml over tables that are described at once.
import { readDefinitions, type Section } from '../../src/catalog/definition.ts';
import { projectSources, type SourceFacts } from '../../src/catalog/project-sources.ts';
import { problemOf } from '../../src/catalog/source-problem.ts';
import { tableText } from '../../src/catalog/table-text.ts';
import type { TableColumn } from '../../src/sql/layouts/index.ts';
import type { SourceCatalog } from '../../src/sql/source.ts';

export async function projectCatalog(
  section: Section,
  describe: (table: string) => Promise<readonly TableColumn[]>,
): Promise<SourceCatalog> {
  const definitions = readDefinitions(section);
  const facts = new Map<unknown, SourceFacts>();
  for (const one of definitions) {
    const columns = await describe(tableText(one)).catch(problemOf);
    facts.set(one, columns instanceof Error ? { problem: columns } : { columns });
  }
  const defined = {
    names: () => definitions.flatMap(({ name, aliases }) => [name, ...aliases]),
    find: (name: string) =>
      definitions.find((one) => [one.name, ...one.aliases].some((known) => known.toLowerCase() === name.toLowerCase())),
    factsOf: (one: unknown) => facts.get(one),
    isOpen: () => false,
  };
  return projectSources(defined, section, { names: [], find: () => undefined });
}
