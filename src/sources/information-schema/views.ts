// INFORMATION_SCHEMA of what queries can read, under BigQuery's names: https://cloud.google.com/bigquery/docs/information-schema-intro
// Columns that could only be NULL, or hold arrays, are left out where no client asks for them.
import { QuernError } from '../../base/errors.ts';
import { type Type, typeName } from '../../sql/base/types.ts';
import { isInformationSchema, listsDatasets, OWN_PROJECT } from '../bigquery-name.ts';
import { type NameRule, ruledOutOfTheEngine } from '../names.ts';
import type { ListedColumn, ListedTable, WantedTables } from './list-tables.ts';

/** A saved query that takes arguments, as a table function. */
export interface ListedRoutine {
  readonly dataset: string;
  readonly name: string;
  readonly description?: string | undefined;
  readonly parameters: readonly { readonly name: string; readonly type: Type }[];
  readonly columns: readonly ListedColumn[];
  readonly query: string;
}

interface InformationSchema extends WantedTables {
  readonly view: keyof typeof VIEWS;
}

/** What there is in the datasets that are asked for. */
interface Listing {
  readonly project: string | undefined;
  /** Those of a server: a dataset may be empty. */
  readonly databases: readonly string[];
  readonly tables: readonly ListedTable[];
  readonly routines: readonly ListedRoutine[];
}

type Cell = string | number | null;
type Row = Readonly<Record<string, Cell | undefined>>;
interface View {
  /** As CREATE TABLE has them, but that a STRING goes without its type. */
  readonly columns: string;
  readonly rows: (listing: Listing) => readonly Row[];
}

const PLACE = 'table_catalog, table_schema, table_name';
const SPECIFIC = 'specific_catalog, specific_schema, specific_name';
const CONSTRAINT = 'constraint_catalog, constraint_schema, constraint_name';

const projectOf = (listing: Listing, own?: string): string => listing.project ?? own ?? OWN_PROJECT;
const placeOf = (listing: Listing, { project, dataset, table }: ListedTable): Row => ({
  table_catalog: projectOf(listing, project),
  table_schema: dataset,
  table_name: table,
});
const specificOf = (listing: Listing, { dataset, name }: ListedRoutine): Row => ({
  specific_catalog: projectOf(listing),
  specific_schema: dataset,
  specific_name: name,
});
const yesOrNo = (is: boolean): string => (is ? 'YES' : 'NO');
const timeOf = ({ size }: ListedTable): string | undefined =>
  size === undefined ? undefined : new Date(size.changed * 1000).toISOString();
const millisOf = ({ size }: ListedTable): number => (size?.changed ?? 0) * 1000;
const none = (): readonly Row[] => [];
const metaTables = (listing: Listing): readonly Row[] =>
  listing.tables.map((table) => ({
    project_id: projectOf(listing, table.project),
    dataset_id: table.dataset,
    table_id: table.table,
    creation_time: millisOf(table),
    last_modified_time: millisOf(table),
    row_count: table.query === undefined ? table.size?.rows : 0,
    size_bytes: table.query === undefined ? table.size?.bytes : 0,
    type: table.query === undefined ? 1 : 2,
  }));

