// Replies with some of their fields: `fields=nextPageToken,jobs(id,status/state)` in an address names those that the caller wants.

import type { PlainReply } from '../../http/reply.ts';
import { invalid } from './errors.ts';
import { isObject, type Json, textIn } from './job-request.ts';

/** By name, the fields below; without any, all of them. */
type Mask = Map<string, Mask>;

/** No mask of a client is as long, and each of its levels takes room on the stack. */
const MOST_CHARACTERS = 1000;

/** A larger reply has many rows, which are bytes that nothing reads here. */
const MOST_BYTES = 256 * 1024;

/** Returns the reply with the fields that the address wants; a large one stays whole. */
export function withFields(reply: PlainReply, query: Json): PlainReply {
  const fields = textIn(query, 'fields');
  if (fields === undefined || reply.body.length === 0 || reply.body.length > MOST_BYTES) return reply;
  if (fields.length > MOST_CHARACTERS) throw invalid(`Invalid value for fields: it has more than ${MOST_CHARACTERS} characters`, 'fields');
  const mask = readList(fields.match(/[^\s(),/]+|[(),/]/g) ?? []);
  return { ...reply, body: JSON.stringify(masked(JSON.parse(reply.body.toString()), mask)) };
}

function masked(value: unknown, mask: Mask): unknown {
  if (mask.size === 0) return value;
  if (Array.isArray(value)) return value.map((one: unknown) => masked(one, mask));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) => {
      const below = mask.get(name) ?? mask.get('*');
      return below === undefined ? [] : [[name, masked(field, below)]];
    }),
  );
}

/** Reads up to the parenthesis that closes the list, or to the end, and takes the tokens away. */
function readList(tokens: string[], mask: Mask = new Map()): Mask {
  while (tokens.length > 0 && tokens[0] !== ')') {
    if (tokens[0] === ',') tokens.shift();
    else readPath(tokens, mask);
  }
  tokens.shift();
  return mask;
}

function readPath(tokens: string[], mask: Mask): void {
  const name = tokens.shift() ?? '';
  const below: Mask = mask.get(name) ?? new Map();
  mask.set(name, below);
  if (tokens[0] !== '/' && tokens[0] !== '(') return;
  if (tokens.shift() === '/') readPath(tokens, below);
  else readList(tokens, below);
}
