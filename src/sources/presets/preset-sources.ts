// The sources of a product's own table, of which nobody is asked.
import type { SourceCatalog } from '../../sql/source.ts';
import { sourceFromTable } from '../table/table-source.ts';
import { type Preset, presetDefinitions } from './preset.ts';

/** Finds the sources in the table by their names and aliases. */
export function presetSources(preset: Preset): SourceCatalog {
  const { table = preset.name, columns } = preset;
  const definitions = presetDefinitions(preset, { table });
  const byName = new Map(
    definitions.flatMap((definition) => [definition.name, ...definition.aliases].map((name) => [name.toLowerCase(), definition] as const)),
  );
  return {
    names: definitions.flatMap(({ name, aliases }) => [name, ...aliases]),
    find(name) {
      const definition = byName.get(name.toLowerCase());
      return definition && sourceFromTable(definition, columns);
    },
  };
}
