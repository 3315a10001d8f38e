// How a saved query is given to the translator: its parameters' types, the sources, and the saved queries that it reads as tables.
import type { SourceText } from '../source-text.ts';
import type { SourceCatalog } from '../sql/source.ts';
import type { TranslateOptions } from '../sql/translation.ts';
import type { QueryCatalog } from './catalog.ts';
import { type Expansion, expandSavedQueries } from './expand.ts';
import { parameterType } from './parameter-value.ts';
import type { ParameterDeclaration, SavedQuery } from './saved-query.ts';

/** Throws as expandSavedQueries does. */
export function translateOptions(
  query: SavedQuery,
  catalog: QueryCatalog,
  sources: SourceCatalog,
): Expansion & { readonly options: TranslateOptions } {
  const { parameters, uses, named } = expandSavedQueries(query, catalog, sources);
  return {
    parameters,
    uses,
    named,
    options: optionsOver(parameters, sources, (table) => uses.get(table)?.source.text, catalog.functions()),
  };
}

/** How every query that is to run is translated. */
export function optionsOver(
  parameters: readonly ParameterDeclaration[],
  sources: SourceCatalog,
  savedQuery: (table: string) => string | undefined,
  functions: readonly SourceText[] = [],
): TranslateOptions {
  return {
    parameters: Object.fromEntries(parameters.map((parameter) => [parameter.name, parameterType(parameter)])),
    parameterExpressions: Object.fromEntries(
      parameters.flatMap(({ name, expression }) => (expression === undefined ? [] : [[name, expression]])),
    ),
    sources,
    functions,
    savedQuery,
    instant: 'parameter',
    bytes: 'text',
    nullElements: 'fail',
  };
}
