// Facts about ClickHouse's functions, by their names.

/** Aggregates by the beginnings of their names. */
const AGGREGATE = /^(any|approx|arg|avg|corr|count|covar|group|max|min|quantile|std|sum|topK|uniq|var)/;
/** Begin alike, and are of one row. */
const OF_ONE_ROW: ReadonlySet<string> = new Set(['countMatches', 'countSubstrings', 'max2', 'min2', 'minus']);

/** Returns whether the value depends on the rows of a group, even where the arguments do not. */
export const isAggregate = (name: string): boolean => AGGREGATE.test(name) && !OF_ONE_ROW.has(name);

/** Returns whether the aggregate has a value over no rows: counts, and arrays. */
export const hasValueOfNone = (name: string): boolean => name === 'count' || name === 'uniq' || name === 'groupArray';

/** Returns what an aggregate gives that ClickHouse has no NULL of; undefined for those that may be NULL. */
export function neverNull(name: string): 'array' | 'count' | undefined {
  if (/^(?:groupArray|groupUniqArray|quantiles|topK)/.test(name)) return 'array';
  return /^(?:count|uniq)/.test(name) ? 'count' : undefined;
}

/** Functions that give NULL for NULL, of those that a parameter's text goes through: https://clickhouse.com/docs/sql-reference/syntax#null */
const STRICT: ReadonlySet<string> = new Set([
  'concat',
  'match',
  'replaceRegexpAll',
  'upper',
  'toString',
  'toInt64OrNull',
  'toFloat64OrNull',
  'parseDateTime64BestEffort',
]);

export const givesNullForNull = (name: string): boolean => STRICT.has(name);
