// What quern.yaml needs so that the sources of imported endpoints are known.

/** Names that a source can have in quern.yaml. */
const NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]*$/;

export interface MappedSource {
  readonly name: string;
  readonly uuid: string;
}

/** The sources that endpoints were mapped to and quern does not know, each once, by name. */
export function unknownSources(
  mappings: readonly Readonly<Record<string, string>>[],
  isKnown: (name: string) => boolean,
): readonly MappedSource[] {
  const sources = new Map<string, MappedSource>();
  for (const mapping of mappings)
    for (const [name, uuid] of Object.entries(mapping))
      if (!isKnown(name) && !sources.has(name.toLowerCase())) sources.set(name.toLowerCase(), { name, uuid });
  return [...sources.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A `sources:` section to be completed; undefined when nothing is missing. */
export function sourcesSection(sources: readonly MappedSource[]): string | undefined {
  const nameable = sources.filter(({ name }) => NAME.test(name));
  if (nameable.length === 0) return undefined;
  const entries = nameable.map(
    ({ name, uuid }) => `  ${JSON.stringify(name)}:\n    table: DATABASE.TABLE\n    rows: { source_uuid: ${JSON.stringify(uuid)} }\n`,
  );
  return `# For quern.yaml, with your tables in place of DATABASE.TABLE,\n# and without rows where a table has no column source_uuid:\nsources:\n${entries.join('')}`;
}
