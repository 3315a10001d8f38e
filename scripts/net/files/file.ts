// A file that is read in two ways, and how it is written.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quoteString } from '../../../src/clickhouse/quote.ts';
import type { EmbeddedEngine } from '../../../src/engine/embedded/embedded.ts';

/** As quern.yaml and the flags of `load` name them. */
export interface FileOptions {
  readonly schema?: string;
  readonly delimiter?: string;
  readonly header?: boolean;
  readonly skip_leading_rows?: number;
}

export type NetFile = { readonly name: string; readonly options?: FileOptions } & (
  | { readonly content: string | Uint8Array; readonly select?: never }
  /** What the engine writes in a format of its own. */
  | { readonly select: string; readonly format: string; readonly content?: never }
);

export async function writeFile(engine: EmbeddedEngine, folder: string, file: NetFile): Promise<void> {
  const path = join(folder, file.name);
  const into = (format: string, select: string) =>
    engine.command(`INSERT INTO FUNCTION file(${quoteString(path)}, ${quoteString(format)}) ${select}`);
  if (file.select !== undefined) return into(file.format, file.select);
  // The extension says how it is compressed.
  if (typeof file.content === 'string' && /\.(?:gz|zst|xz|lz4|br)$/.test(path))
    return into('RawBLOB', `SELECT ${quoteString(file.content)}`);
  writeFileSync(path, file.content);
}
