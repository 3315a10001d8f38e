// TIMESTAMP functions. https://cloud.google.com/bigquery/docs/reference/standard-sql/timestamp_functions
import type { Family } from './define.ts';

export const timestamp: Family = {};
