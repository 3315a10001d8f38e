// The options with which queries of the catalog are translated.
import type { SourceText } from '../base/source-text.ts';
import type { SourceCatalog } from '../sql/source.ts';
import type { TranslateOptions } from '../sql/translation.ts';
import { parameterType } from './parameter-types.ts';
import type { ParameterDeclaration } from './saved-query.ts';

/** What a text may read: sources, saved queries and their functions. */
export type ReadOptions = Pick<TranslateOptions, 'savedQuery' | 'savedFunction' | 'inner'> & {
  readonly sources: SourceCatalog;
};

/** The options with which every query that is to run is translated. */
export function optionsOver(
  parameters: readonly ParameterDeclaration[],
  reads: ReadOptions,
  functions: readonly SourceText[] = [],
): TranslateOptions {
  return {
    parameters: Object.fromEntries(parameters.map((parameter) => [parameter.name, parameterType(parameter)])),
    ...reads,
    functions,
    instant: 'parameter',
    bytes: 'text',
    nullElements: 'fail',
  };
}
