// Translations for the table of a product: its sources, and a text that its editor takes.
import { QuernError } from '../../base/errors.ts';
import { type Type, typeName } from '../../sql/base/types.ts';
import type { TranslateOptions } from '../../sql/translation.ts';
import { type GivenValue, impliedType, literalText } from './literal-text.ts';
import { presetOf, presetSources } from './preset-sources.ts';
import type { Product } from './products.ts';

export interface ProductOptions extends TranslateOptions {
  /** The product into whose editor the SQL is to be pasted: its sources are known, and the SQL relies on no settings and no parameters. */
  readonly for?: Product;
  /** With `for`: the values of parameters, which stand in the SQL. Types are those of `parameters`, or what the values look like. */
  readonly values?: Readonly<Record<string, GivenValue>>;
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
