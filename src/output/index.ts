// The table of formats and their writers, each loaded on first use; chooses a format by name or by the extension of a file.
import { extname } from 'node:path';
import { nearest, QuernError } from '../base/errors.ts';
import {
  type AnyFormat,
  ENGINE_FORMATS,
  extensionOf,
  FORMAT_NAMES,
  type FormatName,
  formatOfExtension,
  type ImageFormat,
  isBinary,
  isEngineFormat,
} from '../base/formats.ts';
import type { BinaryFormat, Format } from './format.ts';

type WriterOf<N extends FormatName> = N extends ImageFormat ? BinaryFormat : Format;

const writers: { readonly [N in FormatName]: () => Promise<WriterOf<N>> } = {
  table: async () => (await import('./table/table.ts')).table,
  chart: async () => (await import('./chart/chart.ts')).chart,
  json: async () => (await import('./json.ts')).json,
  ndjson: async () => (await import('./json.ts')).ndjson,
  csv: async () => (await import('./delimited.ts')).csv,
  tsv: async () => (await import('./delimited.ts')).tsv,
  markdown: async () => (await import('./markdown.ts')).markdown,
  html: async () => (await import('./html/html.ts')).html,
  svg: async () => (await import('./svg/svg.ts')).svg,
  png: async () => (await import('./png.ts')).loadPng(),
};

const compressions = { '.gz': 'gzip', '.zst': 'zstd' } as const;
export type Compression = (typeof compressions)[keyof typeof compressions];

interface Target {
  /** Undefined where neither a name nor a file tells. */
  readonly format: AnyFormat | undefined;
  readonly compression?: Compression | undefined;
}

/** The format of that name. Throws `usage` for any other text. */
function formatNamed(name: string): AnyFormat {
  const known = [...FORMAT_NAMES, ...ENGINE_FORMATS];
  const found = known.find((one) => one === name);
  if (found !== undefined) return found;
  const near = nearest(name, known);
  throw new QuernError('usage', `${name} is not an output format`, {
    hint: `${near === undefined ? 'the' : `did you mean ${near}? The`} formats are ${known.join(', ')}`,
  });
}

/**
 * Reads the format from its name, or from the extension of a file, which may end with that of a compression. Throws `usage` for a name, or an
 * extension, that stands for none, and for a compression of what is compressed already.
 */
export function readTarget(format: string | undefined, file: string | undefined): Target {
  const last = file === undefined ? '' : extname(file).toLowerCase();
  const compression = last === '.gz' || last === '.zst' ? compressions[last] : undefined;
  const named = compression === undefined ? file : file?.slice(0, -last.length);
  const found = format === undefined ? formatOfFile(named) : formatNamed(format);
  if (compression !== undefined && isBinary(found)) {
    throw new QuernError('usage', `${file}: ${found} files are already compressed`, { hint: `leave out ${last}` });
  }
  return { format: found, compression };
}

/** Reads the format for commands whose rows quern prints itself. */
export function formatAskedFor(format: string | undefined, file: string | undefined): FormatName | undefined {
  const { format: found } = readTarget(format, file);
  if (!isEngineFormat(found)) return found;
  throw new QuernError('usage', `${found} is not a format that this command supports`, {
    hint: `the formats are ${FORMAT_NAMES.join(', ')}`,
  });
}

function formatOfFile(file: string | undefined): AnyFormat | undefined {
  const extension = file === undefined ? '' : extname(file);
  if (extension === '') return undefined;
  const found = formatOfExtension(extension);
  if (found !== undefined) return found;
  const extensions = [...FORMAT_NAMES, ...ENGINE_FORMATS].filter((name) => name !== 'chart').map(extensionOf);
  throw new QuernError('usage', `${file}: no output format has the extension ${extension.toLowerCase()}`, {
    hint: `name the format with --format, or end the file with ${extensions.join(', ')}, optionally followed by .gz or .zst to compress it`,
  });
}

/** Throws `usage` where the format needs a package that is not installed. */
export const loadFormat = <N extends FormatName>(name: N): Promise<WriterOf<N>> => writers[name]();

/** Throws `usage` for a binary format whose bytes would go to a terminal. */
export function refuseOnTerminal(format: AnyFormat | undefined): void {
  if (!isBinary(format)) return;
  throw new QuernError('usage', `${format} is a binary format, which a terminal cannot show`, {
    hint: `name a file, such as --output rows${extensionOf(format)}`,
  });
}
