// The body of a server's answer, unpacked; one that breaks off gives all that has arrived before the error.
import type { Readable } from 'node:stream';
import { constants, createGunzip } from 'node:zlib';

/** Must be read to its end, or destroyed. */
export interface ReplyBody extends AsyncIterable<Buffer> {
  destroy(): void;
}

/** As much as may wait for a slow reader; then the socket is not read. */
const WAITING_BYTES = 1 << 20;

/** A message of Node's HTTP client; bodies that are not compressed stay as they are. */
export function replyBody(message: Readable, encoding: string | readonly string[] | undefined): ReplyBody {
  const body = arrivingBytes(message);
  return encoding === 'gzip' ? { destroy: body.destroy, [Symbol.asyncIterator]: () => gunzipped(body) } : body;
}

/**
 * A message drops what it still holds when its connection breaks, and with it the reason that the server gives at the end. So it is emptied
 * at once, and it is the socket that waits for the reader.
 */
function arrivingBytes(message: Readable): ReplyBody {
  const socket = 'socket' in message ? (message.socket as Readable) : message; // Node's documentation
  const arrived: Buffer[] = [];
  let bytes = 0;
  let end: { readonly cause?: unknown } | undefined;
  let wake = (): void => undefined;
  const finish = (cause?: unknown): void => {
    end ??= cause === undefined ? {} : { cause };
    wake();
  };
  message.on('data', (chunk: Buffer) => {
    arrived.push(chunk);
    bytes += chunk.length;
    if (bytes > WAITING_BYTES) socket.pause();
    wake();
  });
  message.on('end', () => finish());
  message.on('error', finish);
  message.on('close', () => finish(new Error('the connection was closed')));
  const destroy = (): void => {
    if (end === undefined) message.destroy();
  };
  return {
    destroy,
    async *[Symbol.asyncIterator]() {
      try {
        for (;;) {
          for (let chunk = arrived.shift(); chunk !== undefined; chunk = arrived.shift()) {
            bytes -= chunk.length;
            if (bytes <= WAITING_BYTES && socket.isPaused()) socket.resume();
            yield chunk;
          }
          if (end !== undefined) break;
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      } finally {
        destroy();
      }
      if ('cause' in end) throw end.cause;
    },
  };
}

async function* gunzipped(body: ReplyBody): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  const unpacked: Buffer[] = [];
  gunzip.on('data', (chunk: Buffer) => unpacked.push(chunk));
  const failed = new Promise<never>((_, reject) => gunzip.on('error', reject));
  failed.catch(() => undefined); // heard while a chunk is unpacked
  const done = (start: (ready: () => void) => void): Promise<void> => Promise.race([failed, new Promise<void>(start)]);
  try {
    for await (const chunk of body) {
      await done((ready) => gunzip.write(chunk, () => ready()));
      yield* unpacked.splice(0);
    }
  } catch (cause) {
    await done((ready) => gunzip.flush(constants.Z_SYNC_FLUSH, () => ready())).catch(() => undefined);
    yield* unpacked.splice(0);
    throw cause;
  }
  await done((ready) => gunzip.on('end', () => ready()).end()); // an answer that is cut off is an error here
  yield* unpacked.splice(0);
}
