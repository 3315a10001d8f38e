// Folds conditions whose outcome is known now, such as those on the arguments of the call that a CTE makes of a constant: ClickHouse does not analyze the
// branches that they rule out, at some 50 µs for each function. Texts and intervals of constants are constants too: some arguments must be. Six of 5,500 queries of the
// compliance cases are refused without it; none that ships needs it, since helper functions are folded where they are called.
import { foldExpr } from '../../functions/fold.ts';
import type { Rule } from '../rule.ts';

export const foldConstants: Rule = {
  name: 'fold-constants',
  changes: () => ({ expressions: { call: foldExpr, case: foldExpr, cast: foldExpr } }),
};
