// The settings under which both engines run queries: how values are printed, and the limits of a query.
import type { ExecutionLimits } from './engine.ts';

export type Settings = Readonly<Record<string, string | number>>;

/** Every query answers in these terms: UTC, and texts that hold every value without loss. */
export const SESSION_SETTINGS = {
  session_timezone: 'UTC',
  output_format_json_quote_64bit_integers: 0, // also rules toJSONString(), where quotes would turn the integers of an event into strings
  output_format_json_quote_decimals: 1,
  output_format_json_quote_denormals: 1,
  output_format_json_named_tuples_as_objects: 0,
  output_format_json_escape_forward_slashes: 0,
  json_type_escape_dots_in_keys: 1,
} as const satisfies Settings;

/** The limits as settings; going beyond one is an error, never a shorter result. */
export function limitSettings(limits: ExecutionLimits = {}): Record<string, string | number> {
  return {
    ...(limits.maxExecutionSeconds === undefined ? {} : { max_execution_time: limits.maxExecutionSeconds, timeout_overflow_mode: 'throw' }),
    ...(limits.maxMemoryBytes === undefined ? {} : { max_memory_usage: limits.maxMemoryBytes }),
    ...(limits.maxResultRows === undefined ? {} : { max_result_rows: limits.maxResultRows }),
    ...(limits.maxResultBytes === undefined ? {} : { max_result_bytes: limits.maxResultBytes }),
    ...(limits.maxRowsToRead === undefined ? {} : { max_rows_to_read: limits.maxRowsToRead, read_overflow_mode: 'throw' }),
    ...(limits.maxThreads === undefined ? {} : { max_threads: limits.maxThreads }),
    result_overflow_mode: 'throw',
  };
}

/** The share of a query's memory that sorting and grouping use before they continue in files. */
const IN_MEMORY = 1 / 3;

/** Returns settings that let sorting and grouping spill to the engine's disk where the query's memory is limited. */
export function spillSettings({ maxMemoryBytes }: ExecutionLimits = {}): Record<string, number> {
  if (maxMemoryBytes === undefined) return {};
  const bytes = Math.floor(maxMemoryBytes * IN_MEMORY);
  return { max_bytes_before_external_group_by: bytes, max_bytes_before_external_sort: bytes };
}
