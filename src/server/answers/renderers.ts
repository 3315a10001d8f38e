// The formats of a reply, and which one a caller wants.
import { FORMATS, formatOfExtension, formatOfMediaType, isEngineFormat, REPLY_FORMATS, type ReplyFormat } from '../../base/formats.ts';
import type { Formulas } from '../../output/format.ts';
import { loadFormat } from '../../output/index.ts';
import type { Renderer } from './answer.ts';
import { logflareResult } from './logflare.ts';

export const contentTypeOf = (format: ReplyFormat): string => FORMATS[format].contentType;

export const replyFormat = (name: string): ReplyFormat | undefined => REPLY_FORMATS.find((format) => format === name);

/** The name before a known extension, and the format it stands for. */
export function splitExtension(reference: string): { readonly reference: string; readonly format: ReplyFormat } | undefined {
  const dot = reference.lastIndexOf('.');
  const format = dot > 0 ? replyFormat(formatOfExtension(reference.slice(dot)) ?? '') : undefined;
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
    const format = formatOfMediaType(type);
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
    if (isEngineFormat(name)) return [name, { id: name, contentType: contentTypeOf(name), engine: name, print: () => [] }];
    const format = await loadFormat(name);
    const convert = compat === 'logflare' && name === 'json' ? logflareResult : undefined;
    return [
      name,
      {
        id: convert === undefined ? name : 'logflare-json',
        contentType: contentTypeOf(name),
        ...(convert === undefined ? {} : { convert }),
        print: (result) => format(result, { width: undefined, colour: false, formulas }),
      },
    ];
  });
  return Object.fromEntries(await Promise.all(entries)) as Renderers; // one entry for each name
}
