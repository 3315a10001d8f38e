// Format name → writer, each loaded on first use; picks a format from a file name and writes files atomically.
import { extname } from 'node:path';
import { nearest, QuernError } from '../errors.ts';
import type { Format } from './format.ts';

interface FormatEntry {
  readonly extensions: readonly string[];
  readonly load: () => Promise<Format>;
}

const formats = {
  table: { extensions: ['.txt'], load: async () => (await import('./table/table.ts')).table },
  chart: { extensions: [], load: async () => (await import('./chart/chart.ts')).chart },
  json: { extensions: ['.json'], load: async () => (await import('./json.ts')).json },
  ndjson: { extensions: ['.ndjson', '.jsonl'], load: async () => (await import('./json.ts')).ndjson },
  csv: { extensions: ['.csv'], load: async () => (await import('./delimited.ts')).csv },
  tsv: { extensions: ['.tsv', '.tab'], load: async () => (await import('./delimited.ts')).tsv },
  markdown: { extensions: ['.md', '.markdown'], load: async () => (await import('./markdown.ts')).markdown },
} as const satisfies Record<string, FormatEntry>;

export type FormatName = keyof typeof formats;
const formatNames = Object.keys(formats) as readonly FormatName[]; // the keys of a literal are its names

/** Formats that the engine writes: no rows reach quern. */
const engineFormats = { parquet: ['.parquet'], arrow: ['.arrow', '.feather'] } as const;
type EngineFormat = keyof typeof engineFormats;
const engineFormatNames = Object.keys(engineFormats) as readonly EngineFormat[]; // the keys of a literal are its names

export const isEngineFormat = (name: FormatName | EngineFormat | undefined): name is EngineFormat =>
  engineFormatNames.some((known) => known === name);

const compressions = { '.gz': 'gzip', '.zst': 'zstd' } as const;
export type Compression = (typeof compressions)[keyof typeof compressions];

export interface Target {
  /** undefined where neither a name nor a file says. */
  readonly format: FormatName | EngineFormat | undefined;
  readonly compression?: Compression;
}

/** The format of that name. Throws `usage` for any other text. */
function formatNamed(name: string): FormatName | EngineFormat {
  const known = [...formatNames, ...engineFormatNames];
  const found = known.find((one) => one === name);
  if (found !== undefined) return found;
  const near = nearest(name, known);
  throw new QuernError('usage', `${name} is not an output format`, {
    hint: `${near === undefined ? '' : `did you mean ${near}? `}formats: ${known.join(', ')}`,
  });
}

/**
 * The format asked for by name, or by the extension of a file, which may end with that of a compression. Throws `usage` for a name, or an
 * extension, that stands for none, and for a compression of what is compressed already.
 */
export function readTarget(format: string | undefined, file: string | undefined): Target {
  const last = file === undefined ? '' : extname(file).toLowerCase();
  const compression = last === '.gz' || last === '.zst' ? compressions[last] : undefined;
  const named = compression === undefined ? file : file?.slice(0, -last.length);
  const found = format === undefined ? formatOfFile(named) : formatNamed(format);
  if (compression !== undefined && isEngineFormat(found)) {
    throw new QuernError('usage', `${file}: ${found} is compressed in itself`, { hint: `leave out ${last}` });
  }
  return { format: found, ...(compression === undefined ? {} : { compression }) };
}

/** The same for commands whose rows quern prints itself. */
export function formatAskedFor(format: string | undefined, file: string | undefined): FormatName | undefined {
  const { format: found } = readTarget(format, file);
  if (!isEngineFormat(found)) return found;
  throw new QuernError('usage', `${found} is not a format of this command`, { hint: `formats: ${formatNames.join(', ')}` });
}

function formatOfFile(file: string | undefined): FormatName | EngineFormat | undefined {
  const extension = file === undefined ? '' : extname(file).toLowerCase();
  if (extension === '') return undefined;
  const own = formatNames.find((name) => (formats[name].extensions as readonly string[]).includes(extension));
  const found = own ?? engineFormatNames.find((name) => (engineFormats[name] as readonly string[]).includes(extension));
  if (found !== undefined) return found;
  const extensions = [...formatNames.flatMap((name) => formats[name].extensions[0] ?? []), '.parquet', '.arrow'];
  throw new QuernError('usage', `${file}: ${extension} stands for no output format`, {
    hint: `name the format with --format, or end the file with ${extensions.join(', ')}; .gz or .zst behind it compresses`,
  });
}

export const loadFormat = (name: FormatName): Promise<Format> => formats[name].load();
