// Does work for each of many things, a few at a time: libuv does four things with files at once, and what else waits takes memory.

const AT_ONCE = 4;

/** Rejects with the first failure. */
export async function someAtOnce<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const left = items.values();
  const worker = async (): Promise<void> => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
