// The rows of a run on their way to where they are wanted: held and printed, or streamed past the cache.
import type { App, AppRunRequest, RowsRequest, StreamRequest } from '../app.ts';
import { QuernError } from '../errors.ts';
import type { Plan } from '../execution/plan.ts';
import { isEngineFormat, isLineFormat } from '../formats.ts';
import { readTarget, type Target } from '../output/index.ts';
import { visible } from '../output/visible.ts';
import type { QueryResult } from '../result.ts';
import { type DrawFlags, type Drawing, readDrawFlags } from './draw-flags.ts';
import { splitNames } from './names.ts';
import { type Printed, printedOf, truncation } from './outcome.ts';

export interface RowFlags extends DrawFlags {
  readonly format?: string;
  readonly output?: string;
  readonly columns?: string;
  readonly maxRows?: string;
  readonly failOnTruncate?: true;
  readonly scalar?: true;
  /** False after `--no-pager`. */
  readonly pager?: boolean;
}

export interface RowWishes extends Omit<RowFlags, 'columns' | 'maxRows' | keyof DrawFlags>, Omit<Drawing, 'format'> {
  readonly target: Target;
  readonly columns?: readonly string[];
  readonly maxRows?: number;
}

/** Results of at most so many rows are held: they cost little, and nothing is quicker. */
const HELD_ROWS = 10_000;

/** Throws `usage` for flags that are wrong or do not go together. */
export async function readRowFlags(
  app: App,
  { columns, maxRows, chart, chartX, chartY, chartSeries, sparkline, ...given }: RowFlags,
): Promise<RowWishes> {
  const { format: usual } = (await app.settings()).values;
  const flags = { ...given, ...readDrawFlags({ chart, chartX, chartY, chartSeries, sparkline, format: given.format }) };
  const target = readTarget(flags.format ?? (flags.output === undefined ? usual : undefined), flags.output);
  if (flags.scalar === true && (flags.format !== undefined || flags.output !== undefined)) {
    throw new QuernError(
      'usage',
      `--scalar prints one bare value: ${flags.format === undefined ? '--output' : '--format'} has no part in it`,
      {
        hint: 'leave one of them out',
      },
    );
  }
  if (isEngineFormat(target.format) && flags.output === undefined && app.io.stdout.isTerminal) {
    throw new QuernError('usage', `${target.format} is not text for a terminal`, {
      hint: `name a file, such as --output rows.${target.format}`,
    });
  }
  return {
    ...flags,
    target,
    ...(columns === undefined ? {} : { columns: splitNames(columns, '--columns') }),
    ...(maxRows === undefined ? {} : { maxRows: readCount(maxRows) }),
  };
}

function readCount(text: string): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(count) && count > 0) return count;
  throw new QuernError('usage', `--max-rows ${JSON.stringify(text)} is not a number of rows`, { hint: 'write a whole number above 0' });
}

/** Runs the query, and prints its rows or lets them stream. */
export async function runAndPrint(
  app: App,
  given: RowsRequest,
  wishes: RowWishes,
): Promise<{ readonly printed: Printed; readonly cache: 'hit' | 'miss' | 'stale' | 'off' }> {
  const { maxRows, columns, format, output, pager, scalar, chart, sparklines } = wishes;
  const request = { ...given, ...(maxRows === undefined ? {} : { maxRows }) };
  const outcome = await app.runOrStream(request, streamOf(app, given.cache, wishes));
  if (!('result' in outcome)) return { printed: outcome, cache: 'off' };
  const result = columns === undefined ? outcome.result : (await import('../output/columns.ts')).withColumns(outcome.result, columns);
  refuseTruncated(result, outcome.plan, wishes);
  if (scalar === true) await printScalar(app, result, outcome.plan);
  else await app.print(result, { format, output, chart, sparklines, pager: pager !== false });
  return { printed: printedOf(outcome), cache: outcome.cache.state };
}

/**
 * Rows are streamed when they may be many and the cache has no part in them: the query has none, or `--no-cache` is given. What only the
 * engine can write goes past the cache in any case.
 */
function streamOf(app: App, cache: AppRunRequest['cache'], wishes: RowWishes): StreamRequest | undefined {
  const { target, output: file, columns, scalar } = wishes;
  const toTerminal = file === undefined && app.io.stdout.isTerminal;
  const format = target.format ?? 'ndjson';
  if (scalar === true || toTerminal || !(isEngineFormat(format) || isLineFormat(format))) return undefined;
  const onlyEngine = isEngineFormat(format) || target.compression === 'zstd';
  return {
    format,
    compression: target.compression,
    file,
    columns,
    wanted: (plan) => onlyEngine || ((cache === 'none' || plan.ttlSeconds === 0) && plan.maxRows > HELD_ROWS),
    check: (end, plan) => refuseTruncated(end, plan, wishes),
  };
}

function refuseTruncated({ truncated }: { readonly truncated: boolean }, plan: Plan, wishes: RowWishes): void {
  if (wishes.failOnTruncate !== true || !truncated) return;
  throw new QuernError('result', `the result was cut off: ${truncation(plan, wishes)}`, {
    hint: wishes.maxRows === undefined ? 'raise max_rows in the header of the query' : 'raise --max-rows',
  });
}

async function printScalar(app: App, result: QueryResult, plan: Plan): Promise<void> {
  const { columnNames, textPrinter } = await import('../output/value.ts');
  const [column] = result.columns;
  if (column === undefined || result.columns.length > 1) {
    throw new QuernError('usage', `--scalar prints one value, and ${plan.name} has ${result.columns.length} columns`, {
      hint: `choose one of them, such as --columns ${columnNames(result.columns)[0] ?? 'NAME'}`,
    });
  }
  if (result.rows.length !== 1) {
    throw new QuernError(
      'result',
      `--scalar prints one value, and ${plan.name} gave ${result.truncated ? 'more than ' : ''}${result.rows.length} rows`,
      {
        hint: 'aggregate the rows, or choose one with LIMIT 1',
      },
    );
  }
  const value = result.rows[0]?.[0] ?? null;
  const text = value === null ? '' : textPrinter(column.type)(value);
  await app.io.stdout.write(`${app.io.stdout.isTerminal ? visible(text) : text}\n`);
}
