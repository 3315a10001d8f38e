// One seed after the other: a generated query, or a damaged one.
import { check } from './check.ts';
import { generator } from './generate.ts';
import { mutate } from './mutate.ts';
import { seeded } from './random.ts';

export interface Problem {
  readonly seed: number;
  readonly text: string;
  readonly problem: string;
}

/** The text of a seed. `corpus` are whole queries to damage besides generated ones. */
export function textOf(seed: number, corpus: readonly string[]): string {
  const random = seeded(seed);
  const { query } = generator(random);
  if (random.chance(0.4)) return query(1 + random.below(4));
  const text = (): string => (random.chance(0.4) && corpus.length > 0 ? random.pick(corpus) : query(random.below(3)));
  return mutate(text(), text(), random);
}

/** Checks seeds from `first` on until `more` says no. */
export function fuzz(first: number, corpus: readonly string[], more: (checked: number) => boolean): readonly Problem[] {
  const problems: Problem[] = [];
  for (let seed = first; more(seed - first); seed++) {
    const text = textOf(seed, corpus);
    const { problem } = check(text);
    if (problem !== null) problems.push({ seed, text, problem });
  }
  return problems;
}
