// Lets long work yield to the event loop: a process has one thread for all callers.

/** The longest time that work goes on without yielding; other answers of a server are late by so much. */
const WORK_MS = 10;
/** Rows that are worked on in one go, where they are not printed. */
const SLICE = 1000;

/** Called between the steps of some work; yields to the event loop if the work has gone on for long. */
export type YieldToEventLoop = () => Promise<void>;

export function createYield(): YieldToEventLoop {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < WORK_MS) return;
    // Every command begins with this file, and node:timers/promises would be one more to load.
    await new Promise((resolve) => setImmediate(resolve));
    since = performance.now();
  };
}

/** Maps the items slice by slice, and yields to the event loop in between. */
export async function mapYielding<T, R>(
  items: readonly T[],
  work: (some: readonly T[]) => readonly R[],
  yieldToEventLoop: YieldToEventLoop,
): Promise<readonly R[]> {
  if (items.length <= SLICE) return work(items);
  const made: R[] = [];
  for (let start = 0; start < items.length; start += SLICE) {
    for (const one of work(items.slice(start, start + SLICE))) made.push(one);
    await yieldToEventLoop();
  }
  return made;
}

/** Copies the pieces one after the other into one buffer with memory of its own. */
export async function joined(pieces: readonly Buffer[], yieldToEventLoop: YieldToEventLoop): Promise<Buffer> {
  const whole = Buffer.allocUnsafeSlow(pieces.reduce((bytes, piece) => bytes + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    at += piece.copy(whole, at);
    await yieldToEventLoop();
  }
  return whole;
}
