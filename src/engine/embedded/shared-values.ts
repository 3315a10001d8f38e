// Bounds results whose rows share values: the engine stores a constant, or what a join repeats, once, and counts it once, until it prints
// a whole block of rows at a time.
import type { EngineQuery } from '../engine.ts';

/** The message with which the engine fails when the bound is passed. */
export const TOO_LARGE = 'quern: too large a result';

/**
 * Adds a running total of the rows' sizes, as wide as they will be printed: https://clickhouse.com/docs/sql-reference/functions/other-functions#byteSize
 * It costs a millisecond of planning, so it stands only where max_result_bytes does not count every value.
 */
export function boundSharedValues(query: EngineQuery): EngineQuery {
  const bytes = query.limits?.maxResultBytes;
  if (query.sharedValues !== true || bytes === undefined) return query;
  const total = "runningAccumulate(initializeAggregation('sumState', materialize(byteSize(*))))";
  return {
    ...query,
    sql: `SELECT * FROM (\n${query.sql}\n) WHERE NOT throwIf(${total} > ${bytes}, '${TOO_LARGE}')`,
    settings: { ...query.settings, allow_deprecated_error_prone_window_functions: 1 },
  };
}
