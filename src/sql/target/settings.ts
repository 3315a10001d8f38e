// ClickHouse settings that translations rely on.

export const SETTINGS: Readonly<Record<string, string | number>> = {
  // NULL, not the type's default, for the missing side of an outer join.
  join_use_nulls: 1,
  // CAST of NULL is NULL.
  cast_keep_nullable: 1,
  union_default_mode: 'DISTINCT',
  session_timezone: 'UTC',
  enable_time_time64_type: 1,
  // toStartOfHour and its kin keep Date32 and DateTime64, and with them dates before 1970 and after 2106.
  enable_extended_results_for_datetime_functions: 1,
  // NULL structs.
  enable_nullable_tuple_type: 1,
  // GREATEST and LEAST of NULL are NULL.
  least_greatest_legacy_null_behavior: 1,
  // JSON text has slashes as they are.
  output_format_json_escape_forward_slashes: 0,
  // Records in Tuple columns print as objects. Structs have no names in ClickHouse: they print as arrays all the same.
  output_format_json_named_tuples_as_objects: 1,
  // The untaken branch of IF and CASE must not fail.
  short_circuit_function_evaluation: 'force_enable',
  // GROUP BY and ORDER BY hold expressions; a constant among them is not a position.
  enable_positional_arguments: 0,
  json_type_escape_dots_in_keys: 1,
  // Text in JSON that looks like a date stays text.
  input_format_try_infer_dates: 0,
  input_format_try_infer_datetimes: 0,
};

/**
 * Further settings of queries with grouping sets: NULL for rolled up keys. They keep ClickHouse from finding that GROUP BY x, x - 1 makes the groups of x, which is a
 * third of the cost.
 */
export const GROUPING_SETTINGS: typeof SETTINGS = { group_by_use_nulls: 1 };

/**
 * Further settings of queries over tables of several servers. Constants are sent to shards as values. As text, which is how ClickHouse sends short ones and
 * those of conditions that it moves to shards itself, a time before 1970-01-01 02:46:40 becomes NULL, and a TIME or a long decimal fails:
 * https://github.com/ClickHouse/ClickHouse/issues/94612. And where it moves expressions below an ARRAY JOIN, the columns of shards are not those that it expects.
 */
export const SHARD_SETTINGS: typeof SETTINGS = {
  optimize_const_name_size: 0,
  allow_push_predicate_ast_for_distributed_subqueries: 0,
  query_plan_lift_up_array_join: 0,
};

/** Further settings of those whose tables all say by which key their rows lie on shards: conditions on it choose the shards. */
export const SHARDING_KEY_SETTINGS: typeof SETTINGS = { optimize_skip_unused_shards: 1 };
