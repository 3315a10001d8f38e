// Rows of a table function as values of BigQuery's types. It takes the translator, which nothing else of a load needs.
import { translate } from '../../sql/index.ts';
import type { TableColumn } from '../../sql/layouts/index.ts';
import { TABLES_DATABASE } from '../table-names.ts';
import type { DeclaredColumn } from '../table-schema.ts';
import { storedTableSource } from './stored-table.ts';

/** ClickHouse SQL of rows, and the settings that it relies on. */
interface StoredSelect {
  readonly sql: string;
  readonly settings: Readonly<Record<string, string | number>>;
}

/** The rows of a table function that has the columns `found`, as values of the types of `columns`, called v0, v1 and so on. */
export function selectAs(from: string, found: readonly TableColumn[], columns: readonly DeclaredColumn[]): StoredSelect {
  const table = `input_${Math.random().toString(36).slice(2)}`;
  const source = storedTableSource({
    name: table,
    columns: columns.map((column) => ({ ...column, stored: found.find(({ name }) => name === column.name)?.type ?? '' })),
  });
  const names = columns.map(({ name }, i) => `\`${name.replace(/[\\`]/g, '\\$&')}\` as v${i}`).join(', ');
  const catalog = { names: [table], find: (name: string) => (name === table ? source : undefined) };
  const { sql, settings } = translate(`select ${names} from ${table}`, { sources: catalog });
  return { sql: sql.replace(`${TABLES_DATABASE}.${table}`, () => from), settings };
}
