// JSON objects by the text of their members: values keep every digit, and what is to be JSON stays as it was written.

import { jsonIn } from '../../base/json.ts';
import { MAX_DEPTH } from '../../engine/lossless-json.ts';
import { Invalid } from './cells.ts';

export interface Member {
  readonly key: string;
  /** As it was written. */
  readonly raw: string;
}

/** Of a key, in a message. */
const SHOWN_CHARACTERS = 60;

/** The members of an object's text. Throws Invalid for what is no JSON object, or has a key twice. */
export function membersOf(text: string): readonly Member[] {
  const value = jsonIn(text);
  if (value === undefined) throw new Invalid('not JSON');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Invalid('not a JSON object');
  const members = partsOf(text).map(({ key, raw }) => ({ key: key.includes('\\') ? (JSON.parse(key) as string) : key.slice(1, -1), raw })); // a quoted token is a string
  const seen = new Set<string>();
  for (const { key } of members) {
    if (seen.has(key)) throw new Invalid(`has ${key.slice(0, SHOWN_CHARACTERS)} twice`);
    seen.add(key);
  }
  return members;
}

/** Why a text is no object whose members can be read; undefined where it is one. */
export function problemOf(text: string): string | undefined {
  try {
    membersOf(text);
    return undefined;
  } catch (error) {
    if (error instanceof Invalid) return error.message;
    throw error;
  }
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [BRACE, BRACKET, END_BRACE, END_BRACKET] = [0x7b, 0x5b, 0x7d, 0x5d];

/** The parts of a well-formed object or array between its commas; those of an array have no key. */
export function partsOf(text: string): readonly Member[] {
  const parts: Member[] = [];
  let [depth, start, key] = [0, 0, ''];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfText(text, at);
    else if (code === BRACE || code === BRACKET) {
      if (++depth > MAX_DEPTH) throw new Invalid('nests too deeply');
      if (depth === 1) start = at + 1;
    } else if (code === COLON && depth === 1 && key === '') {
      key = text.slice(start, at).trim();
      start = at + 1;
    } else if (code === END_BRACE || code === END_BRACKET || (code === COMMA && depth === 1)) {
      if (depth === 1) {
        const raw = text.slice(start, at).trim();
        if (raw !== '') parts.push({ key, raw });
        [key, start] = ['', at + 1];
      }
      if (code !== COMMA) depth--;
    }
  }
  return parts;
}

/** Where the text ends that begins with the quote at `start`: a quote after an odd number of backslashes is part of it. */
function endOfText(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at;
    while (text.charCodeAt(before - 1) === BACKSLASH) before--;
    if ((at - before) % 2 === 0) return at;
  }
  return text.length;
}
