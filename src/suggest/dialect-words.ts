// The words of the dialect, for those who complete them.
import { dialectFunctions, KEYWORDS } from '../sql/index.ts';
import { opening } from './suggest.ts';

interface DialectWords {
  /** With their brackets: `SUM(`, `RAND()`. */
  readonly functions: readonly string[];
  readonly keywords: readonly string[];
}

/** In capitals. */
export const dialectWords = (): DialectWords => ({
  functions: dialectFunctions().map(({ name, signatures }) => `${name}${opening(signatures)}`),
  keywords: [...KEYWORDS],
});
