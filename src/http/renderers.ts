// The formats of a reply, and which one a caller wants.
import type { Formulas } from '../output/format.ts';
import { type FormatName, loadFormat } from '../output/index.ts';
import type { Renderer } from './answers/answer.ts';
import { logflareResult } from './logflare.ts';

/** Formats that a server gives, with their content types. */
const CONTENT_TYPES = {
  json: 'application/json; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  tsv: 'text/tab-separated-values; charset=utf-8',
  markdown: 'text/markdown; charset=utf-8',
  table: 'text/plain; charset=utf-8',
} as const satisfies Partial<Record<FormatName, string>>;

export type ReplyFormat = keyof typeof CONTENT_TYPES;
export const REPLY_FORMATS = Object.keys(CONTENT_TYPES) as readonly ReplyFormat[]; // the keys of a literal are its names

/** What an address may end with. */
const EXTENSIONS: Readonly<Record<string, ReplyFormat>> = {
  '.json': 'json',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.csv': 'csv',
  '.tsv': 'tsv',
  '.md': 'markdown',
  '.txt': 'table',
};

/** Each format with the extension of its files. */
export const REPLY_EXTENSIONS = REPLY_FORMATS.map((name) => ({
  name,
  extension: Object.keys(EXTENSIONS).find((extension) => EXTENSIONS[extension] === name) ?? `.${name}`,
}));

/** What `Accept` may name; anything else leaves it at JSON. */
const MEDIA_TYPES: Readonly<Record<string, ReplyFormat>> = {
  'application/json': 'json',
  'application/x-ndjson': 'ndjson',
  'application/ndjson': 'ndjson',
  'application/jsonl': 'ndjson',
  'text/csv': 'csv',
  'text/tab-separated-values': 'tsv',
  'text/markdown': 'markdown',
  'text/plain': 'table',
};

export const contentTypeOf = (format: ReplyFormat): string => CONTENT_TYPES[format];

export const replyFormat = (name: string): ReplyFormat | undefined => REPLY_FORMATS.find((format) => format === name);

/** The name before a known extension, and the format it stands for. */
export function splitExtension(reference: string): { readonly reference: string; readonly format: ReplyFormat } | undefined {
  const dot = reference.lastIndexOf('.');
  const format = dot > 0 ? EXTENSIONS[reference.slice(dot).toLowerCase()] : undefined;
  return format === undefined ? undefined : { reference: reference.slice(0, dot), format };
}

/** The format that `Accept` prefers among those there are; undefined when it names none of them. */
export function acceptedFormat(accept: string): ReplyFormat | undefined {
  let best: ReplyFormat | undefined;
  let bestQuality = 0;
  for (const part of accept.split(',')) {
    const [type = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const given = parameters.find((parameter) => parameter.startsWith('q='));
    const quality = given === undefined ? 1 : Number(given.slice(2));
    const format = type === '*/*' || type === 'application/*' ? 'json' : MEDIA_TYPES[type];
    if (format === undefined || !(quality > bestQuality)) continue;
    best = format;
    bestQuality = quality;
  }
  return best;
}

export type Renderers = Readonly<Record<ReplyFormat, Renderer>>;

/** The writers of all formats, loaded once: a server uses them for as long as it runs. */
export async function loadRenderers(compat: 'logflare' | undefined, formulas: Formulas): Promise<Renderers> {
  const entries = REPLY_FORMATS.map(async (name): Promise<[ReplyFormat, Renderer]> => {
    const format = await loadFormat(name);
    const convert = compat === 'logflare' && name === 'json' ? logflareResult : undefined;
    return [
      name,
      {
        id: convert === undefined ? name : 'logflare-json',
        contentType: CONTENT_TYPES[name],
        print: (result) => [...format(convert?.(result) ?? result, { width: undefined, colour: false, formulas })].join(''),
      },
    ];
  });
  return Object.fromEntries(await Promise.all(entries)) as Renderers; // one entry for each name
}
