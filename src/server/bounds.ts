// The bounds of a server's queries, in the words of the settings, for the message at its start.

import { formatDuration, formatSize } from '../base/quantity.ts';
import type { ExecutionLimits } from '../engine/engine.ts';
import type { AnswersLimits } from './answers/answers.ts';

/** Settings that bound nothing are left out. */
export function boundsOf(
  limits: ExecutionLimits,
  { queries, waiting, waitMs }: Pick<AnswersLimits, 'queries' | 'waiting' | 'waitMs'>,
): object {
  const { maxExecutionSeconds, maxMemoryBytes, maxRowsToRead, maxResultBytes } = limits;
  return {
    ...(maxExecutionSeconds === undefined ? {} : { timeout: formatDuration(maxExecutionSeconds) }),
    ...(maxMemoryBytes === undefined ? {} : { max_memory: formatSize(maxMemoryBytes) }),
    ...(maxRowsToRead === undefined ? {} : { max_scan: maxRowsToRead }),
    ...(maxResultBytes === undefined ? {} : { max_result_bytes: formatSize(maxResultBytes) }),
    engine_queries: queries,
    engine_queue: waiting,
    engine_queue_wait: formatDuration(waitMs / 1000),
  };
}
