// The sources in the table of a product, for texts that are only translated.
import { QuernError } from '../../base/errors.ts';
import type { SourceCatalog } from '../../sql/source.ts';
import { sourceFromTable } from '../table/table-source.ts';
import { type Preset, presetDefinitions } from './preset.ts';
import { PRESETS } from './presets.ts';
import { PRODUCTS, type Product } from './products.ts';

/** Finds the sources in a product's own table, of which nobody is asked, by their names and aliases. */
export function presetSources(preset: Preset): SourceCatalog {
  const { table = preset.name, columns } = preset;
  const definitions = presetDefinitions(preset, { table });
  const namesOf = ({ name, aliases }: (typeof definitions)[number]): readonly string[] => [name, ...aliases];
  return {
    names: definitions.flatMap(namesOf),
    find(name) {
      const definition = definitions.find((one) => namesOf(one).some((known) => known.toLowerCase() === name.toLowerCase()));
      return definition && sourceFromTable(definition, columns);
    },
  };
}

export function presetOf(product: Product): Preset {
  const preset = PRESETS.find(({ name }) => name === product);
  if (preset === undefined) throw new QuernError('usage', `there is no preset ${product}`, { hint: `presets are ${PRODUCTS.join(', ')}` });
  return preset;
}
