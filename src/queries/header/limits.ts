// The limits that a header may set for its query: time, memory, rows read, size of the result.

import { parseDuration, parseSize } from '../../base/quantity.ts';
import type { ExecutionLimits } from '../../engine/engine.ts';
import type { FieldReader, Invalid } from './fields.ts';

export const LIMIT_FIELDS = ['timeout', 'max_memory', 'max_scan', 'max_result_bytes'] as const;

/** What the header leaves out is for the settings to say. */
export function readLimits(fields: FieldReader): ExecutionLimits {
  const maxExecutionSeconds = fields.field('timeout', readTime);
  const maxMemoryBytes = fields.field('max_memory', readSize);
  const maxRowsToRead = fields.field('max_scan', readRows);
  const maxResultBytes = fields.field('max_result_bytes', readSize);
  return {
    ...(maxExecutionSeconds === undefined ? {} : { maxExecutionSeconds }),
    ...(maxMemoryBytes === undefined ? {} : { maxMemoryBytes }),
    ...(maxRowsToRead === undefined ? {} : { maxRowsToRead }),
    ...(maxResultBytes === undefined ? {} : { maxResultBytes }),
  };
}

function readTime(value: unknown): number | Invalid {
  const seconds = typeof value === 'string' ? parseDuration(value) : undefined;
  if (seconds !== undefined && seconds > 0) return seconds;
  return { message: `${JSON.stringify(value)} is not a duration`, hint: 'for example 30s or 5m' };
}

function readSize(value: unknown): number | Invalid {
  const bytes = typeof value === 'string' ? parseSize(value) : value;
  if (typeof bytes === 'number' && Number.isSafeInteger(bytes) && bytes > 0) return bytes;
  return { message: `${JSON.stringify(value)} is not a size`, hint: 'for example 500MB or 2GiB' };
}

function readRows(value: unknown): number | Invalid {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value;
  return { message: `${JSON.stringify(value)} is not a number of rows`, hint: 'write a whole number above 0' };
}
