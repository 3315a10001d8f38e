// The sources of quern.yaml beside the ones that quern knows by itself.
import { QuernError, SEE_ENGINES_TEXT } from '../errors.ts';
import { inFolders, readByForms, type TableColumn } from '../sql/layouts/index.ts';
import type { Source, SourceCatalog, SourceColumn } from '../sql/source.ts';
import { STRING } from '../sql/types.ts';
import { withDeclared } from './declared.ts';
import type { Section, SourceDefinition } from './definition.ts';
import { problemOf } from './source-problem.ts';
import type { DefinedTable } from './stored-definition.ts';
import type { DeclaredColumn } from './table-schema.ts';
import { sourceFromTable } from './table-source.ts';
import { tableText } from './table-text.ts';
import { UndescribedTable } from './with-tables.ts';

/** What is in the files of a source. */
export interface FilesFacts {
  readonly columns: readonly TableColumn[];
  /** The values of folders `key=value`. */
  readonly partitions: readonly TableColumn[];
  /** Types that the stored ones do not say; the project's own words go before them. */
  readonly declared: readonly DeclaredColumn[];
  readonly forms?: Readonly<Record<string, readonly string[]>> | undefined;
  /** How many bytes of a file's path queries do not see. */
  readonly prefix: number;
  readonly read?: Source['read'];
  readonly structsOfNulls?: Source['structsOfNulls'];
}

/** What was found out about a source: the columns of its table, what it was loaded as, what is in its files, or why it cannot be read. */
export type SourceFacts =
  | { readonly columns: readonly TableColumn[] }
  | { readonly stored: DefinedTable }
  | { readonly files: FilesFacts }
  | { readonly problem: QuernError };

/** What a table was loaded as; undefined for another. */
export type FindStored = (definition: SourceDefinition) => DefinedTable | undefined;

/** The definitions as queries name them, with what was found out about each. */
interface DefinedSources {
  /** Names and aliases. */
  names(): readonly string[];
  find(name: string): SourceDefinition | undefined;
  /** undefined where it has yet to be looked at. */
  factsOf(definition: SourceDefinition): SourceFacts | undefined;
  /** Whether it has yet to be found out if there is a source of that name. */
  isOpen(name: string): boolean;
}

/**
 * The catalog of the sources that are defined, in front of `known`. One whose table is missing or does not fit fails when a query names it, so that the others
 * can be used. `section` is where they were declared, for places in messages.
 */
export function projectSources(defined: DefinedSources, section: Section, known: SourceCatalog): SourceCatalog {
  const made = new Map<SourceDefinition, Source | QuernError>();
  return {
    get names() {
      return [...new Set([...defined.names(), ...known.names])];
    },
    find(name) {
      const definition = defined.find(name);
      if (definition === undefined && defined.isOpen(name)) throw new UndescribedTable(name);
      if (definition === undefined) return known.find(name);
      const facts = defined.factsOf(definition);
      if (facts === undefined) throw new UndescribedTable(definition.name);
      const source = made.get(definition) ?? toSource(definition, section, facts);
      made.set(definition, source);
      if (source instanceof QuernError) throw source;
      return source;
    },
  };
}

function toSource(definition: SourceDefinition, section: Section, facts: SourceFacts): Source | QuernError {
  try {
    return readSource(definition, facts);
  } catch (cause) {
    return placed(definition, section, problemOf(cause));
  }
}

function readSource(definition: SourceDefinition, facts: SourceFacts): Source {
  if ('problem' in facts) throw facts.problem;
  if ('stored' in facts) return sourceFromTable(facts.stored.definition, facts.stored.columns);
  if ('columns' in facts) return sourceFromTable(definition, facts.columns);
  const { columns, partitions, declared, forms = {}, prefix, read, structsOfNulls } = facts.files;
  const source = sourceFromTable(withDeclared(definition, declared), [...columns, ...partitions]);
  const keys = new Set(partitions.map(({ name }) => name));
  return {
    ...source,
    ...(read === undefined ? {} : { read }),
    ...(structsOfNulls === undefined ? {} : { structsOfNulls }),
    columns: [
      ...source.columns.map((column) => ({ ...column, read: readByForms(inFolders(column.read, keys), column.type, forms) })),
      fileName(prefix),
    ],
  };
}

/** The failure as one of the source, with its place in quern.yaml. */
export function placed(definition: SourceDefinition, section: Section, cause: QuernError): QuernError {
  const isTyped = definition.files?.byUser === true; // in FROM, and not in the section
  const span = isTyped ? undefined : section.spanAt?.([definition.name, definition.files === undefined ? 'table' : 'file']);
  const place = section.source === undefined || span === undefined ? {} : { source: section.source, span };
  const { hint, engineWords } = cause.details;
  const known = { ...place, cause, ofSource: true } as const;
  if (cause.code === 'config' || definition.files !== undefined) return new QuernError('config', cause.message, { ...known, hint });
  const at = `sources.${definition.name}`;
  return engineWords === undefined
    ? new QuernError('config', `${at}: ${cause.message}`, { ...known, hint })
    : new QuernError('config', `${at}: ClickHouse cannot describe the table ${tableText(definition)}: ${engineWords}`, {
        ...known,
        hint: SEE_ENGINES_TEXT,
      });
}

/** The file that a row is from. Like BigQuery's, `*` does not show it. https://cloud.google.com/bigquery/docs/query-cloud-storage-data#query_the_file_name_pseudo-column */
const fileName = (prefix: number): SourceColumn => ({
  name: '_FILE_NAME',
  type: STRING,
  read: { layout: 'column', column: '_path', clickhouseType: 'LowCardinality(String)', ...(prefix === 0 ? {} : { prefix }) },
  pseudo: true,
});
