// Translations for the table of a product: its sources, and a text that its editor takes.
import { QuernError } from '../../base/errors.ts';
import { type Type, typeName } from '../../sql/base/types.ts';
import type { SourceCatalog } from '../../sql/source.ts';
import type { TranslateOptions } from '../../sql/translation.ts';
import { sourceFromTable } from '../table/table-source.ts';
import { type GivenValue, impliedType, literalText } from './literal-text.ts';
import { type Preset, presetDefinitions } from './preset.ts';
import { PRESETS } from './presets.ts';
import { PRODUCTS, type Product } from './products.ts';

export interface ProductOptions extends TranslateOptions {
  /** The product into whose editor the SQL is to be pasted: its sources are known, and the SQL relies on no settings and no parameters. */
  readonly for?: Product;
  /** With `for`: the values of parameters, which stand in the SQL. Types are those of `parameters`, or what the values look like. */
  readonly values?: Readonly<Record<string, GivenValue>>;
}

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

/** Returns the options for the translator. Throws QuernError `parameter` for a value that is none of its type. */
export function optionsFor({ for: product, values = {}, ...options }: ProductOptions): TranslateOptions {
  if (product === undefined) return options;
  const types: Record<string, Type> = { ...options.parameters };
  const expressions: Record<string, string> = { ...options.parameterExpressions };
  for (const [name, value] of Object.entries(values)) {
    const declared = Object.keys(types).find((one) => one.toLowerCase() === name.toLowerCase()) ?? name;
    const type = types[declared] ?? impliedType(value);
    const text = literalText(value, type);
    if (text === undefined) throw new QuernError('parameter', `${name}: ${String(value)} is not ${typeName(type)}`, {});
    types[declared] = type;
    expressions[declared] = text;
  }
  return {
    ...options,
    parameters: types,
    parameterExpressions: expressions,
    sources: options.sources ?? presetSources(presetOf(product)),
    portable: true,
  };
}
