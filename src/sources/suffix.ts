// Wildcard tables, https://cloud.google.com/bigquery/docs/querying-wildcard-tables: what `_TABLE_SUFFIX` is, and which rows belong to a name with more of it.
// And what `_PARTITIONTIME` and `_PARTITIONDATE` are of a table that is not one of BigQuery's.

import { STRING, type Type } from '../sql/base/types.ts';
import type { Source, SourceColumn } from '../sql/source.ts';
import type { SourceDefinition } from './source-definition.ts';

const SUFFIX = '_TABLE_SUFFIX';

type Computed = NonNullable<Source['computed']>;

/** The name of the table that a row is from, without the prefix that all of them have. */
export function suffixOfTables({ wildcard, table }: SourceDefinition): readonly SourceColumn[] {
  if (wildcard !== true) return [];
  const prefix = new TextEncoder().encode(table).length;
  return [
    {
      name: SUFFIX,
      type: STRING,
      pseudo: true,
      read: { layout: 'column', column: '_table', clickhouseType: 'LowCardinality(String)', prefix },
    },
  ];
}

/** What the definition says of suffixes and partitions; `typeOf` is that of a column, undefined for another expression. */
export function computedColumns({ suffix, partition }: SourceDefinition, columns: readonly SourceColumn[]): Computed {
  const columnOf = (text: string): SourceColumn | undefined => columns.find(({ name }) => name.toLowerCase() === text.toLowerCase());
  const typeOf = (text: string): Type | undefined => columnOf(text)?.type;
  // A column may be called as a word of the language is.
  const expression = (text: string): string => (columnOf(text) === undefined ? text : `\`${text}\``);
  const computed: Computed[number][] = [];
  if (suffix !== undefined) computed.push({ name: SUFFIX, expression: asSuffix(expression(suffix), typeOf(suffix)) });
  if (partition !== undefined) {
    const [day, type] = [expression(partition), typeOf(partition)];
    computed.push(
      { name: '_PARTITIONTIME', expression: `TIMESTAMP_TRUNC(${asTimestamp(day, type)}, DAY)` },
      { name: '_PARTITIONDATE', expression: type?.kind === 'DATE' ? day : `DATE(${day})` },
    );
  }
  return computed;
}

/** A time is the suffix that a table of its day has. */
function asSuffix(expression: string, type: Type | undefined): string {
  switch (type?.kind) {
    case 'DATE':
      return `FORMAT_DATE('%Y%m%d', ${expression})`;
    case 'TIMESTAMP':
    case 'DATETIME':
      return `FORMAT_DATE('%Y%m%d', DATE(${expression}))`;
    case 'INT64':
      return `CAST(${expression} AS STRING)`;
    default:
      return expression;
  }
}

const asTimestamp = (expression: string, type: Type | undefined): string =>
  type?.kind === 'TIMESTAMP' ? expression : `TIMESTAMP(${expression})`;

/** The rows of `source` that a name stands for which goes on with `rest` where the source's own has a star: `20260115`, or `202601*`. */
export function narrowed(source: Source, rest: string): Source {
  const suffix = source.computed?.find((column) => column.name === SUFFIX)?.expression;
  if (suffix === undefined || rest === '*') return source;
  const others = (source.computed ?? []).filter((column) => column.name !== SUFFIX);
  if (!rest.endsWith('*')) return { ...source, computed: others, only: `${suffix} = ${literal(rest)}` };
  const begin = rest.slice(0, -1);
  return {
    ...source,
    computed: [...others, { name: SUFFIX, expression: `SUBSTR(${suffix}, ${[...begin].length + 1})` }],
    only: `STARTS_WITH(${suffix}, ${literal(begin)})`,
  };
}

/** Of letters, digits, `_` and `-`: see the names that get here. */
const literal = (text: string): string => `'${text}'`;
