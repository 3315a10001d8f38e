// Runs a query and prints its rows: from memory, or streamed past the cache.
import { resolve } from 'node:path';
import { QuernError } from '../../../base/errors.ts';
import { type AnyFormat, isEngineFormat, isImageFormat, isLineFormat } from '../../../base/formats.ts';
import type { QueryResult } from '../../../base/result.ts';
import { ALL_ROWS, MAX_ROWS } from '../../../execution/one-off.ts';
import { prepare } from '../../../execution/prepare.ts';
import type { PreparedQuery } from '../../../execution/prepared-query.ts';
import type { QueryRequest } from '../../../execution/request.ts';
import { run } from '../../../execution/run.ts';
import type { DrawOptions } from '../../../output/format.ts';
import { type Compression, loadFormat, readTarget, refuseOnTerminal } from '../../../output/index.ts';
import { visible } from '../../../output/visible.ts';
import { splitNames } from '../../arguments/names.ts';
import type { Parts } from '../../parts.ts';
import { type DrawFlags, readDrawFlags } from './draw-flags.ts';
import type { ExportTarget } from './export-rows.ts';
import { notePrinted, type Printed, printedOf, printStatistics, truncation } from './outcome.ts';

export interface RowFlags extends DrawFlags {
  readonly format?: string | undefined;
  readonly output?: string | undefined;
  readonly columns?: string | undefined;
  readonly failOnTruncate?: true | undefined;
  readonly scalar?: true | undefined;
  /** False after `--no-pager`. */
  readonly pager?: boolean | undefined;
}

/** The flags about rows, once they are read. */
export interface RowOptions extends Pick<RowFlags, 'output' | 'failOnTruncate' | 'scalar' | 'pager'> {
  /** False where rows go to a file or a pipe, which must have all of them. */
  readonly toTerminal: boolean;
  /** Undefined where neither flags nor settings name one. */
  readonly format: AnyFormat | undefined;
  readonly compression: Compression | undefined;
  readonly columns: readonly string[] | undefined;
  readonly drawing: DrawOptions;
}

/** Results of at most so many rows are read into memory: that costs little, and nothing is quicker. */
const MOST_IN_MEMORY = 10_000;

/** `usual` is the format of the settings. Throws `usage` for flags that are wrong or contradict each other. */
export function readRowFlags(flags: RowFlags, usual: string | undefined, stdout: Parts['io']['stdout']): RowOptions {
  const { columns, failOnTruncate, scalar, pager } = flags;
  const output = flags.output === '-' ? undefined : flags.output;
  const { format: named = flags.format, ...drawing } = readDrawFlags(flags);
  const { format, compression } = readTarget(named ?? (output === undefined ? usual : undefined), output);
  if (scalar === true && (named !== undefined || output !== undefined)) {
    throw new QuernError(
      'usage',
      `--scalar prints a single value and cannot be combined with ${named === undefined ? '--output' : '--format'}`,
      {
        hint: 'leave one of them out',
      },
    );
  }
  const toTerminal = output === undefined && stdout.isTerminal;
  if (toTerminal) refuseOnTerminal(format);
  const names = columns === undefined ? undefined : splitNames(columns, '--columns');
  return { output, toTerminal, failOnTruncate, scalar, pager, format, compression, columns: names, drawing };
}

/** SQL that is not saved returns all rows, except where a person reads them, or only one is wanted. */
export const rowsWanted = (
  maxRows: number | 'all' | undefined,
  { toTerminal, scalar }: RowOptions,
): { readonly maxRows: number | undefined; readonly usualMaxRows: number } => ({
  maxRows: maxRows === 'all' ? ALL_ROWS : maxRows,
  usualMaxRows: toTerminal || scalar === true ? MAX_ROWS : ALL_ROWS,
});

interface Ran {
  readonly printed: Printed;
  readonly cache: 'hit' | 'revalidated' | 'miss' | 'stale' | 'off';
}

/** Makes what is thrown for an error of a run. */
type Explain = (error: unknown) => Promise<never>;

type PrintOptions = RowOptions & { readonly stats?: true | undefined };

/** Runs the query, or the several of its text one after the other, and prints the rows and notes about them. Throws `result` where a file or a pipe lacks some. */
export async function runAndPrint(parts: Parts, request: QueryRequest, options: PrintOptions, explain: Explain): Promise<void> {
  const ran = await printRows(parts, request, options).catch(explain);
  if (!('results' in ran)) return conclude(parts, ran, request, options);
  const { printSeveral } = await import('./several-results.ts');
  await printSeveral(parts, ran.results, options, async (result) => {
    const one = { ...request, result };
    const outcome = await printRows(parts, one, options).catch(explain);
    if (!('results' in outcome)) await conclude(parts, outcome, one, options);
  });
}

