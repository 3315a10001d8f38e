// Failures for which quern has no words of its own: ClickHouse's text is about SQL that the user has not written, so it is kept for --verbose.

import { type ErrorCode, QuernError, SEE_ENGINES_TEXT } from '../../base/errors.ts';
import { topicOf } from '../../clickhouse/errors.ts';
import type { PreparedQuery } from '../prepared-query.ts';

const MESSAGES: { readonly [code in ErrorCode]?: (name: string, label: string) => string } = {
  engine: (name, label) => `ClickHouse cannot run the translation of ${name}: ${label}`,
  data: (_, label) => `the query failed: ClickHouse cannot compute with a value: ${label}`,
  limit: (_, label) => `the query reached a limit of ClickHouse: ${label}`,
};

const HINTS: { readonly [code in ErrorCode]?: string } = {
  engine: `${SEE_ENGINES_TEXT}; if your tables are right, this is a bug in quern: please report it`,
  data: SEE_ENGINES_TEXT,
};

/** `error` without the engine's text, which only who writes ClickHouse SQL can do something with; any other error as it is. */
export function inOwnWords(error: unknown, { name, dialect }: Pick<PreparedQuery, 'name' | 'dialect'>): unknown {
  if (!(error instanceof QuernError) || error.details.engineWords === undefined) return error;
  if (dialect !== 'bigquery') {
    const { hint = 'the SQL is sent to ClickHouse as it is written: fix it there' } = error.details;
    return new QuernError(error.code, error.message, { ...error.details, hint });
  }
  const { hint, notes, source, span, engineWords: label, ...details } = error.details;
  const topic = topicOf(error.details.engineCode);
  if (error.code === 'engine' && (topic === 'server' || topic === 'network'))
    return new QuernError('engine', `ClickHouse failed while it ran ${name}: ${label}`, {
      ...details,
      hint: `the query is not the cause: try again later, or check ClickHouse; ${SEE_ENGINES_TEXT}`,
    });
  const message = MESSAGES[error.code]?.(name, label);
  if (message === undefined) return error;
  const place = source?.name === 'the ClickHouse SQL' ? {} : { source, span };
  return new QuernError(error.code, message, { ...details, ...place, hint: hint ?? HINTS[error.code] });
}
