// Reads the body of a server's answer: all of it, or an error.
import { QuernError } from '../../base/errors.ts';
import { type AnswerEnd, beginningOf } from './answer-form.ts';
import type { ReplyBody } from './client.ts';
import { lastWords, type ServerAccess } from './reply.ts';

interface BodyOptions extends ServerAccess {
  /** The header X-ClickHouse-Exception-Tag, which frames an error that comes after the first rows. Servers before 25.11 send none. */
  readonly tag: string | undefined;
  readonly end: AnswerEnd;
}

/** Bytes at the end that may hold the error of an older server. */
const TAIL_BYTES = 1 << 14;

/** Yields the bytes of the result; a body that breaks off, ends without being whole, or ends with an error, throws. The body is closed in any case. */
export async function* readBody(body: ReplyBody, { tag, end, ...access }: BodyOptions): AsyncGenerator<Buffer> {
  const { place } = access;
  const marker = tag === undefined ? undefined : Buffer.from(`\r\n__exception__\r\n${tag}\r\n`);
  let retained: Buffer = Buffer.alloc(0); // may be the beginning of the marker
  let words: Buffer[] | undefined; // follows the marker
  let tail: Buffer = retained;
  try {
    for await (const chunk of body) {
      if (words !== undefined) {
        words.push(chunk);
        continue;
      }
      if (marker === undefined) {
        tail = Buffer.concat([tail, chunk.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES);
        yield* end.take(chunk);
        continue;
      }
      const bytes = Buffer.concat([retained, chunk]);
      const at = bytes.indexOf(marker);
      if (at !== -1) words = [bytes.subarray(at + marker.length)];
      const upTo = at === -1 ? bytes.length - beginningOf(marker, bytes) : at;
      retained = bytes.subarray(upTo);
      if (upTo > 0) yield* end.take(bytes.subarray(0, upTo));
    }
  } catch (cause) {
    throw lastWords(words === undefined ? afterLast(tail, 'Code: ').toString() : unframed(words), access) ?? brokenOff(place, cause);
  } finally {
    body.destroy();
  }
  if (words !== undefined) throw lastWords(unframed(words), access) ?? brokenOff(place, undefined);
  if (retained.length > 0) yield* end.take(retained);
  if (!end.isReached()) throw lastWords(afterLast(tail, 'Code: ').toString(), access) ?? brokenOff(place, undefined);
}

/** Removes the length and the marker that follow the message. */
function unframed(words: readonly Buffer[]): string {
  return Buffer.concat(words)
    .toString()
    .replace(/\n\d+ \w+\r\n__exception__\s*$/, '');
}

function afterLast(bytes: Buffer, text: string): Buffer {
  const at = bytes.lastIndexOf(text);
  return at === -1 ? Buffer.alloc(0) : bytes.subarray(at);
}

/** `cause` is the network's error, where there is one. */
export function brokenOff(place: string, cause: unknown): QuernError {
  return new QuernError('unreachable', `the connection to ClickHouse at ${place} broke before the answer was complete`, {
    hint: 'the partial answer was discarded; check that the server, and any proxy in between, is still running, and run the query again',
    cause,
  });
}