/** Runs the query, and prints its rows or lets them stream; of a text that has several queries, only their number is returned. */
async function printRows(parts: Parts, request: QueryRequest, rowOptions: RowOptions): Promise<Ran | { readonly results: number }> {
  const { columns, format, output, drawing, pager, scalar } = rowOptions;
  const target = await streamTarget(parts, request, rowOptions);
  if (isImageFormat(format)) await loadFormat(format); // the package may be missing
  const outcome = await parts.running(async (current) => {
    const prepared = await prepare(request, current);
    if (prepared.results !== undefined && request.result === undefined) return { results: prepared.results };
    if (target === undefined || !isStreamed(prepared, request, target)) return run(prepared, request, current);
    const { exportRows } = await import('./export-rows.ts');
    return exportRows(prepared, request, target, current);
  }, request.files);
  if ('results' in outcome) return outcome;
  if (!('result' in outcome)) return { printed: outcome, cache: 'off' };
  const result = await chosenRows(outcome.result, columns);
  refuseTruncated(result, outcome.prepared, request, rowOptions);
  if (scalar === true) await printScalar(parts, result, outcome.prepared);
  else await parts.terminal.print(result, { ...drawing, format, output, pager: pager !== false, ...headed(format, outcome, request) });
  return { printed: printedOf(outcome), cache: outcome.cache.state };
}

/** Prints notes about the rows once they are printed. Throws `result` where a file or a pipe lacks some of them. */
async function conclude(
  parts: Parts,
  { printed, cache }: Ran,
  request: QueryRequest,
  { stats, toTerminal, output = 'standard output' }: Pick<RowOptions, 'toTerminal' | 'output'> & { readonly stats?: true | undefined },
): Promise<void> {
  await notePrinted(parts, printed, request, { notesCut: toTerminal });
  if (stats === true) await printStatistics(parts, printed, cache);
  if (printed.truncated && !toTerminal) throw cutOff(`${output} has`, printed.prepared, request);
}

/** Describes the rows on a page. */
function headed(format: AnyFormat | undefined, { prepared }: { readonly prepared: PreparedQuery }, request: QueryRequest): DrawOptions {
  if (format !== 'html') return {};
  const given = Object.entries(request.arguments).flatMap(([name, value]) => (value === undefined ? [] : `${name}: ${String(value)}`));
  const asOf = request.asOf === undefined ? [] : [`as of ${request.asOf}`];
  return { heading: { title: prepared.name, facts: [...given, ...asOf] } };
}

export async function chosenRows(result: QueryResult, columns: readonly string[] | undefined): Promise<QueryResult> {
  return columns === undefined ? result : (await import('../../../output/columns.ts')).withColumns(result, columns);
}

/** Returns where rows may stream to: a file, or standard output without a terminal, in a format that prints row by row. */
async function streamTarget({ io, settings }: Parts, request: QueryRequest, rowOptions: RowOptions): Promise<ExportTarget | undefined> {
  const { format = 'ndjson', compression, output, toTerminal, columns, scalar } = rowOptions;
  if (scalar === true || toTerminal || !(isEngineFormat(format) || isLineFormat(format))) return undefined;
  return {
    format,
    compression,
    file: output === undefined ? undefined : resolve(io.cwd, output),
    output: io.stdout,
    columns,
    formulas: (await settings()).values.csv_formulas,
    check: (end, prepared) => refuseTruncated(end, prepared, request, rowOptions),
  };
}

/**
 * Rows are streamed when they may be many and the cache is not involved: the query is not cached, or `--no-cache` is given. Formats that only the engine
 * writes go past the cache in any case.
 */
const isStreamed = ({ ttlSeconds, maxRows }: PreparedQuery, { cache }: QueryRequest, { format, compression }: ExportTarget): boolean =>
  isEngineFormat(format) || compression === 'zstd' || ((cache === 'none' || ttlSeconds === 0) && maxRows > MOST_IN_MEMORY);

function refuseTruncated(
  { truncated }: { readonly truncated: boolean },
  prepared: PreparedQuery,
  request: QueryRequest,
  { failOnTruncate }: RowOptions,
): void {
  if (failOnTruncate === true && truncated) throw cutOff('the result was cut off:', prepared, request);
}

function cutOff(what: string, prepared: PreparedQuery, request: QueryRequest): QuernError {
  const hint =
    request.maxRows === undefined
      ? 'raise max_rows in the header of the query'
      : 'pass --max-rows all for all rows; to choose a few of them, write LIMIT in the SQL';
  return new QuernError('result', `${what} ${truncation(prepared, request)}`, { hint });
}

async function printScalar({ io }: Parts, result: QueryResult, prepared: PreparedQuery): Promise<void> {
  const [{ columnNames }, { textPrinter }] = await Promise.all([
    import('../../../base/column-names.ts'),
    import('../../../output/value.ts'),
  ]);
  const [column] = result.columns;
  if (column === undefined || result.columns.length > 1) {
    throw new QuernError('usage', `--scalar prints a single value, but ${prepared.name} has ${result.columns.length} columns`, {
      hint: `choose one of them, such as --columns ${columnNames(result.columns)[0] ?? 'NAME'}`,
    });
  }
  if (result.rows.length !== 1) {
    throw new QuernError(
      'result',
      `--scalar prints a single value, but ${prepared.name} returned ${result.truncated ? 'more than ' : ''}${result.rows.length} rows`,
      {
        hint: 'aggregate the rows, or choose one with LIMIT 1',
      },
    );
  }
  const value = result.rows[0]?.[0] ?? null;
  const text = value === null ? '' : textPrinter(column.type)(value);
  await io.stdout.write(`${io.stdout.isTerminal ? visible(text) : text}\n`);
}
