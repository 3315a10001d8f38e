// JSON objects by the text of their members: values keep every digit, and what is to be JSON stays as it was written.

import { MAX_DEPTH } from '../../engine/lossless-json.ts';
import type { DeclaredColumn } from '../../sources/table-schema.ts';
import { Invalid } from '../bad-lines.ts';
import { holds, type ValueType } from './stored-type.ts';

interface Member {
  readonly key: string;
  /** As it was written. */
  readonly raw: string;
}

/** Of a key, in a message. */
const SHOWN_CHARACTERS = 60;

type Types = ReadonlyMap<string, DeclaredColumn['type']>;

/** The members of an object's text. Throws Invalid for what is no JSON object, or has a key twice. */
export function membersOf(text: string): readonly Member[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Invalid('not JSON');
  }
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
function partsOf(text: string): readonly Member[] {
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

/** Throws Invalid where a value has not the form of its type. What its text says is the engine's to read. */
export function checkFields(members: readonly Member[], types: Types, path: string, ignoreUnknown: boolean): void {
  for (const { key, raw } of members) {
    const type = types.get(key);
    if (type !== undefined) check(raw, type, `${path}${key}`, ignoreUnknown);
    else if (!ignoreUnknown) throw new Invalid(`the table has no ${path === '' ? 'column' : 'field'} ${path}${key}`);
  }
}

/** By the character that a value begins with. */
const SHAPES: Readonly<Record<string, string>> = { '{': 'a record', '[': 'an array' };

function check(raw: string, type: ValueType, path: string, ignoreUnknown: boolean): void {
  if (raw === 'null' || type.kind === 'JSON') return;
  if (type.kind === 'STRING' && !raw.startsWith('"')) return;
  const found = SHAPES[raw.charAt(0)] ?? 'one value';
  if (type.kind === 'ARRAY') {
    if (found !== 'an array') throw new Invalid(`${path} is ${found}, not an array`);
    for (const item of partsOf(raw)) {
      check(item.raw, type.element, path, ignoreUnknown);
    }
  } else if (type.kind === 'STRUCT') {
    if (found !== 'a record') throw new Invalid(`${path} is ${found}, not a record`);
    checkFields(membersOf(raw), fieldTypes(type), `${path}.`, ignoreUnknown);
  } else if (found !== 'one value') throw new Invalid(`${path} is ${found}, not ${type.kind}`);
  else if (raw.includes('\\u') && /\p{Surrogate}/u.test(JSON.parse(raw) as string))
    throw new Invalid(`${path} contains half of a character`); // a quoted text
}

const fieldTypes = ({ fields }: Extract<ValueType, { readonly kind: 'STRUCT' }>): Types =>
  new Map(fields.map(({ name, type }) => [name ?? '', type]));

/** The members as JSON, where values of the type JSON have become texts that hold them. */
export function withJsonAsText(members: readonly Member[], types: Types, ignoreUnknown: boolean): readonly string[] {
  return members.flatMap(({ key, raw }) => {
    const type = types.get(key);
    if (type === undefined && ignoreUnknown) return [];
    return [`${JSON.stringify(key)}:${type === undefined ? raw : asText(raw, type, ignoreUnknown)}`];
  });
}

function asText(raw: string, type: ValueType, ignoreUnknown: boolean): string {
  if (raw === 'null') return raw;
  if (type.kind === 'JSON') return JSON.stringify(raw);
  if (type.kind === 'ARRAY' && (holds(type, 'JSON') || ignoreUnknown))
    return `[${partsOf(raw)
      .map((item) => asText(item.raw, type.element, ignoreUnknown))
      .join(',')}]`;
  if (type.kind === 'STRUCT' && (holds(type, 'JSON') || ignoreUnknown))
    return `{${withJsonAsText(membersOf(raw), fieldTypes(type), ignoreUnknown).join(',')}}`;
  return raw;
}
