// Random schedules that can be run again: how many steps, and of which seed, the environment may say.

export const STEPS = Number(process.env['QUERN_BUCKET_STEPS'] ?? 40);
export const SEED = Number(process.env['QUERN_BUCKET_SEED'] ?? 1);

/** mulberry32: numbers from 0 to 1. */
export function seeded(seed = SEED): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
