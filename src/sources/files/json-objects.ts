// The objects of a JSON document, each with the line on which it begins.
import { isUtf8 } from 'node:buffer';
import { type Line, shownText } from './lines.ts';

const [OPEN, CLOSE, OPEN_LIST, CLOSE_LIST, BACKSLASH, QUOTE, LINE_FEED] = [0x7b, 0x7d, 0x5b, 0x5d, 0x5c, 0x22, 0x0a];

/** The objects of one list, or one after another, in blocks; their texts have no line breaks. What a file ends within is one, too. Throws what reading the bytes throws. */
export async function* readObjects(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Line[]> {
  let [line, depth, number] = [1, 0, 0];
  let [inText, escaped, inList] = [false, false, false];
  let begun: Uint8Array[] = [];
  const take = (last: Uint8Array): Line => {
    const object = Buffer.concat([...begun, last]);
    begun = [];
    const ofUtf8 = isUtf8(object);
    const text = (ofUtf8 ? object.toString('utf8') : shownText(object)).replace(/[\r\n]+/g, ' ');
    return ofUtf8 ? { number, text } : { number, text, problem: 'not UTF-8' };
  };
  for await (const piece of bytes) {
    const objects: Line[] = [];
    let from = 0;
    for (const [at, byte] of piece.entries()) {
      if (depth === 0 && byte === OPEN) [number, from] = [line, at];
      if (depth === 0 && byte === OPEN_LIST && !inList) inList = true;
      else if (!inText && (byte === OPEN || (byte === OPEN_LIST && depth > 0))) depth++;
      else if (!inText && depth > 0 && (byte === CLOSE || byte === CLOSE_LIST) && --depth === 0)
        objects.push(take(piece.subarray(from, at + 1)));
      if (byte === QUOTE && !escaped) inText = !inText;
      escaped = inText && byte === BACKSLASH && !escaped;
      if (byte === LINE_FEED) line++;
    }
    if (depth > 0) begun.push(Uint8Array.from(piece.subarray(from)));
    yield objects;
  }
  if (begun.length > 0) yield [take(new Uint8Array())];
}
