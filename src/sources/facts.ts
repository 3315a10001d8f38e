// What was found out about a source of the project, and the source that the translator sees.
import { QuernError, SEE_ENGINES_TEXT } from '../base/errors.ts';
import type { Section } from '../fields/value-at.ts';
import { STRING } from '../sql/base/types.ts';
import { inFolders, readByForms, type TableColumn } from '../sql/layouts/index.ts';
import type { Source, SourceColumn } from '../sql/source.ts';
import type { SourceDefinition } from './definition.ts';
import type { DefinedTable } from './loaded/stored-definition.ts';
import { withDeclared } from './source-definition.ts';
import { problemOf } from './source-problem.ts';
import { sourceFromTable } from './table/table-source.ts';
import type { DeclaredColumn } from './table-schema.ts';
import { tableText } from './table-text.ts';

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

/** What the engine says of a table. */
export interface TableFacts {
  readonly columns: readonly TableColumn[];
  /** Its rows are on several servers. */
  readonly sharded?: true;
  /** The cluster whose shards have the table: that of a Distributed table, or the one by whose name it is read, if the server that is asked has it too. */
  readonly distributedOver?: string;
  /** It is so because it reads other tables. */
  readonly readsOthers?: true;
}

/** What was found out about a source: the columns of its table, what it was loaded as, what is in its files, or why it cannot be read. */
export type SourceFacts =
  | TableFacts
  | { readonly stored: DefinedTable }
  | { readonly files: FilesFacts }
  | { readonly problem: QuernError };

/** Throws QuernError `config`, with a place in `section`, where the source cannot be read. */
export function sourceOfFacts(definition: SourceDefinition, section: Section, facts: SourceFacts): Source {
  try {
    return readSource(definition, facts);
  } catch (cause) {
    throw placed(definition, section, problemOf(cause));
  }
}

/** The source that is defined so, by what was found out about it. Throws QuernError `config` where the two do not fit. */
export function readSource(definition: SourceDefinition, facts: SourceFacts): Source {
  if ('problem' in facts) throw facts.problem;
  if ('stored' in facts) return sourceFromTable(facts.stored.definition, facts.stored.columns);
  if ('columns' in facts) return sourceOfTable(definition, facts);
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

export const sourceOfTable = (definition: SourceDefinition, { columns, sharded, distributedOver, readsOthers }: TableFacts): Source => ({
  ...sourceFromTable(definition, columns),
  ...(sharded === undefined ? {} : { sharded }),
  ...(distributedOver === undefined ? {} : { distributedOver }),
  ...(readsOthers === undefined ? {} : { readsOthers }),
});

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
