// A result made ready to be sent: its bytes, their tag, and compressed variants made once, when first asked for.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { QueryResult } from '../../base/result.ts';
import { createYield, joined, mapYielding, type YieldToEventLoop } from '../../base/yield.ts';
import type { Answer, Encoding, Renderer } from './answer.ts';

/** The form in which a call wants the rows. */
export interface Shape {
  readonly render: Renderer;
  readonly redact: boolean;
  readonly maxRows?: number | undefined;
}

export interface Body extends Pick<Answer, 'etag' | 'contentType' | 'rows' | 'truncated' | 'bytes' | 'body'> {
  readonly shape: Shape;
  /** Returns the length of all variants made so far. */
  size(): number;
}

interface BodyOptions {
  readonly redact: (result: QueryResult) => QueryResult;
  /** Called when a variant has been added. */
  readonly onGrown: (body: Body) => void;
}

const compressWith = {
  gzip: promisify(gzip),
  br: promisify(brotliCompress),
} as const;

/** A level that is quick enough while a caller waits. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

export function shapeKey({ render, redact, maxRows }: Shape): string {
  return `${render.id}${redact ? ' redacted' : ''}${maxRows === undefined ? '' : ` ${maxRows}`}`;
}

/** Prints the result. `wanted` may be a whole call, of which only the shape is retained. */
export async function prepareBody(result: QueryResult, wanted: Shape, { redact, onGrown }: BodyOptions): Promise<Body> {
  const { render, maxRows } = wanted;
  const cut = cutRows(result, maxRows);
  const { identity, digest } = await printedInPieces(cut, render, wanted.redact ? redact : undefined);
  const variants: { [E in Encoding]?: Buffer | Promise<Buffer> } = { identity };
  let size = identity.length;

  const compress = async (encoding: 'gzip' | 'br'): Promise<Buffer> => {
    try {
      const variant = exact(await (encoding === 'gzip' ? compressWith.gzip(identity) : compressWith.br(identity, BROTLI)));
      size += variant.length;
      variants[encoding] = variant;
      onGrown(body);
      return variant;
    } catch (error) {
      delete variants[encoding];
      throw error;
    }
  };

  const body: Body = {
    shape: { render, redact: wanted.redact, maxRows },
    etag: `"${digest.slice(0, 27)}"`,
    contentType: render.contentType,
    rows: cut.rows.length,
    truncated: cut.truncated,
    bytes: identity.length,
    size: () => size,
    body(encoding) {
      variants[encoding] ??= compress(encoding === 'br' ? 'br' : 'gzip');
      return variants[encoding];
    },
  };
  return body;
}

/** A reply may have hundreds of megabytes, so other requests are answered between its pieces. */
async function printedInPieces(
  result: QueryResult,
  { convert, print }: Renderer,
  redact: BodyOptions['redact'] | undefined,
): Promise<{ readonly identity: Buffer; readonly digest: string }> {
  const yieldToEventLoop = createYield();
  let shown = result;
  for (const change of [redact, convert]) if (change !== undefined) shown = await changed(shown, change, yieldToEventLoop);
  const hash = createHash('sha256');
  const pieces: Buffer[] = [];
  for (const text of print(shown)) {
    const piece = Buffer.from(text);
    hash.update(piece);
    pieces.push(piece);
    await yieldToEventLoop();
  }
  return { identity: await joined(pieces, yieldToEventLoop), digest: hash.digest('base64url') };
}

async function changed(
  result: QueryResult,
  change: (result: QueryResult) => QueryResult,
  yieldToEventLoop: YieldToEventLoop,
): Promise<QueryResult> {
  return {
    ...change({ ...result, rows: [] }),
    rows: await mapYielding(result.rows, (rows) => change({ ...result, rows }).rows, yieldToEventLoop),
  };
}

/** Copies a buffer that is a view of a larger one, so that the larger one can be freed. */
function exact(buffer: Buffer): Buffer {
  if (buffer.buffer.byteLength === buffer.length) return buffer;
  const copy = Buffer.allocUnsafeSlow(buffer.length);
  buffer.copy(copy);
  return copy;
}

function cutRows(result: QueryResult, maxRows: number | undefined): QueryResult {
  if (maxRows === undefined || result.rows.length <= maxRows) return result;
  return { ...result, rows: result.rows.slice(0, maxRows), truncated: true };
}