const VIEWS = {
  SCHEMATA: {
    columns:
      'catalog_name, schema_name, schema_owner, creation_time TIMESTAMP, last_modified_time TIMESTAMP, location, ddl, default_collation_name',
    rows: (listing) => datasetsOf(listing).map((dataset) => ({ catalog_name: projectOf(listing), schema_name: dataset, location: 'US' })),
  },
  TABLES: {
    columns: `${PLACE}, table_type, managed_table_type, is_insertable_into, is_fine_grained_mutations_enabled, is_typed, is_change_history_enabled, creation_time TIMESTAMP, base_table_catalog, base_table_schema, base_table_name, snapshot_time_ms TIMESTAMP, ddl, default_collation_name`,
    rows: (listing) =>
      listing.tables.map((table) => ({
        ...placeOf(listing, table),
        table_type: table.query === undefined ? 'BASE TABLE' : 'VIEW',
        is_insertable_into: 'NO',
        is_fine_grained_mutations_enabled: 'NO',
        is_typed: 'NO',
        is_change_history_enabled: 'NO',
        creation_time: timeOf(table),
      })),
  },
  COLUMNS: {
    columns: `${PLACE}, column_name, ordinal_position INT64, is_nullable, data_type, is_generated, generation_expression, is_stored, is_hidden, is_updatable, is_system_defined, is_partitioning_column, clustering_ordinal_position INT64, collation_name, column_default, rounding_mode`,
    rows: (listing) =>
      listing.tables.flatMap((table) =>
        table.columns.map((column, i) => ({
          ...placeOf(listing, table),
          column_name: column.name,
          ordinal_position: i + 1,
          is_nullable: yesOrNo(column.isNullable),
          data_type: typeName(column.type),
          is_generated: 'NEVER',
          is_hidden: 'NO',
          is_system_defined: 'NO',
          is_partitioning_column: 'NO',
          column_default: 'NULL',
        })),
      ),
  },
  COLUMN_FIELD_PATHS: {
    columns: `${PLACE}, column_name, field_path, data_type, description, collation_name, rounding_mode`,
    rows: (listing) =>
      listing.tables.flatMap((table) =>
        table.columns.flatMap((column) =>
          pathsOf(column.name, column.type).map(([path, type]) => ({
            ...placeOf(listing, table),
            column_name: column.name,
            field_path: path,
            data_type: typeName(type),
          })),
        ),
      ),
  },
  VIEWS: {
    columns: `${PLACE}, view_definition, check_option, use_standard_sql`,
    rows: (listing) =>
      listing.tables.flatMap((table) =>
        table.query === undefined ? [] : [{ ...placeOf(listing, table), view_definition: table.query, use_standard_sql: 'YES' }],
      ),
  },
  ROUTINES: {
    columns: `${SPECIFIC}, routine_catalog, routine_schema, routine_name, routine_type, data_type, routine_body, routine_definition, external_language, is_deterministic, security_type, created TIMESTAMP, last_altered TIMESTAMP, ddl, connection`,
    rows: (listing) =>
      listing.routines.map((routine) => ({
        ...specificOf(listing, routine),
        routine_catalog: projectOf(listing),
        routine_schema: routine.dataset,
        routine_name: routine.name,
        routine_type: 'TABLE FUNCTION',
        data_type: `TABLE<${routine.columns.map(({ name, type }) => `${name} ${typeName(type)}`).join(', ')}>`,
        routine_body: 'SQL',
        routine_definition: routine.query,
      })),
  },
  PARAMETERS: {
    columns: `${SPECIFIC}, ordinal_position INT64, parameter_mode, is_result, parameter_name, data_type, parameter_default, is_aggregate`,
    rows: (listing) =>
      listing.routines.flatMap((routine) =>
        routine.parameters.map(({ name, type }, i) => ({
          ...specificOf(listing, routine),
          ordinal_position: i + 1,
          is_result: 'NO',
          parameter_name: name,
          data_type: typeName(type),
        })),
      ),
  },
  __TABLES__: {
    columns:
      'project_id, dataset_id, table_id, creation_time INT64, last_modified_time INT64, row_count INT64, size_bytes INT64, type INT64',
    rows: metaTables,
  },
  __TABLES_SUMMARY__: { columns: 'project_id, dataset_id, table_id, creation_time INT64, type INT64', rows: metaTables },
  // Of what these list there is nothing here; catalogs of clients join them.
  TABLE_OPTIONS: { columns: `${PLACE}, option_name, option_type, option_value`, rows: none },
  COLUMN_OPTIONS: {
    columns: `${PLACE}, column_name, option_name, option_type, option_value`,
    rows: none,
  },
  SCHEMATA_OPTIONS: {
    columns: 'catalog_name, schema_name, option_name, option_type, option_value',
    rows: none,
  },
  MATERIALIZED_VIEWS: {
    columns: `${PLACE}, last_refresh_time TIMESTAMP, refresh_watermark TIMESTAMP`,
    rows: none,
  },
  TABLE_CONSTRAINTS: {
    columns: `${CONSTRAINT}, ${PLACE}, constraint_type, is_deferrable, initially_deferred, enforced`,
    rows: none,
  },
  KEY_COLUMN_USAGE: {
    columns: `${CONSTRAINT}, ${PLACE}, column_name, ordinal_position INT64, position_in_unique_constraint INT64`,
    rows: none,
  },
} as const satisfies Record<string, View>;

