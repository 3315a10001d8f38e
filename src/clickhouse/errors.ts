// The errors of ClickHouse that mean something to quern, by what they are about.
// https://github.com/ClickHouse/ClickHouse/blob/master/src/Common/ErrorCodes.cpp

export const ERRORS = {
  /** A value, of an argument or in the data, that cannot be read or computed with. */
  value: {
    CANNOT_PARSE_TEXT: 6,
    POSITION_OUT_OF_BOUND: 11,
    PARAMETER_OUT_OF_BOUND: 12,
    CANNOT_PARSE_ESCAPE_SEQUENCE: 25,
    CANNOT_PARSE_QUOTED_STRING: 26,
    CANNOT_PARSE_INPUT_ASSERTION_FAILED: 27,
    BAD_ARGUMENTS: 36,
    CANNOT_PARSE_DATE: 38,
    CANNOT_PARSE_DATETIME: 41,
    CANNOT_CONVERT_TYPE: 70,
    CANNOT_PARSE_NUMBER: 72,
    INCORRECT_DATA: 117,
    INCORRECT_RESULT_OF_SCALAR_SUBQUERY: 125,
    CANNOT_READ_ARRAY_FROM_TEXT: 130,
    ILLEGAL_DIVISION: 153,
    SIZES_OF_ARRAYS_DONT_MATCH: 190,
    VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE: 321,
    CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN: 349,
    CANNOT_PARSE_UUID: 376,
    FUNCTION_THROW_IF_VALUE_IS_NON_ZERO: 395,
    DECIMAL_OVERFLOW: 407,
    CANNOT_COMPILE_REGEXP: 427,
    INVALID_LIMIT_EXPRESSION: 440,
    CANNOT_PARSE_DOMAIN_VALUE_FROM_STRING: 441,
    BAD_QUERY_PARAMETER: 457,
    CANNOT_PARSE_BOOL: 467,
    UNEXPECTED_DATA_AFTER_PARSED_VALUE: 632,
    CANNOT_PARSE_IPV4: 675,
    CANNOT_PARSE_IPV6: 676,
    UNKNOWN_ELEMENT_OF_ENUM: 691,
  },
  /** A text or an array that would be too long to be made. */
  length: { ARGUMENT_OUT_OF_BOUND: 69, TOO_LARGE_ARRAY_SIZE: 128, TOO_LARGE_STRING_SIZE: 131 },

  /** Limits that the query reaches: of time, memory, rows that it reads, rows that it returns, anything else. */
  time: { TIMEOUT_EXCEEDED: 159, TOO_SLOW: 160 },
  memory: { MEMORY_LIMIT_EXCEEDED: 241 },
  scan: { TOO_MANY_ROWS: 158 },
  result: { TOO_MANY_ROWS_OR_BYTES: 396 },
  limit: { SET_SIZE_LIMIT_EXCEEDED: 191, LIMIT_EXCEEDED: 290, TOO_MANY_BYTES: 307 },
  /** The text of the query is too long, or too deep. */
  size: {
    TOO_DEEP_SUBQUERIES: 162,
    TOO_DEEP_AST: 167,
    TOO_BIG_AST: 168,
    QUERY_IS_TOO_LARGE: 229,
    TOO_DEEP_RECURSION: 306,
    TOO_MANY_QUERY_PLAN_OPTIMIZATIONS: 572,
    TOO_SLOW_PARSING: 718,
  },
  stopped: { QUERY_WAS_CANCELLED: 394 },

  login: { UNKNOWN_USER: 192, WRONG_PASSWORD: 193, REQUIRED_PASSWORD: 194, AUTHENTICATION_FAILED: 516 },
  right: { ACCESS_DENIED: 497 },
  busy: { TOO_MANY_SIMULTANEOUS_QUERIES: 202 },

  /** Names that stand for nothing. */
  table: { UNKNOWN_TABLE: 60 },
  database: { UNKNOWN_DATABASE: 81 },
  cluster: { CLUSTER_DOESNT_EXIST: 701 },

  /** A server that another one needs does not answer, or left in the middle. */
  network: { SOCKET_TIMEOUT: 209, NETWORK_ERROR: 210, ALL_CONNECTION_TRIES_FAILED: 279 },
  shard: { ATTEMPT_TO_READ_AFTER_EOF: 32, NO_REMOTE_SHARD_AVAILABLE: 519 },
  stale: { ALL_REPLICAS_ARE_STALE: 369 },
  /** Errors that no query causes: of files, disks, memory and threads of the server, or its Keeper. */
  server: {
    CANNOT_READ_ALL_DATA: 33,
    CHECKSUM_DOESNT_MATCH: 40,
    CANNOT_READ_FROM_FILE_DESCRIPTOR: 74,
    CANNOT_WRITE_TO_FILE_DESCRIPTOR: 75,
    CANNOT_OPEN_FILE: 76,
    CANNOT_ALLOCATE_MEMORY: 173,
    DNS_ERROR: 198,
    NO_ZOOKEEPER: 225,
    ABORTED: 236,
    NOT_ENOUGH_SPACE: 243,
    CORRUPTED_DATA: 246,
    CANNOT_DECOMPRESS: 271,
    UNKNOWN_STATUS_OF_INSERT: 319,
    SYSTEM_ERROR: 425,
    CANNOT_SCHEDULE_TASK: 439,
    S3_ERROR: 499,
    KEEPER_EXCEPTION: 999,
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, number>>>>;

export type ErrorTopic = keyof typeof ERRORS;

const TOPICS: ReadonlyMap<number | undefined, ErrorTopic> = new Map(
  Object.entries(ERRORS).flatMap(([topic, errors]) => Object.values(errors).map((number) => [number, topic as ErrorTopic] as const)), // a key of its own
);

/** Returns what the error of that number is about; undefined where it means nothing to quern. */
export const topicOf = (number: number | undefined): ErrorTopic | undefined => TOPICS.get(number);
