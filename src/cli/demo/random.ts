// Reproducible random numbers: the same seed gives the same sample on every machine.

export type Random = ReturnType<typeof seededRandom>;

/** Makes a generator by the mulberry32 recurrence, whose 32 bits are plenty for a sample. */
export function seededRandom(seed: number) {
  let state = seed >>> 0;
  /** Returns a number in [0, 1). */
  const unit = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  /** Returns a whole number in [0, limit). */
  const below = (limit: number) => Math.floor(unit() * limit);
  const hex = (digits: number): string => {
    let text = '';
    while (text.length < digits) text += below(0x1000000).toString(16).padStart(6, '0');
    return text.slice(0, digits);
  };
  return {
    unit,
    below,
    hex,
    chance: (probability: number) => unit() < probability,
    pick: <T>(choices: readonly T[]): T => certain(choices[below(choices.length)]),
    /** Picks by weight, each choice with its own. */
    weighted<T>(choices: readonly (readonly [T, number])[]): T {
      let rest = unit() * choices.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [choice, weight] of choices) {
        rest -= weight;
        if (rest < 0) return choice;
      }
      return certain(choices.at(-1))[0];
    },
    /** Log-normal: most values near `median`, a few much larger; `spread` is the deviation of the logarithm. */
    around(median: number, spread: number) {
      const normal = Math.sqrt(-2 * Math.log(1 - unit())) * Math.cos(2 * Math.PI * unit());
      return median * Math.exp(spread * normal);
    },
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
  };
}

function certain<T>(choice: T | undefined): T {
  if (choice === undefined) throw new RangeError('there is nothing to pick from');
  return choice;
}
