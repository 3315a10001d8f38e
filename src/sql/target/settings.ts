// ClickHouse settings that translations rely on.

type Value = string | number;

interface Setting {
  readonly value: Value;
  /** What a query has, in its SQL or in the types of its columns, that makes rows depend on the setting; more of it does no harm. */
  readonly neededBy: RegExp;
}

const TIMES = /date|time|now|month|year|week|day|hour|UTC/i;
const JSON_VALUES = /JSON|RECORD|STRUCT/;
const STRUCTS = /\btuple\(|Tuple\(|STRUCT|RECORD/;

export const SETTINGS_TABLE: Readonly<Record<string, Setting>> = {
  // NULL, not the type's default, for the missing side of an outer join.
  join_use_nulls: { value: 1, neededBy: /(?:LEFT|RIGHT|FULL) JOIN/ },
  // CAST of NULL is NULL.
  cast_keep_nullable: { value: 1, neededBy: /\bCAST\(/ },
  union_default_mode: { value: 'DISTINCT', neededBy: /\b(?:UNION|INTERSECT|EXCEPT)\b(?! (?:ALL|DISTINCT))/ },
  session_timezone: { value: 'UTC', neededBy: TIMES },
  enable_time_time64_type: { value: 1, neededBy: /Time64|toTime\b|\bTIME\b/ },
  // toStartOfHour and its kin keep Date32 and DateTime64, and with them dates before 1970 and after 2106.
  enable_extended_results_for_datetime_functions: { value: 1, neededBy: TIMES },
  // NULL structs.
  enable_nullable_tuple_type: { value: 1, neededBy: STRUCTS },
  // GREATEST and LEAST of NULL are NULL.
  least_greatest_legacy_null_behavior: { value: 1, neededBy: /\b(?:least|greatest)\(/ },
  // JSON text has slashes as they are.
  output_format_json_escape_forward_slashes: { value: 0, neededBy: JSON_VALUES },
  // Records in Tuple columns print as objects. Structs have no names in ClickHouse: they print as arrays all the same.
  output_format_json_named_tuples_as_objects: { value: 1, neededBy: STRUCTS },
  // The untaken branch of IF and CASE must not fail.
  short_circuit_function_evaluation: { value: 'force_enable', neededBy: /throwIf|accurateCast|Decimal|intDiv|%|arrayElement|parse|_\w+\(/ },
  // GROUP BY and ORDER BY hold expressions; a constant among them is not a position.
  enable_positional_arguments: { value: 0, neededBy: /\b(?:GROUP|ORDER) BY\b[\s\S]*?[\s,(]-?\d+(?=[\s,)]|$)/ },
  json_type_escape_dots_in_keys: { value: 1, neededBy: /JSON|%2E/ },
  // Text in JSON that looks like a date stays text.
  input_format_try_infer_dates: { value: 0, neededBy: /JSON/ },
  input_format_try_infer_datetimes: { value: 0, neededBy: /JSON/ },
};

export const SETTINGS: Readonly<Record<string, Value>> = Object.fromEntries(
  Object.entries(SETTINGS_TABLE).map(([name, { value }]) => [name, value]),
);

/**
 * Further settings of queries with grouping sets: NULL for rolled up keys. They keep ClickHouse from finding that GROUP BY x, x - 1 makes the groups of x, which is a
 * third of the cost.
 */
export const GROUPING_SETTINGS: typeof SETTINGS = { group_by_use_nulls: 1 };

/** More conditions than a query has. */
const NEVER = 1_000_000_000;

/**
 * Further settings of queries over tables of several servers. Where ClickHouse moves expressions below an ARRAY JOIN, or writes `x = 1 OR x = 2 OR x = 3` as IN, the
 * columns of shards are not those that it expects: it makes IN of other types than a shard, which reads the constants again. Of decimals, a shard dies.
 */
export const SHARD_SETTINGS: typeof SETTINGS = {
  allow_push_predicate_ast_for_distributed_subqueries: 0,
  query_plan_lift_up_array_join: 0,
  optimize_min_equality_disjunction_chain_length: NEVER,
  optimize_min_inequality_conjunction_chain_length: NEVER,
};

/**
 * Further settings of those with constants that text may not carry (see hasFragileConstant): shards are sent their values. As text, which is how ClickHouse
 * sends short ones, a time before 1970-01-01 02:46:40 becomes NULL, and a TIME or a long decimal fails: https://github.com/ClickHouse/ClickHouse/issues/94612.
 * The names of values are long, and every block that shards return has them.
 */
export const FRAGILE_SETTINGS: typeof SETTINGS = { optimize_const_name_size: 0 };

/** Further settings of those whose shards join their own rows: what is joined without GLOBAL stands for the table of the shard. */
export const COLOCATED_SETTINGS: typeof SETTINGS = { distributed_product_mode: 'local' };

/** Further settings of those whose tables all say by which key their rows lie on shards: conditions on it choose the shards. */
export const SHARDING_KEY_SETTINGS: typeof SETTINGS = { optimize_skip_unused_shards: 1 };
