// How long this process has worked: the time of a clock also counts what other processes of a busy machine do meanwhile.

/** Milliseconds. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * Milliseconds of the processor for work that is always the same, least of some. A bound that is a multiple of it holds on slow processors, and beside others'
 * work, too. The function is read by pages as well, and so uses nothing of Node.
 */
export function yardstick(now: () => number = processorTime): number {
  const times = [1, 2, 3, 4, 5].map(() => {
    const before = now();
    sameWork();
    return now() - before;
  });
  return Math.min(...times);
}

/** Makes, sorts and reads texts: as translating and showing rows do. */
export function sameWork(): number {
  const texts = Array.from({ length: 40_000 }, (_, i) => `row ${(i * 7919) % 40_009}`);
  const places = new Map(texts.toSorted().map((text, i) => [text, i]));
  return texts.reduce((sum, text) => sum + (places.get(text) ?? 0), 0);
}
