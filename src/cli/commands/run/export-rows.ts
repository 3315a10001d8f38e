// Exports the rows of a saved query to a file or standard output, as the engine gives them.
import { QuernError } from '../../../base/errors.ts';
import type { ResultColumn } from '../../../base/result.ts';
import { type Export, type ExportEnd, type ExportFormat, openExport } from '../../../execution/export/export.ts';
import type { PreparedQuery } from '../../../execution/prepared-query.ts';
import { type RunOptions, readRunOptions } from '../../../execution/request.ts';
import type { RunDependencies } from '../../../execution/run.ts';
import { chooseColumns } from '../../../output/columns.ts';
import { csvRows, tsvRows } from '../../../output/delimited.ts';
import type { Formulas, RowText } from '../../../output/format.ts';
import type { Compression } from '../../../output/index.ts';
import { ndjsonRows } from '../../../output/json.ts';

/** The target of the rows. */
export interface ExportTarget {
  readonly format: ExportFormat;
  readonly compression?: Compression | undefined;
  /** Standard output when absent. */
  readonly file?: string | undefined;
  readonly output: { write(data: Uint8Array): Promise<void> };
  /** Names of the wanted columns, in that order; all when absent. */
  readonly columns?: readonly string[] | undefined;
  readonly formulas: Formulas;
  /** Judges the whole before a file takes its place. */
  readonly check: (end: ExportEnd, prepared: PreparedQuery) => void;
}

interface ExportOutcome extends ExportEnd {
  readonly prepared: PreparedQuery;
}

const printers = (formulas: Formulas): Readonly<Record<ExportFormat, RowText>> => ({
  ndjson: ndjsonRows,
  csv: csvRows(formulas),
  tsv: tsvRows,
  parquet: ndjsonRows,
  arrow: ndjsonRows,
});

/** Throws what openExport and writing a file throw; a file is written whole or not at all. */
export async function exportRows(
  prepared: PreparedQuery,
  request: RunOptions,
  target: ExportTarget,
  deps: RunDependencies,
): Promise<ExportOutcome> {
  const { format, compression, file, output, columns, formulas, check } = target;
  const sink = { format, choose: (all: readonly ResultColumn[]) => chooseColumns(all, columns), printer: printers(formulas)[format] };
  const out = await openExport(prepared, readRunOptions(prepared, request, deps), sink, deps);
  let end: ExportEnd | undefined;
  const finish = async (): Promise<void> => {
    end = await out.end();
    check(end, prepared);
  };
  const chunks = async function* (): AsyncIterable<Uint8Array> {
    yield* out.chunks();
    await finish();
  };
  if (file === undefined) for await (const chunk of chunks()) await output.write(chunk);
  else await writeTo(file, { write: out.write, chunks, finish, compression });
  if (end === undefined) throw new QuernError('internal', 'an export has no end');
  return { ...end, prepared };
}

interface Written {
  readonly write: Export['write'];
  readonly chunks: () => AsyncIterable<Uint8Array>;
  /** Called once the engine has written all; `chunks` do it themselves. */
  readonly finish: () => Promise<void>;
  readonly compression: Compression | undefined;
}

/** The engine writes files faster than quern can, and compresses with zstd where Node cannot; gzip is left to Node, which reports errors. */
async function writeTo(file: string, { write, chunks, finish, compression }: Written): Promise<void> {
  const { canCompress, isReplaceable, replaceFile, writeFileAtomically } = await import('../../../output/file.ts');
  const engineCan = compression === undefined || (compression === 'zstd' && !canCompress('zstd'));
  if (write === undefined || !engineCan || !(await isReplaceable(file))) return writeFileAtomically(file, chunks(), { compression });
  await replaceFile(file, async (temporary) => {
    await write(temporary, compression === 'zstd' ? compression : undefined);
    await finish();
  });
}
