// The precedence of operators. https://cloud.google.com/bigquery/docs/reference/standard-sql/operators#operator_precedence

/** Higher numbers bind more tightly; NOT stands between AND and the comparisons. */
export const PRECEDENCE = {
  OR: 1,
  AND: 2,
  NOT: 3,
  comparison: 4,
  '|': 5,
  '^': 6,
  '&': 7,
  '<<': 8,
  '>>': 8,
  '+': 9,
  '-': 9,
  '*': 10,
  '/': 10,
  '||': 10,
  unary: 11,
} as const;

/** Longer chains of AND or OR become balanced trees, which keeps the tree of a generated filter with 100,000 terms shallow. */
export const LONGEST_LEFT_DEEP_CHAIN = 64;
