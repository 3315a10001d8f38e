// Format name → writer, each loaded on first use; picks a format from a file name and writes files atomically.
import { extname } from 'node:path';
import { nearest, QuernError } from '../errors.ts';
import type { Format } from './format.ts';

interface FormatEntry {
  readonly extensions: readonly string[];
  readonly load: () => Promise<Format>;
}

const formats = {
  table: { extensions: ['.txt'], load: async () => (await import('./table.ts')).table },
  chart: { extensions: [], load: async () => (await import('./chart.ts')).chart },
  json: { extensions: ['.json'], load: async () => (await import('./json.ts')).json },
  ndjson: { extensions: ['.ndjson', '.jsonl'], load: async () => (await import('./json.ts')).ndjson },
  csv: { extensions: ['.csv'], load: async () => (await import('./delimited.ts')).csv },
  tsv: { extensions: ['.tsv', '.tab'], load: async () => (await import('./delimited.ts')).tsv },
  markdown: { extensions: ['.md', '.markdown'], load: async () => (await import('./markdown.ts')).markdown },
} as const satisfies Record<string, FormatEntry>;

export type FormatName = keyof typeof formats;
export const formatNames = Object.keys(formats) as readonly FormatName[]; // the keys of a literal are its names

/** The format of that name. Throws `usage` for any other text. */
function formatNamed(name: string): FormatName {
  const found = formatNames.find((known) => known === name);
  if (found !== undefined) return found;
  const near = nearest(name, formatNames);
  throw new QuernError('usage', `${name} is not an output format`, {
    hint: `${near === undefined ? '' : `did you mean ${near}? `}formats: ${formatNames.join(', ')}`,
  });
}

/**
 * The format asked for by name, or by the extension of a file; undefined when neither says. Throws `usage` for a name, or an extension,
 * that stands for none.
 */
export function formatAskedFor(format: string | undefined, file: string | undefined): FormatName | undefined {
  if (format !== undefined) return formatNamed(format);
  const extension = file === undefined ? '' : extname(file).toLowerCase();
  if (extension === '') return undefined;
  const found = formatNames.find((name) => (formats[name].extensions as readonly string[]).includes(extension));
  if (found !== undefined) return found;
  throw new QuernError('usage', `${file}: ${extension} stands for no output format`, {
    hint: `name the format with --format, or end the file with ${formatNames.flatMap((name) => formats[name].extensions[0] ?? []).join(', ')}`,
  });
}

export const loadFormat = (name: FormatName): Promise<Format> => formats[name].load();
