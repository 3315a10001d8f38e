// A preset: the log sources as a product keeps them, all in one table. Each product is a file of data in this folder, and a line in presets.ts.
import type { Type } from '../../sql/base/types.ts';
import type { AttributeFacts, TableColumn } from '../../sql/layouts/index.ts';
import { isLeaf, LOG_SOURCES, type LogSource, type RecordFields } from '../log/log-sources.ts';
import type { SourceDefinition } from '../source-definition.ts';

export interface Preset {
  readonly name: string;
  /** The table as its users name it; absent where each has another. */
  readonly table?: string;
  /** Its columns, as DESCRIBE TABLE has them. */
  readonly columns: readonly TableColumn[];
  /** The column that tells the sources apart, and the text that it has for each. */
  readonly told: { readonly by: string; readonly as: (source: LogSource) => string };
  /** The Map column with the fields of `metadata`, and with the columns of a source that the table has not. */
  readonly attributes: string;
  /** Types of such columns that are no texts. */
  readonly types?: Readonly<Record<string, Type>>;
}

/** Returns the definitions of the log sources in `table`, which has what the preset says. */
export function presetDefinitions(preset: Preset, table: Pick<SourceDefinition, 'database' | 'table'>): readonly SourceDefinition[] {
  const { told, attributes, types = {} } = preset;
  return LOG_SOURCES.map((source) => ({
    name: source.name,
    aliases: source.aliases,
    ...table,
    kind: 'logs',
    columns: {
      metadata: { column: attributes },
      ...Object.fromEntries(source.columns.map((name) => [name, { column: attributes, key: name }])),
    },
    fields: {},
    sameAs: {},
    rows: { [told.by]: told.as(source) },
    schema: source.columns.flatMap((name) => (types[name] === undefined ? [] : [{ name, type: types[name] }])),
    attributes: { neverEmpty: true, records: recordsIn(source.metadata) } satisfies AttributeFacts,
  }));
}

/** The dotted paths of the records in a record. */
function recordsIn(fields: RecordFields, prefix = ''): readonly string[] {
  return Object.entries(fields).flatMap(([name, field]) =>
    isLeaf(field) ? [] : [`${prefix}${name}`, ...recordsIn(field, `${prefix}${name}.`)],
  );
}
