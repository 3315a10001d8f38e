// The part of quern load that fills tables of the user's own.
import { basename, resolve } from 'node:path';
import { nearest, QuernError } from '../../../base/errors.ts';
import { formatCount } from '../../../base/quantity.ts';
import { type FileFlags, fileOptions, writtenFileFlags } from '../../arguments/file-flags.ts';
import { schemaFlag } from '../../arguments/schema-flag.ts';
import type { Parts } from '../../parts.ts';
import { IS_LOAD, whileShown } from '../../progress-line.ts';

export interface TableFlags extends FileFlags {
  readonly schema?: string;
  readonly replace?: true;
  readonly orderBy?: string;
  readonly partitionBy?: string;
  readonly ignoreUnknownFields?: true;
}

/** The flags that only tables take, as they are written. */
export const tableFlags = (flags: TableFlags): Readonly<Record<string, string | undefined>> => ({
  schema: '--schema',
  replace: '--replace',
  orderBy: '--order-by',
  partitionBy: '--partition-by',
  ...writtenFileFlags(flags),
  ignoreUnknownFields: '--ignore-unknown-fields',
});

export const TABLE_FORMATS = ['csv', 'tsv', 'ndjson', 'json', 'parquet', 'arrow', 'orc', 'avro'] as const;
type TableFormat = (typeof TABLE_FORMATS)[number];

interface Wanted {
  readonly table: string;
  readonly files: readonly string[];
  readonly format: TableFormat | undefined;
  readonly again: boolean;
  /** With more nothing is loaded. */
  readonly mostBadLines: number;
  /** Names that one may have meant. */
  readonly logSources: readonly string[];
  readonly flags: TableFlags;
}

/** What could not be loaded: how many lines, and the first column and type with which one could. */
interface NotLoaded {
  readonly bad: number;
  readonly schema: string | undefined;
}

/** Loads the files, and reports on standard error. */
export async function loadTable(parts: Parts, wanted: Wanted): Promise<NotLoaded> {
  const { io, signal, store: open, terminal } = parts;
  const { table, files, format, again, mostBadLines, flags, logSources } = wanted;
  if (files.filter((file) => file === '-').length > 1)
    throw new QuernError('usage', 'standard input (-) is given twice', { hint: 'it can only be read once' });
  const schema = flags.schema === undefined ? undefined : await schemaFlag(flags.schema, io.cwd);
  const options = {
    format,
    again,
    mostBadLines,
    schema: schema?.columns,
    replace: flags.replace === true,
    orderBy: flags.orderBy?.split(',').map((name) => name.trim()),
    partitionBy: flags.partitionBy === undefined ? undefined : partition(flags.partitionBy),
    ...fileOptions(flags),
    ignoreUnknown: flags.ignoreUnknownFields === true,
    signal,
  };
  const store = await open();
  const near = nearest(table, logSources);
  const existing = store.manifest.tables[table.toLowerCase()];
  const meant = Object.keys(tableFlags(flags)).some((flag) => Object.hasOwn(flags, flag)) || existing !== undefined;
  if (near !== undefined && !meant) {
    throw new QuernError('unknown-source', `${table} is neither a log source nor a table`, {
      hint: `did you mean ${near}? To create a table with that name, add --replace`,
    });
  }
  for (const note of schema?.notes ?? []) await terminal.note(note);
  const inputs = files.map((file) => (file === '-' ? io.stdin : resolve(io.cwd, file)));
  const load = () => store.loadTable(table, inputs, options);
  const isShown = io.stderr.isTerminal && parts.flags().quiet !== true;
  const report = await (isShown ? whileShown({ engine: store.engine, screen: io.stderr, isIt: IS_LOAD }, load) : load());
  let bad = 0;
  for (const [i, { format: read, rows, badLines, structsOfNulls, leftOut }] of report.files.entries()) {
    const name = files[i] === '-' ? 'standard input' : basename(files[i] ?? '');
    await showBadLines(terminal, name, badLines);
    bad += badLines.count;
    if (report.load === undefined && badLines.count > 0) continue;
    const kept = badLines.count === 0 ? '' : `, ${formatCount(badLines.count, 'bad line')} skipped`;
    await terminal.note(
      `${name}: ${formatCount(rows, 'row')} into ${report.table.name} (${read}${i > 0 ? '' : `, ${(report.elapsedMs / 1000).toFixed(1)} s`})${kept}`,
    );
    for (const { name: column, why } of leftOut) await terminal.note(`note: the column ${column} of ${name} was left out: ${why}`);
    if (structsOfNulls.length > 0)
      await terminal.note(
        `note: where ${structsOfNulls.join(', ')} is NULL in ${name}, a STRUCT of NULLs was loaded: ClickHouse cannot tell them apart in Parquet`,
      );
  }
  const { name, columns, orderBy, partitionBy } = report.table;
  if (report.made || (flags.replace === true && report.load !== undefined)) {
    const { columnsText } = await import('../../../sources/loaded/stored-table.ts');
    const order = orderBy.length === 0 ? '' : `; ordered by ${orderBy.join(', ')}`;
    const parts = partitionBy === undefined ? '' : `; partitioned by ${partitionText(partitionBy)}`;
    await terminal.note(`${report.made ? 'new table' : 'replaced table'} ${name}: ${columnsText(columns)}${order}${parts}`);
    if (flags.header === undefined && columns.every((column) => /^[a-z0-9]+_field_\d+$/.test(column.name)))
      await terminal.note(
        'note: no line was taken for the header: if the first one names the columns, load it again with --replace --header',
      );
  }
  // What the user has said of a column is meant, and so is what the table has.
  const said = (existing === undefined || flags.replace === true ? schema : existing)?.columns.map((column) => column.name) ?? [];
  const found = report.files.flatMap(({ badLines }) => badLines.first.flatMap((line) => line.schema ?? []));
  return { bad, schema: found.find((one) => !said.includes(one.slice(0, one.lastIndexOf(':')))) };
}

interface BadLines {
  readonly count: number;
  readonly first: readonly { readonly line: number; readonly reason: string; readonly text: string }[];
}

export async function showBadLines(terminal: Parts['terminal'], name: string, { count, first }: BadLines): Promise<void> {
  for (const { line, reason, text } of first) await terminal.warn(`${name}:${line}: ${reason}${text === '' ? '' : `: ${text}`}`);
  if (count > first.length) await terminal.warn(`${name}: and ${count - first.length} more bad lines`);
}

const SPANS = ['hour', 'day', 'month', 'year'] as const;

const partitionText = ({ column, by }: ReturnType<typeof partition>): string => (by === undefined ? column : `the ${by} of ${column}`);

/** `created`, or `created:month`. */
function partition(text: string): { readonly column: string; readonly by?: (typeof SPANS)[number] } {
  const [, column = text, span] = /^(.+):([a-z]+)$/i.exec(text) ?? [];
  if (span === undefined) return { column };
  const by = SPANS.find((known) => known === span.toLowerCase());
  if (by === undefined)
    throw new QuernError('usage', `--partition-by: ${span} is not one of: ${SPANS.join(', ')}`, {
      hint: 'write --partition-by created:month',
    });
  return { column, by };
}
