// Which of ClickHouse's functions are aggregates.
import type { Func } from './ast.ts';

/** Aggregates by the beginnings of their names. */
const AGGREGATE = /^(any|approx|arg|avg|corr|count|covar|group|max|min|quantile|std|sum|topK|uniq|var)/;
/** Begin alike, and are of one row. */
const OF_ONE_ROW: ReadonlySet<string> = new Set(['countMatches', 'countSubstrings', 'max2', 'min2', 'minus']);

/** Whether the value hangs on the rows of a group, even where its arguments do not. */
export const isAggregate = ({ name }: Func): boolean => AGGREGATE.test(name) && !OF_ONE_ROW.has(name);
