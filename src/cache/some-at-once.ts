// Does work for each of many things, a few at a time: libuv does four things with files at once, and what else waits takes memory.

const AT_ONCE = 4;

/** The results in the order of the items. Rejects with the first failure. */
export async function someAtOnce<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  const left = items.entries();
  const worker = async (): Promise<void> => {
    for (const [at, item] of left) results[at] = await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}
