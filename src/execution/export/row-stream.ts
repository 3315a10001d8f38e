// The rows of a query one by one as the engine gives them, for results that are never in memory as a whole.

import type { ResultColumn, Row } from '../../base/result.ts';
import type { StreamEnd } from '../../engine/engine.ts';
import { type ExecutionDependencies, openExecution } from '../execute.ts';
import type { PreparedQuery } from '../prepared-query.ts';
import { type RunOptions, readRunOptions } from '../request.ts';
import { columnsAsked, type RunDependencies, withRowLimit } from '../run.ts';
import { decoded } from './rows.ts';

interface RowStream {
  readonly columns: readonly ResultColumn[];
  /** At most `max_rows`. */
  rows(onEnd: (end: RowStreamEnd) => void): AsyncIterable<Row>;
}

interface RowStreamEnd {
  /** There would have been more. */
  readonly truncated: boolean;
  readonly missing?: readonly string[] | undefined;
}

/** Throws as run does; errors of rows are thrown as these are read. */
export async function openRowStream(
  prepared: PreparedQuery,
  request: RunOptions,
  deps: Pick<RunDependencies, 'now'> & ExecutionDependencies,
): Promise<RowStream> {
  const { prepared: sent, ask, stream } = await openExecution(prepared, readRunOptions(prepared, request, deps), deps);
  const columns = await columnsAsked(sent, ask);
  return {
    columns,
    async *rows(onEnd) {
      let left = prepared.maxRows;
      let missing: readonly string[] | undefined;
      const onLines = (end: StreamEnd): void => {
        missing = end.missing;
      };
      const lines = stream(withRowLimit(sent), 'JSONCompactEachRow', { onEnd: onLines });
      for await (const row of decoded(lines, columns)) {
        if (left === 0) return onEnd({ truncated: true, missing });
        left--;
        yield row;
      }
      onEnd({ truncated: false, missing });
    },
  };
}
