// A file that is read in two ways, and how it is written.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportRows } from '../../../src/cli/commands/run/export-rows.ts';
import { quoteString } from '../../../src/clickhouse/quote.ts';
import type { ExportFormat } from '../../../src/execution/export/export.ts';
import { oneOffRequest } from '../../../src/execution/one-off.ts';
import { prepare } from '../../../src/execution/prepare.ts';
import type { QueryRequest } from '../../../src/execution/request.ts';
import type { Encoding } from '../../../src/files/encoding.ts';
import type { OpenGroup } from '../../collection/run-group.ts';

/** As quern.yaml and the flags of `load` name them. */
export interface FileOptions {
  readonly schema?: string;
  readonly delimiter?: string;
  readonly header?: boolean;
  readonly skip_leading_rows?: number;
  readonly encoding?: Encoding;
  readonly null_text?: string;
}

/** `content` as it is; what the engine writes of ClickHouse SQL in a format of its own; or what quern exports of a query. */
type Contents =
  | { readonly content: string | Uint8Array }
  | { readonly select: string; readonly format: string }
  | { readonly query: string; readonly format: ExportFormat };

export type NetFile = Contents & { readonly name: string; readonly options?: FileOptions };

export async function writeFile(opened: OpenGroup, file: NetFile): Promise<void> {
  const path = join(opened.folder, file.name);
  const { engine } = await opened.services.store();
  const into = (format: string, select: string) =>
    engine.command(`INSERT INTO FUNCTION file(${quoteString(path)}, ${quoteString(format)}) ${select}`);
  if ('query' in file) return exported(opened, file.query, file.format, path);
  if ('select' in file) return into(file.format, file.select);
  // The extension says how it is compressed.
  if (typeof file.content === 'string' && /\.(?:gz|zst|xz|lz4|br)$/.test(path))
    return into('RawBLOB', `SELECT ${quoteString(file.content)}`);
  writeFileSync(path, file.content);
}

/** A query that nobody has saved, whose paths in FROM stand for files. */
export const requestFor = ({ services }: OpenGroup, text: string): Promise<QueryRequest> =>
  oneOffRequest({ text: { name: '<query>', text }, given: [], hints: { stray: () => '', missing: () => '' } }, services);

async function exported(opened: OpenGroup, query: string, format: ExportFormat, file: string): Promise<void> {
  const request = await requestFor(opened, query);
  const target = { format, file, output: { write: async () => undefined }, formulas: 'keep', check: () => undefined } as const;
  await opened.services.running(async (current) => exportRows(await prepare(request, current), request, target, current), request.files);
}
