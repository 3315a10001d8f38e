// Rows of files as values of BigQuery's types: what a query over the files reads.
import { translate } from '../../sql/index.ts';
import { type FilesFacts, readSource } from '../facts.ts';
import { type FilesDescription, shownFacts } from '../files/description.ts';
import { type EngineFiles, FOLDERS_ARE_FOLDERS, fileFunction } from '../files/engine-files.ts';
import { bareDefinition } from '../source-definition.ts';
import type { DeclaredColumn } from '../table-schema.ts';

/** ClickHouse SQL of rows, and the settings that it relies on. */
interface FilesSelect {
  readonly sql: string;
  readonly settings: Readonly<Record<string, string | number>>;
}

/** GoogleSQL of an identifier. */
export const quoted = (name: string): string => `\`${JSON.stringify(name).slice(1, -1).replaceAll('`', '\\`')}\``;

/** The rows of files: of each row the GoogleSQL expressions `values`, called v0, v1 and so on. `schema` says which types columns are declared to have. */
export function selectFrom(
  files: EngineFiles,
  description: FilesDescription,
  schema: readonly DeclaredColumn[],
  values: readonly string[],
): FilesSelect {
  const { sql, from, settings } = selectOver(shownFacts(description), schema, values);
  const { format, columns, view, settings: own } = description;
  const rows = fileFunction(files, format, columns);
  return {
    sql: sql.replace(from, () => (view === undefined ? rows : `(${view.sql.replace(view.from, () => rows)})`)),
    settings: { ...settings, ...own, ...FOLDERS_ARE_FOLDERS },
  };
}

/** The same of rows that the ClickHouse SQL has for the identifier `from`. */
export function selectOver(
  facts: Omit<FilesFacts, 'prefix'>,
  schema: readonly DeclaredColumn[],
  values: readonly string[],
): FilesSelect & { readonly from: string } {
  const name = `input_${Math.random().toString(36).slice(2)}`;
  const table = `files.${name}`;
  const definition = bareDefinition(name, { table, kind: 'table', schema });
  const source = readSource(definition, { files: { ...facts, prefix: 0 } });
  const sources = { names: [name], find: (wanted: string) => (wanted === name ? source : undefined) };
  const { sql, settings } = translate(`select ${values.map((value, i) => `${value} as v${i}`).join(', ')} from ${name}`, { sources });
  return { sql, from: `\`${table}\``, settings };
}
