// Bounds on the size of queries: those for texts of callers who are not trusted, and those for all other texts.
import { QuernError } from '../../base/errors.ts';
import type { Span } from '../../base/source-text.ts';
import { withSteps } from './budget.ts';

export interface Bounds {
  /** Steps that the whole translation may take: see budget.ts. */
  readonly steps: number;
  /** Expressions and relations, with WITH tables expanded where they are read: ClickHouse takes a second for twice as many before it looks at the time. */
  readonly expandedNodes: number;
  /** Characters of the SQL. */
  readonly length: number;
}

/** The bounds for people who may run what they like: they only stop what would never end. */
export const TRUSTED: Bounds = {
  steps: 400_000_000,
  expandedNodes: Number.POSITIVE_INFINITY,
  length: Number.POSITIVE_INFINITY,
};

/**
 * The bounds for callers, while others wait. Supabase Studio's queries take some 7,000 steps for 110 expressions and relations; 30 WITH tables of
 * groups, or 800 values in a list, take three times as many.
 */
export const SANDBOXED: Bounds = { steps: 150_000, expandedNodes: 10_000, length: 500_000 };

/** Calls `translate` within the bounds. An error about size without a place gets `span`. */
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
