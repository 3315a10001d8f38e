// What the rows of a table's time were made of: a stamp that changes whenever they could. It is the content of the parts that hold the time, and of what the
// table says of its columns; a merge gives other parts, and another stamp, although the rows are the same.
import { createHash } from 'node:crypto';
import { quoteString } from '../../clickhouse/quote.ts';
import type { BucketedTranslation } from '../../sql/translation.ts';
import type { Period } from './periods.ts';

interface Part {
  /** Its name, which none before it had, and the hash of all its files. */
  readonly content: string;
  /** Undefined where it may hold any time. */
  readonly times: Period | undefined;
}

export interface TableState {
  /** Its identity and definition. */
  readonly definition: string;
  readonly parts: readonly Part[];
}

/**
 * Asks for the state of a table: one row. A part knows between which seconds its rows lie where the table is partitioned by that time alone.
 * https://clickhouse.com/docs/operations/system-tables/parts
 */
export function stateQuery({ database, name }: BucketedTranslation['table']): string {
  const of = (nameColumn: string): string =>
    `database = ${database === undefined ? 'currentDatabase()' : quoteString(database)} AND ${nameColumn} = ${quoteString(name)}`;
  return `SELECT
  (SELECT (engine, toString(uuid), toString(metadata_modification_time), create_table_query) FROM system.tables WHERE ${of('name')}),
  (SELECT groupArray((name, toBool(is_in_partition_key), default_kind)) FROM system.columns
    WHERE ${of('table')} AND (is_in_partition_key OR default_kind = 'ALIAS')),
  (SELECT count() FROM system.mutations WHERE ${of('table')} AND NOT is_done),
  (SELECT groupArray((concat(name, ' ', hash_of_all_files), partition_id, toUnixTimestamp(min_time), toUnixTimestamp(max_time)))
    FROM system.parts WHERE active AND ${of('table')})`;
}

/** The state that the row says, or why there is none to rely on. */
export function readState(row: readonly unknown[], { times }: BucketedTranslation['table']): TableState | string {
  // The shape is that of stateQuery.
  const [definition, columns, mutations, parts] = row as unknown as [
    readonly string[] | null,
    readonly (readonly [string, boolean, string])[] | null,
    number | string,
    readonly (readonly [string, string, number | string, number | string])[] | null,
  ];
  const [engine = ''] = definition ?? [];
  // Of other engines, merges change what a SELECT sees, or another replica may answer.
  if (engine !== 'MergeTree') return `its table is ${engine === '' ? 'not shown to this login' : `of the engine ${engine}`}`;
  if (columns?.some(([, , kind]) => kind === 'ALIAS') === true) return 'its table has ALIAS columns';
  if (Number(mutations) > 0) return 'its table is being changed by a mutation';
  const key = columns?.filter(([, inKey]) => inKey) ?? [];
  const byTime = key.length === 1 && times.includes(key[0]?.[0] ?? '');
  return {
    definition: JSON.stringify(definition),
    parts: (parts ?? []).map(([content, partition, first, last]) => ({
      content,
      times: byTime ? timesOf(partition, Number(first), Number(last)) : undefined,
    })),
  };
}

/**
 * The seconds are of 32 bits, and times beyond 2106 come out as others: these are told by the year with which the name of the partition begins.
 */
function timesOf(partition: string, first: number, last: number): Period | undefined {
  if (!/^\d{6}(?:\d{2})?$/.test(partition) || first <= 0 || last < first) return undefined;
  const year = Number(partition.slice(0, 4));
  if ([first, last].some((second) => Math.abs(new Date(second * 1000).getUTCFullYear() - year) > 1)) return undefined;
  return { start: first * 1e6, end: (last + 1) * 1e6 };
}

/** The stamp of the rows of a period. */
export function stampOf({ definition, parts }: TableState, { start, end }: Period): string {
  const contents = parts.flatMap(({ content, times }) =>
    times === undefined || (times.start < end && times.end > start) ? [content] : [],
  );
  return createHash('sha256')
    .update(JSON.stringify([definition, ...contents.sort()]))
    .digest('hex')
    .slice(0, 32);
}
