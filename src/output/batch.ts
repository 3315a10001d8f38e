// Joins small pieces of text into chunks that are large enough for one write.

const chunkLength = 64 * 1024;

/** The same text in chunks of about 64 Ki characters. */
export function* batched(pieces: Iterable<string>): Iterable<string> {
  let chunk = '';
  for (const piece of pieces) {
    chunk += piece;
    if (chunk.length >= chunkLength) {
      yield chunk;
      chunk = '';
    }
  }
  if (chunk !== '') yield chunk;
}
