// The sources of quern.yaml beside the ones that quern knows by itself.
import { type ErrorCode, QuernError } from '../errors.ts';
import type { TableColumn } from '../sql/layouts/index.ts';
import type { Source, SourceCatalog } from '../sql/source.ts';
import type { Section, SourceDefinition } from './definition.ts';
import { sourceFromTable } from './table-source.ts';
import { tableText } from './table-text.ts';

/** The columns of a table, which is written as in FROM. */
export type DescribeTable = (table: string) => Promise<readonly TableColumn[]>;

/** Failures that are about the engine, not about a table. */
const BEYOND_THE_TABLE: readonly ErrorCode[] = ['unreachable', 'timeout', 'interrupted', 'internal'];

/**
 * The catalog of `definitions`, in front of `known`. Every table is described once; a source whose table is missing or does not fit
 * fails when a query names it, so that the others can be used. `section` is where they were declared, for places in messages.
 */
export async function projectSources(
  definitions: readonly SourceDefinition[],
  section: Section,
  known: SourceCatalog,
  describe: DescribeTable,
): Promise<SourceCatalog> {
  const byName = new Map<string, Source | QuernError>();
  const sources = await Promise.all(definitions.map((definition) => toSource(definition, section, describe)));
  for (const [i, { name, aliases }] of definitions.entries()) {
    const source = sources[i];
    if (source !== undefined) for (const each of [name, ...aliases]) byName.set(each.toLowerCase(), source);
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

async function toSource(definition: SourceDefinition, section: Section, describe: DescribeTable): Promise<Source | QuernError> {
  const table = tableText(definition);
  const span = section.spanAt?.([definition.name, 'table']);
  const place = section.source === undefined || span === undefined ? {} : { source: section.source, span };
  try {
    return sourceFromTable(definition, await describe(table));
  } catch (cause) {
    if (!(cause instanceof QuernError) || BEYOND_THE_TABLE.includes(cause.code)) throw cause;
    const message = cause.code === 'config' ? cause.message : `sources.${definition.name}: the engine cannot describe the table ${table}`;
    const { hint } = cause.details;
    return new QuernError('config', message, { ...place, cause, hint });
  }
}
