// What a pair of outcomes means.
import { type Comparison, difference } from './compare.ts';
import type { Outcome } from './outcome.ts';

export const CLASSES = [
  'same',
  'wrong',
  'rows-where-error',
  'engine-error',
  'server-died',
  'error-where-rows',
  'refused',
  'reference-unable',
] as const;
export type Class = (typeof CLASSES)[number];

/** Classes that must not be. */
export const FAULTS = ['wrong', 'rows-where-error', 'engine-error', 'server-died'] as const satisfies readonly Class[];
export const isFault = (name: Class): boolean => FAULTS.some((fault) => fault === name);

export interface Judgement {
  readonly class: Class;
  readonly why: string;
}

export function judge(expected: Outcome, got: Outcome, comparison: Comparison): Judgement {
  if (expected.kind === 'unable') return { class: 'reference-unable', why: expected.message };
  if (expected.kind === 'error') {
    if (got.kind === 'rows') return { class: 'rows-where-error', why: expected.message };
    return { class: 'same', why: '' };
  }
  if (expected.kind !== 'rows') throw new RangeError('the reference gives rows or not');
  switch (got.kind) {
    case 'refused':
      return got.code === 'crash'
        ? { class: 'engine-error', why: `the translator: ${got.message}` }
        : { class: 'refused', why: `${got.code}: ${got.message}` };
    case 'died':
      return { class: 'server-died', why: got.message };
    case 'engine':
      return { class: 'engine-error', why: got.message };
    case 'error':
      return { class: 'error-where-rows', why: got.message };
    case 'unable':
      return { class: 'reference-unable', why: got.message };
    case 'rows': {
      const why = difference(expected, got, comparison);
      return why === undefined ? { class: 'same', why: '' } : { class: 'wrong', why };
    }
  }
}
