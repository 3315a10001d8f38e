// A difference that was found, and how queries are asked on both sides.
import type { Comparison } from './compare.ts';
import { type Judgement, judge } from './judge.ts';
import type { Ours } from './ours.ts';
import type { Argument, Outcome } from './outcome.ts';
import type { Reference } from './reference/service.ts';
import { type Node, textOf } from './tree.ts';

/** A query to ask on both sides. */
export interface Question {
  readonly query: Node;
  readonly comparison: Comparison;
  readonly args?: readonly Argument[];
  /** The same without the order that it fixes. */
  readonly unordered?: Node;
}

export interface Answer extends Judgement {
  readonly expected: Outcome;
  readonly got: Outcome;
}

export interface Sides {
  readonly ours: Ours;
  readonly reference: Reference;
}

export async function ask({ ours, reference }: Sides, { query, comparison, args }: Question): Promise<Answer> {
  const expected = await reference.evaluate(textOf(query, 'reference'), args);
  const got: Outcome = expected.kind === 'unable' ? { kind: 'unable', message: '' } : await ours.evaluate(textOf(query), args);
  return { ...judge(expected, got, comparison), expected, got };
}
