// The formats of rows: what each can do, and what it is called in files, flags and replies. Their writers are in output/.

interface FormatFacts {
  /**
   * Who makes the bytes of it: `drawing`, for people, as wide as their terminal; `whole`, out of a result that is held; `lines`, one for a row,
   * which the engine can print as well; `engine`, a document that only the engine writes; `image`, bytes that are no text, out of a result
   * that is held.
   */
  readonly kind: 'drawing' | 'whole' | 'lines' | 'engine' | 'image';
  /** True if it draws a chart of the rows, which `--chart` and related flags shape. */
  readonly charts?: true;
  /** Endings of its files, the usual one first. */
  readonly extensions: readonly string[];
  /** The type of a server's replies; absent where it does not reply in it. */
  readonly contentType?: string;
  /** Names in `Accept`. */
  readonly mediaTypes?: readonly string[];
}

export const FORMATS = {
  table: { kind: 'drawing', extensions: ['.txt'], contentType: 'text/plain; charset=utf-8', mediaTypes: ['text/plain'] },
  chart: { kind: 'drawing', extensions: [], charts: true },
  json: {
    kind: 'whole',
    extensions: ['.json'],
    contentType: 'application/json; charset=utf-8',
    mediaTypes: ['application/json', 'application/*', '*/*'],
  },
  ndjson: {
    kind: 'lines',
    extensions: ['.ndjson', '.jsonl'],
    contentType: 'application/x-ndjson; charset=utf-8',
    mediaTypes: ['application/x-ndjson', 'application/ndjson', 'application/jsonl'],
  },
  csv: { kind: 'lines', extensions: ['.csv'], contentType: 'text/csv; charset=utf-8; header=present', mediaTypes: ['text/csv'] },
  tsv: {
    kind: 'lines',
    extensions: ['.tsv', '.tab'],
    contentType: 'text/tab-separated-values; charset=utf-8',
    mediaTypes: ['text/tab-separated-values'],
  },
  markdown: {
    kind: 'whole',
    extensions: ['.md', '.markdown'],
    contentType: 'text/markdown; charset=utf-8',
    mediaTypes: ['text/markdown'],
  },
  html: { kind: 'whole', extensions: ['.html', '.htm'], charts: true, contentType: 'text/html; charset=utf-8' },
  svg: { kind: 'whole', extensions: ['.svg'], charts: true, contentType: 'image/svg+xml', mediaTypes: ['image/svg+xml'] },
  png: { kind: 'image', extensions: ['.png'], charts: true },
  parquet: {
    kind: 'engine',
    extensions: ['.parquet'],
    contentType: 'application/vnd.apache.parquet',
    mediaTypes: ['application/vnd.apache.parquet', 'application/x-parquet'],
  },
  arrow: {
    kind: 'engine',
    extensions: ['.arrow', '.feather'],
    contentType: 'application/vnd.apache.arrow.file',
    mediaTypes: ['application/vnd.apache.arrow.file'],
  },
} as const satisfies Readonly<Record<string, FormatFacts>>;

export type AnyFormat = keyof typeof FORMATS;
type OfKind<K extends FormatFacts['kind']> = { readonly [N in AnyFormat]: (typeof FORMATS)[N]['kind'] extends K ? N : never }[AnyFormat];
/** Formats that quern writes itself. */
export type FormatName = Exclude<AnyFormat, OfKind<'engine'>>;
export type LineFormat = OfKind<'lines'>;
export type EngineFormat = OfKind<'engine'>;
export type ImageFormat = OfKind<'image'>;
export type ReplyFormat = {
  readonly [N in AnyFormat]: (typeof FORMATS)[N] extends { readonly contentType: string } ? N : never;
}[AnyFormat];

const names = Object.keys(FORMATS) as readonly AnyFormat[]; // the keys of a literal are its names
const factsOf = (name: AnyFormat): FormatFacts => FORMATS[name];

export const isEngineFormat = (name: string | undefined): name is EngineFormat =>
  names.some((known) => known === name && factsOf(known).kind === 'engine');
export const isLineFormat = (name: string): name is LineFormat => names.some((known) => known === name && factsOf(known).kind === 'lines');
export const isDrawing = (name: AnyFormat): boolean => factsOf(name).kind === 'drawing';

export const isImageFormat = (name: string | undefined): name is ImageFormat =>
  names.some((known) => known === name && factsOf(known).kind === 'image');
/** True if it is not text: nothing for a terminal, nor to be compressed. */
export const isBinary = (name: AnyFormat | undefined): name is EngineFormat | ImageFormat => isEngineFormat(name) || isImageFormat(name);
export const drawsCharts = (name: AnyFormat): boolean => factsOf(name).charts === true;

export const FORMAT_NAMES = names.filter((name): name is FormatName => !isEngineFormat(name));
/** Formats that may be the default, whatever the rows are. */
export const TEXT_FORMATS = FORMAT_NAMES.filter((name): name is Exclude<FormatName, ImageFormat> => !isImageFormat(name));
export const CHART_FORMATS = names.filter(drawsCharts);
export const ENGINE_FORMATS = names.filter(isEngineFormat);
/** Formats of replies, those for programs first. */
export const REPLY_FORMATS = names
  .filter((name): name is ReplyFormat => factsOf(name).contentType !== undefined)
  .sort((a, b) => Number(isDrawing(a)) - Number(isDrawing(b)));

/** The format whose files end so; of several, the first of the table. */
export const formatOfExtension = (extension: string): AnyFormat | undefined =>
  names.find((name) => factsOf(name).extensions.includes(extension.toLowerCase()));

/** The format of replies that a media type of `Accept` names. */
export const formatOfMediaType = (type: string): ReplyFormat | undefined =>
  REPLY_FORMATS.find((name) => factsOf(name).mediaTypes?.includes(type) === true);

/** The usual ending of its files. */
export const extensionOf = (name: AnyFormat): string => factsOf(name).extensions[0] ?? `.${name}`;
