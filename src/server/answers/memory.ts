// Bodies in memory, by pair of prepared query and arguments, within a bound on their bytes: the pair that nobody asked for longest goes first.
import { LRUCache } from 'lru-cache';
import type { QueryResult } from '../../base/result.ts';
import type { StoredResult } from '../../cache/cache.ts';
import { type Body, prepareBody, type Shape, shapeKey } from './body.ts';

/** The bodies of a pair, all of the same rows. */
interface Bodies {
  readonly storedAtMs: number;
  readonly bodies: ReadonlyMap<string, Body>;
}

interface AnswersMemoryOptions {
  readonly maxBytes: number;
  readonly redact: (result: QueryResult) => QueryResult;
}

/** The memory that a pair and a body take besides their bytes. */
const PAIR_BYTES = 500;
const BODY_BYTES = 500;

export class AnswersMemory {
  readonly #pairs: LRUCache<string, Bodies>;
  readonly #redact: AnswersMemoryOptions['redact'];
  /** Callers who waited for the same run share bodies, also those that are too big for the memory. */
  readonly #printed = new WeakMap<QueryResult, Map<string, Promise<Body>>>();

  constructor({ maxBytes, redact }: AnswersMemoryOptions) {
    this.#pairs = new LRUCache({ maxSize: maxBytes, sizeCalculation: sizeOf });
    this.#redact = redact;
  }

  get(pair: string): Bodies | undefined {
    return this.#pairs.get(pair);
  }

  /** Prints these rows in every shape that the pair's bodies have, and puts them in their place. */
  async replace(pair: string, stored: StoredResult): Promise<void> {
    const before = this.#pairs.peek(pair);
    const bodies = new Map<string, Body>();
    for (const [key, { shape }] of before?.bodies ?? []) bodies.set(key, await this.#bodyOf(pair, stored, shape));
    const now = this.#pairs.peek(pair);
    // Others may have been quicker with newer ones.
    if (now !== undefined && now !== before && now.storedAtMs > stored.storedAtMs) return;
    this.#pairs.set(pair, { storedAtMs: stored.storedAtMs, bodies });
  }

  /** Returns the body of these rows in the shape, printed once for all requests; it is retained if they are the pair's rows. */
  async body(pair: string, stored: StoredResult, shape: Shape): Promise<Body> {
    const body = await this.#bodyOf(pair, stored, shape);
    const current = this.#pairs.peek(pair);
    const key = shapeKey(shape);
    const isOfPair = current?.storedAtMs === stored.storedAtMs && stored.result.missing === undefined;
    if (current !== undefined && isOfPair && !current.bodies.has(key)) {
      this.#pairs.set(pair, { storedAtMs: current.storedAtMs, bodies: new Map(current.bodies).set(key, body) });
    }
    return body;
  }

  stats(): { readonly bodies: number; readonly bytes: number } {
    let bodies = 0;
    for (const one of this.#pairs.values()) bodies += one.bodies.size;
    return { bodies, bytes: this.#pairs.calculatedSize };
  }

  #bodyOf(pair: string, { result, storedAtMs }: StoredResult, shape: Shape): Promise<Body> {
    const ofResult = this.#printed.get(result) ?? new Map<string, Promise<Body>>();
    this.#printed.set(result, ofResult);
    const key = shapeKey(shape);
    const onGrown = (): void => this.#measureAgain(pair, storedAtMs);
    const body = ofResult.get(key) ?? prepareBody(result, shape, { redact: this.#redact, onGrown });
    ofResult.set(key, body);
    return body;
  }

  #measureAgain(pair: string, storedAtMs: number): void {
    const current = this.#pairs.peek(pair);
    if (current?.storedAtMs === storedAtMs) this.#pairs.set(pair, { ...current });
  }
}

function sizeOf({ bodies }: Bodies, pair: string): number {
  let bytes = PAIR_BYTES + pair.length;
  for (const body of bodies.values()) bytes += BODY_BYTES + body.size();
  return bytes;
}
