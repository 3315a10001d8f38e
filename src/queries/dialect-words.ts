// The words of the dialect, for those who complete them.
import { dialectFunctions, KEYWORDS } from '../sql/index.ts';

interface DialectWords {
  readonly functions: readonly string[];
  readonly keywords: readonly string[];
}

/** In capitals. */
export const dialectWords = (): DialectWords => ({ functions: dialectFunctions().map(({ name }) => name), keywords: [...KEYWORDS] });
