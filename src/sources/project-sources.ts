// The sources of quern.yaml beside the ones that quern knows by itself.
import { QuernError } from '../errors.ts';
import { quoteIdentifier } from '../sql/clickhouse/quote.ts';
import type { Source, SourceCatalog } from '../sql/source.ts';
import { readDefinitions, type Section, type SourceDefinition } from './definition.ts';
import { sourceFromTable } from './table-source.ts';

/** Runs a query of quern's own and gives its rows. */
type AskEngine = (sql: string) => Promise<readonly (readonly unknown[])[]>;

/**
 * The catalog of `section`'s sources, in front of `known`. Every table is described once; a source whose table is missing or does not fit
 * fails when a query names it, so that the others can be used. Throws QuernError `config` for the section's own problems.
 */
export async function projectSources(section: Section, known: SourceCatalog, ask: AskEngine): Promise<SourceCatalog> {
  const byName = new Map<string, Source | QuernError>();
  const definitions = readDefinitions(section);
  for (const definition of definitions) {
    const source = await describe(definition, section, ask);
    for (const name of [definition.name, ...definition.aliases]) byName.set(name.toLowerCase(), source);
  }
  return {
    names: [...new Set([...definitions.flatMap(({ name, aliases }) => [name, ...aliases]), ...known.names])],
    find(name) {
      const found = byName.get(name.toLowerCase());
      if (found instanceof QuernError) throw found;
      return found ?? known.find(name);
    },
  };
}

async function describe(definition: SourceDefinition, section: Section, ask: AskEngine): Promise<Source | QuernError> {
  const { name, database, table } = definition;
  const qualified = [...(database === undefined ? [] : [database]), table].map(quoteIdentifier).join('.');
  const span = section.spanAt?.([name, 'table']);
  const place = section.source === undefined || span === undefined ? {} : { source: section.source, span };
  try {
    const rows = await ask(`DESCRIBE TABLE ${qualified}`);
    return sourceFromTable(
      definition,
      rows.map(([column, type]) => ({ name: String(column), type: String(type) })),
    );
  } catch (cause) {
    if (!(cause instanceof QuernError)) throw cause;
    const message = cause.code === 'config' ? cause.message : `sources.${name}: the engine cannot describe the table ${qualified}`;
    const { hint } = cause.details;
    return new QuernError('config', message, { ...place, cause, ...(hint === undefined ? {} : { hint }) });
  }
}
