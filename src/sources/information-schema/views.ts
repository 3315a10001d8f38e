// INFORMATION_SCHEMA of what queries can read, under BigQuery's names: https://cloud.google.com/bigquery/docs/information-schema-intro
import { QuernError } from '../../base/errors.ts';
import { typeName } from '../../sql/base/types.ts';
import type { Source, SourceCatalog } from '../../sql/source.ts';
import { placeOfSource } from '../bigquery-name.ts';
import { type NameRule, ruledOutOfTheEngine } from '../names.ts';

interface InformationSchema {
  /** What stands before it: the dataset, `my-proj.shop`, or a region, or nothing. */
  readonly dataset: readonly string[];
  readonly view: keyof typeof VIEWS;
}

interface Entry {
  readonly name: string;
  readonly source: Source;
}

type Cell = string | number | null;
/** Columns with their types, and the rows of one table. */
interface View {
  readonly columns: Readonly<Record<string, 'STRING' | 'INT64'>>;
  readonly rows: (entry: Entry) => readonly (readonly Cell[])[];
}

const place = { table_catalog: 'STRING', table_schema: 'STRING', table_name: 'STRING' } as const;

const VIEWS = {
  TABLES: {
    columns: { ...place, table_type: 'STRING', is_insertable_into: 'STRING', is_typed: 'STRING' },
    rows: ({ name }) => [[...parts(name), 'BASE TABLE', 'NO', 'NO']],
  },
  COLUMNS: {
    columns: {
      ...place,
      column_name: 'STRING',
      ordinal_position: 'INT64',
      is_nullable: 'STRING',
      data_type: 'STRING',
      is_hidden: 'STRING',
      is_partitioning_column: 'STRING',
    },
    rows: ({ name, source }) =>
      source.columns
        .filter((column) => column.pseudo === undefined)
        .map((column, i) => [...parts(name), column.name, i + 1, isNullable(column), typeName(column.type), 'NO', 'NO']),
  },
} as const satisfies Record<string, View>;

const isNullable = ({ type, read }: Source['columns'][number]): string =>
  type.kind === 'ARRAY' || (read.layout === 'column' && !/Nullable|Dynamic|Variant/.test(read.clickhouseType)) ? 'NO' : 'YES';

function parts(name: string): readonly [string, string, string] {
  const { project, dataset, table } = placeOfSource(name);
  return [project, dataset, table];
}

/** What a name in FROM asks of INFORMATION_SCHEMA, if it does. Throws QuernError for a view that there is not, unless a rule leads its name to a table. */
export function informationSchemaOf(name: string, rules: readonly NameRule[]): InformationSchema | undefined {
  const all = name.split('.');
  const at = all.findIndex((part) => part.toUpperCase() === 'INFORMATION_SCHEMA');
  if (at < 0 || at !== all.length - 2) return undefined;
  const view = (all.at(-1) ?? '').toUpperCase();
  if (!isView(view)) {
    if (ruledOutOfTheEngine(name, rules)) return undefined;
    const rule = `"${[...all.slice(0, at).map(() => '*'), 'INFORMATION_SCHEMA', view].join('.')}": "audit.${view.toLowerCase()}"`;
    throw new QuernError('unknown-source', `INFORMATION_SCHEMA.${view} is not supported`, {
      hint: `the views are ${Object.keys(VIEWS).join(', ')}; a rule can lead to a table of yours: names: { ${rule} }`,
    });
  }
  const dataset = all.slice(0, at).filter((part) => !/^region-/i.test(part));
  return { dataset, view };
}

const isView = (name: string): name is InformationSchema['view'] => Object.hasOwn(VIEWS, name);

/** The tables of the dataset that the catalog knows by name, and `others`, as the rows of the view: a query without tables. */
export function informationSchemaQuery({ dataset, view }: InformationSchema, catalog: SourceCatalog, others: readonly Entry[]): string {
  const prefix = dataset.map((part) => `${part.toLowerCase()}.`).join('');
  const known = catalog.names.flatMap((name): readonly Entry[] => {
    const inside = prefix === '' || (name.toLowerCase().startsWith(prefix) && !name.slice(prefix.length).includes('.'));
    const source = inside ? readable(catalog, name) : undefined;
    return source === undefined ? [] : [{ name, source }];
  });
  const names = new Set(known.map(({ name }) => name.toLowerCase()));
  const entries = [...known, ...others.filter(({ name }) => !names.has(name.toLowerCase()))];
  const { columns, rows }: View = VIEWS[view];
  const cells = JSON.stringify(entries.flatMap(rows));
  const items = Object.entries(columns).map(([name, type], i) => {
    const value = `JSON_VALUE(cells, '$[${i}]')`;
    return `${type === 'STRING' ? value : `CAST(${value} AS ${type})`} AS ${name}`;
  });
  return `SELECT ${items.join(', ')} FROM UNNEST(JSON_QUERY_ARRAY(${quoted(cells)})) AS cells`;
}

/** What the name stands for; undefined for a source that cannot be read, which has no columns to show. */
export function readable(catalog: SourceCatalog, name: string): Source | undefined {
  try {
    const source = catalog.find(name);
    return source === undefined || source.absent !== undefined || source.query !== undefined ? undefined : source;
  } catch (error) {
    if (error instanceof QuernError) return undefined;
    throw error;
  }
}

/** A GoogleSQL text: JSON escapes what must be in the same way, but for the apostrophe. */
const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
