// Bodies in memory, by pair of prepared query and arguments, within a bound on their bytes: the pair that nobody asked for longest goes first.
import { LRUCache } from 'lru-cache';
import type { QueryResult } from '../../base/result.ts';
import type { StoredResult } from '../../cache/cache.ts';
import { type Body, prepareBody, type Shape, shapeKey } from './body.ts';

/** What is known of a pair's rows; all bodies are of the same rows. */
interface Held {
  readonly storedAtMs: number;
  readonly bodies: ReadonlyMap<string, Body>;
}

interface AnswersMemory {
  get(pair: string): Held | undefined;
  /** These rows take the place of others, in every shape that those had, once they are printed. */
  replace(pair: string, stored: StoredResult): Promise<void>;
  /** The body for `shape` of these rows, printed once for all who ask; kept when the pair's rows are these. */
  body(pair: string, stored: StoredResult, shape: Shape): Promise<Body>;
  stats(): { readonly bodies: number; readonly bytes: number };
}

interface AnswersMemoryOptions {
  readonly maxBytes: number;
  readonly redact: (result: QueryResult) => QueryResult;
}

/** What a pair and a body cost besides their bytes. */
const PAIR_BYTES = 500;
const BODY_BYTES = 500;

export function openAnswersMemory({ maxBytes, redact }: AnswersMemoryOptions): AnswersMemory {
  const pairs = new LRUCache<string, Held>({ maxSize: maxBytes, sizeCalculation: sizeOf });
  // Callers who waited for the same run share bodies, also those that are too big for the memory.
  const printed = new WeakMap<QueryResult, Map<string, Promise<Body>>>();

  const bodyOf = (pair: string, { result, storedAtMs }: StoredResult, shape: Shape): Promise<Body> => {
    const ofResult = printed.get(result) ?? new Map<string, Promise<Body>>();
    printed.set(result, ofResult);
    const key = shapeKey(shape);
    const body = ofResult.get(key) ?? prepareBody(result, shape, { redact, onGrown: () => measureAgain(pair, storedAtMs) });
    ofResult.set(key, body);
    return body;
  };

  const measureAgain = (pair: string, storedAtMs: number): void => {
    const held = pairs.peek(pair);
    if (held?.storedAtMs === storedAtMs) pairs.set(pair, { ...held });
  };

  return {
    get: (pair) => pairs.get(pair),
    async replace(pair, stored) {
      const before = pairs.peek(pair);
      const bodies = new Map<string, Body>();
      for (const [key, { shape }] of before?.bodies ?? []) bodies.set(key, await bodyOf(pair, stored, shape));
      const now = pairs.peek(pair);
      // Others may have been quicker with newer ones.
      if (now !== undefined && now !== before && now.storedAtMs > stored.storedAtMs) return;
      pairs.set(pair, { storedAtMs: stored.storedAtMs, bodies });
    },
    async body(pair, stored, shape) {
      const body = await bodyOf(pair, stored, shape);
      const held = pairs.peek(pair);
      const key = shapeKey(shape);
      const kept = held?.storedAtMs === stored.storedAtMs && stored.result.missing === undefined;
      if (held !== undefined && kept && !held.bodies.has(key)) {
        pairs.set(pair, { storedAtMs: held.storedAtMs, bodies: new Map(held.bodies).set(key, body) });
      }
      return body;
    },
    stats() {
      let bodies = 0;
      for (const held of pairs.values()) bodies += held.bodies.size;
      return { bodies, bytes: pairs.calculatedSize };
    },
  };
}

function sizeOf(held: Held, pair: string): number {
  let bytes = PAIR_BYTES + pair.length;
  for (const body of held.bodies.values()) bytes += BODY_BYTES + body.size();
  return bytes;
}
