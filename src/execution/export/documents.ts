// Parquet and Arrow: documents that the engine writes whole.

import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { EngineFormat } from '../../base/formats.ts';
import type { ResultColumn } from '../../base/result.ts';
import { quoteIdentifier } from '../../clickhouse/quote.ts';
import type { StreamEnd } from '../../engine/engine.ts';
import { viaFile } from '../../files/via-file.ts';
import type { Execution } from '../execute.ts';
import type { PreparedQuery } from '../prepared-query.ts';
import { needsRetyping, shapedColumn } from './shape.ts';
import { exportQuery } from './text.ts';

interface DocumentKind {
  readonly format: 'Parquet' | 'Arrow';
  readonly ending: string;
  readonly settings: Readonly<Record<string, string | number>>;
}

const DOCUMENTS: Readonly<Record<EngineFormat, DocumentKind>> = {
  parquet: { format: 'Parquet', ending: 'PAR1', settings: {} },
  // Compressed with LZ4, as ClickHouse does by itself, a file is one that Arrow's own library for JavaScript cannot read.
  arrow: { format: 'Arrow', ending: 'ARROW1', settings: { output_format_arrow_compression_method: 'none' } },
};

/** How the bytes of an export are had: one of the two. */
export interface ExportBytes {
  /** Has the file written without the bytes passing through; absent where that cannot be. Throws an error with the code ENOSPC when the disk is full. */
  readonly write?: (file: string, compression?: 'zstd') => Promise<void>;
  chunks(): AsyncIterable<Uint8Array>;
}

interface DocumentRequest {
  readonly format: EngineFormat;
  /** All columns of the query, and of those wanted the positions and the names. */
  readonly columns: readonly ResultColumn[];
  readonly positions: readonly number[];
  readonly names: readonly string[];
  readonly onEnd: (end: StreamEnd) => void;
}

/** Writes the columns into a file, or gives its bytes. */
export async function documents(
  prepared: PreparedQuery,
  { format, columns, positions, names, onEnd }: DocumentRequest,
  { stream, writeFile }: Pick<Execution, 'stream' | 'writeFile'>,
): Promise<ExportBytes> {
  const shown = positions.flatMap((at, i) => (columns[at] === undefined ? [] : { at, name: names[i] ?? '', type: columns[at].type }));
  // Columns of ClickHouse SQL may be of any of its types, which stay as they are.
  const isShaped = prepared.columns !== undefined;
  const retype = isShaped && shown.some(({ type }) => needsRetyping(type, format)) ? await retyper(format, shown) : undefined;
  const items = shown.map(({ at, name, type }, i) => {
    const value = isShaped ? shapedColumn(type, `q.q${at}`, format) : `q.q${at}`;
    return `${value} AS ${quoteIdentifier(i === 0 && retype !== undefined ? name.padEnd(name.length + retype.room) : name)}`;
  });
  const sql = exportQuery(prepared.sql, columns, items, prepared.maxRows);
  const { settings, ...target } = DOCUMENTS[format];
  const streamed = (): AsyncIterable<Uint8Array> => stream(sql, target.format, { settings, onEnd });
  const written =
    writeFile === undefined ? undefined : async (file: string): Promise<void> => onEnd(await writeFile(sql, { file, ...target }, settings));
  if (retype === undefined) return { chunks: streamed, ...(written === undefined ? {} : { write: written }) };
  const write = async (file: string): Promise<void> => {
    await (written === undefined ? pipeline(Readable.from(streamed()), createWriteStream(file)) : written(file));
    await retype.apply(file);
  };
  return { write, chunks: () => viaFile(write) };
}

interface Retyper {
  readonly apply: (file: string) => Promise<void>;
  /** How much longer the name of the first column is made, so that there is room for a larger schema. */
  readonly room: number;
}

async function retyper(format: EngineFormat, columns: readonly ResultColumn[]): Promise<Retyper> {
  if (format === 'arrow') {
    const { retypeArrow, roomFor } = await import('./arrow.ts');
    return { apply: (file) => retypeArrow(file, columns), room: roomFor(columns) };
  }
  const { retypeParquet } = await import('./parquet.ts');
  const types = columns.map(({ type }) => type);
  return { apply: (file) => retypeParquet(file, types), room: 0 };
}
