// The body of a server's answer, unpacked; when the connection breaks, it gives all that has arrived before the error.
import type { Readable } from 'node:stream';
import { constants, createGunzip } from 'node:zlib';

/** Must be read to its end, or destroyed. */
export interface ReplyBody extends AsyncIterable<Buffer> {
  destroy(): void;
}

/** A message of Node's HTTP client; bodies that are not compressed stay as they are. */
export function replyBody(message: Readable, encoding: string | readonly string[] | undefined): ReplyBody {
  return {
    destroy: () => void message.destroy(),
    [Symbol.asyncIterator]: () => (encoding === 'gzip' ? gunzipped(message) : arrived(message)),
  };
}

/** When the connection breaks, a message ends at once: the bytes that it still buffers, such as the reason that the server gives, come first here. */
async function* arrived(message: Readable): AsyncGenerator<Buffer> {
  try {
    yield* message as AsyncIterable<Buffer>;
  } catch (cause) {
    for (let rest: unknown = message.read(); Buffer.isBuffer(rest); rest = message.read()) yield rest;
    throw cause;
  }
}

async function* gunzipped(message: Readable): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  const unpacked: Buffer[] = [];
  gunzip.on('data', (chunk: Buffer) => unpacked.push(chunk));
  const failed = new Promise<never>((_, reject) => gunzip.on('error', reject));
  failed.catch(() => undefined); // the race below reports it
  const done = (start: (ready: () => void) => void): Promise<void> => Promise.race([failed, new Promise<void>(start)]);
  try {
    for await (const chunk of arrived(message)) {
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