const datasetsOf = ({ databases, tables, routines }: Listing): readonly string[] =>
  [...new Set([...databases, ...[...tables, ...routines].map(({ dataset }) => dataset)])].sort();

/** Returns the paths of a column and of the fields in it, at any depth. */
function pathsOf(path: string, type: Type): readonly (readonly [string, Type])[] {
  const inner = type.kind === 'ARRAY' ? type.element : type;
  const fields = inner.kind === 'STRUCT' || inner.kind === 'RECORD' ? inner.fields : [];
  return [[path, type] as const, ...fields.flatMap(({ name, type: field }) => (name === null ? [] : pathsOf(`${path}.${name}`, field)))];
}

/** What a name in FROM asks of INFORMATION_SCHEMA, if it does. Throws QuernError for a view that there is not, unless a rule leads its name to a table. */
export function informationSchemaOf(name: string, rules: readonly NameRule[]): InformationSchema | undefined {
  if (!isInformationSchema(name)) return undefined;
  const all = name.split('.');
  const view = (all.at(-1) ?? '').toUpperCase();
  const before = all.slice(0, view.endsWith('__') ? -1 : -2);
  if (!OWN_NAMES.has(view) && ruledOutOfTheEngine(name, rules)) return undefined;
  if (!isView(view)) {
    const rule = `"${[...before.map(() => '*'), 'INFORMATION_SCHEMA', view].join('.')}": "audit.${view.toLowerCase()}"`;
    throw new QuernError('unknown-source', `INFORMATION_SCHEMA.${view} is not supported`, {
      hint: `the views are ${SHOWN.join(', ')}; a rule can lead to a table of yours: names: { ${rule} }`,
    });
  }
  const sizes = view === '__TABLES__';
  const namesOnly = view.endsWith('__') || view === 'TABLES' || view === 'SCHEMATA';
  const region = before.findIndex((part) => /^region-/i.test(part));
  if (region >= 0 || listsDatasets(name)) {
    const project = before.slice(0, region < 0 ? undefined : region).join('.') || undefined;
    return { view, sizes, namesOnly, project, everything: true };
  }
  const [dataset, ...project] = before.toReversed();
  return { view, sizes, namesOnly, dataset, project: project.toReversed().join('.') || undefined };
}

/** Views that no rule leads elsewhere. */
const OWN_NAMES: ReadonlySet<string> = new Set(['TABLES', 'COLUMNS', '__TABLES__', '__TABLES_SUMMARY__']);
const isView = (name: string): name is InformationSchema['view'] => Object.hasOwn(VIEWS, name);
const SHOWN = ['SCHEMATA', 'TABLES', 'COLUMNS', 'COLUMN_FIELD_PATHS', 'VIEWS', 'ROUTINES', 'PARAMETERS'];

/** The rows of a view: a query without tables. */
export function informationSchemaQuery(view: InformationSchema['view'], listing: Listing): string {
  const { columns, rows }: View = VIEWS[view];
  const typed = columns.split(', ').map((column) => column.split(' '));
  const cells = JSON.stringify(rows(listing).map((row) => typed.map(([name = '']) => row[name] ?? null)));
  const items = typed.map(([name, type], i) => {
    const value = `JSON_VALUE(cells, '$[${i}]')`;
    return `${type === undefined ? value : `CAST(${value} AS ${type})`} AS ${name}`;
  });
  return `SELECT ${items.join(', ')} FROM UNNEST(JSON_QUERY_ARRAY(${quoted(cells)})) AS cells`;
}

/** A GoogleSQL text: JSON escapes what must be in the same way, but for the apostrophe. */
const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
