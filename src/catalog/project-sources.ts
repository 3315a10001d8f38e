// The sources of quern.yaml beside the ones that quern knows by itself.
import { type ErrorCode, QuernError, SEE_ENGINES_TEXT } from '../errors.ts';
import { readByForms, type TableColumn } from '../sql/layouts/index.ts';
import type { Source, SourceCatalog, SourceColumn } from '../sql/source.ts';
import { STRING } from '../sql/types.ts';
import { withDeclared } from './declared.ts';
import type { Section, SourceDefinition } from './definition.ts';
import type { DefinedTable } from './stored-definition.ts';
import type { DeclaredColumn } from './table-schema.ts';
import { sourceFromTable } from './table-source.ts';
import { tableText } from './table-text.ts';

/** The columns of a table, which is written as in FROM. */
type DescribeTable = (table: string, definition: SourceDefinition) => Promise<readonly TableColumn[]>;

/** What is in the files of a source. */
type DescribeFiles = (definition: SourceDefinition) => {
  readonly columns: readonly TableColumn[];
  /** Types that the stored ones do not say; the project's own words go before them. */
  readonly declared: readonly DeclaredColumn[];
  readonly forms?: Readonly<Record<string, readonly string[]>> | undefined;
  /** How many bytes of a file's path queries do not see. */
  readonly prefix: number;
  readonly read?: Source['read'];
  readonly structsOfNulls?: Source['structsOfNulls'];
};

/** What a table was loaded as; undefined for another. */
export type FindStored = (definition: SourceDefinition) => DefinedTable | undefined;

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
  { files, stored }: { readonly files?: DescribeFiles; readonly stored?: FindStored | undefined } = {},
): Promise<SourceCatalog> {
  const byName = new Map<string, Source | QuernError>();
  const sources = await Promise.all(definitions.map((definition) => toSource(definition, section, describe, { files, stored })));
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

async function toSource(
  definition: SourceDefinition,
  section: Section,
  describe: DescribeTable,
  { files, stored }: { readonly files: DescribeFiles | undefined; readonly stored: FindStored | undefined },
): Promise<Source | QuernError> {
  const table = tableText(definition);
  const isTyped = definition.files?.byUser === true; // in FROM, and not in the section
  const span = isTyped ? undefined : section.spanAt?.([definition.name, definition.files === undefined ? 'table' : 'file']);
  const place = section.source === undefined || span === undefined ? {} : { source: section.source, span };
  try {
    const loaded = stored?.(definition);
    if (loaded !== undefined) return sourceFromTable(loaded.definition, loaded.columns);
    if (definition.files === undefined || files === undefined) return sourceFromTable(definition, await describe(table, definition));
    const { columns, declared, forms = {}, prefix, read, structsOfNulls } = files(definition);
    const source = sourceFromTable(withDeclared(definition, declared), columns);
    return {
      ...source,
      ...(read === undefined ? {} : { read }),
      ...(structsOfNulls === undefined ? {} : { structsOfNulls }),
      columns: [...source.columns.map((column) => ({ ...column, read: readByForms(column.read, column.type, forms) })), fileName(prefix)],
    };
  } catch (cause) {
    if (!(cause instanceof QuernError) || BEYOND_THE_TABLE.includes(cause.code)) throw cause;
    const { hint, engineWords } = cause.details;
    if (cause.code === 'config' || definition.files !== undefined)
      return new QuernError('config', cause.message, { ...place, cause, hint });
    const at = `sources.${definition.name}`;
    return engineWords === undefined
      ? new QuernError('config', `${at}: ${cause.message}`, { ...place, cause, hint })
      : new QuernError('config', `${at}: ClickHouse cannot describe the table ${table}: ${engineWords}`, {
          ...place,
          cause,
          hint: SEE_ENGINES_TEXT,
        });
  }
}

/** The file that a row is from. Like BigQuery's, `*` does not show it. https://cloud.google.com/bigquery/docs/query-cloud-storage-data#query_the_file_name_pseudo-column */
const fileName = (prefix: number): SourceColumn => ({
  name: '_FILE_NAME',
  type: STRING,
  read: { layout: 'column', column: '_path', clickhouseType: 'LowCardinality(String)', ...(prefix === 0 ? {} : { prefix }) },
  pseudo: true,
});
