// How large a query may be: what bounds the text of a caller who is not trusted, and what any text.
import { QuernError } from '../../base/errors.ts';
import type { Span } from '../../base/source-text.ts';
import { withSteps } from './budget.ts';

export interface Bounds {
  /** Of the whole translation, see budget.ts. */
  readonly steps: number;
  /** Expressions and relations, with WITH tables written out: twice as many cost ClickHouse a second before it looks at the time. */
  readonly expandedNodes: number;
  /** Characters of the SQL. */
  readonly length: number;
}

/** Texts of people who may run what they like: only what would never end is stopped. */
export const TRUSTED: Bounds = {
  steps: 400_000_000,
  expandedNodes: Number.POSITIVE_INFINITY,
  length: Number.POSITIVE_INFINITY,
};

/**
 * Texts of callers, which others wait behind. Supabase Studio's queries take some 7,000 steps for 110 expressions and relations; 30 WITH tables of
 * groups, or 800 values in a list, three times as many steps.
 */
export const SANDBOXED: Bounds = { steps: 150_000, expandedNodes: 10_000, length: 500_000 };

/** What `translate` gives within the bounds. A refusal that has no place is about all of `span`. */
export function bounded<T>({ steps }: Bounds, span: Span, translate: () => T): T {
  try {
    return withSteps(steps, translate);
  } catch (error) {
    if (error instanceof QuernError && error.code === 'too-complex' && error.details.span === undefined)
      throw new QuernError(error.code, error.message, { ...error.details, span });
    // Depth is bounded long before; this is for stacks that are nearly used up when the translation begins.
    if (error instanceof RangeError && /call stack/.test(error.message))
      throw new QuernError('too-complex', 'the query is nested too deeply to be translated here', {
        span,
        hint: 'use fewer levels of subqueries',
      });
    throw error;
  }
}
