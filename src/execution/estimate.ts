// The engine's plan and estimate of a saved query: how it would go about it, and how much it would read. Nothing is run.

import { type ExecutionDependencies, type ExecutionRequest, openExecution } from './execute.ts';
import type { PreparedQuery } from './prepared-query.ts';
import { bytesPerRow, readColumnsOf, WITHOUT_PREWHERE } from './read-bytes.ts';
import { type RunOptions, readRunOptions } from './request.ts';
import { withRowLimit } from './run.ts';

interface EstimateDependencies extends ExecutionDependencies {
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

interface TableEstimate {
  readonly table: string;
  readonly parts: number;
  readonly rows: number;
  readonly marks: number;
  /** Those rows with the columns that are read, or with all where the plan does not name them. Undefined where the engine does not say. */
  readonly bytesAtMost: number | undefined;
}

/** Returns the lines of the engine's own plan, with the indexes it uses. Throws QuernError as a run does. */
export async function engineSteps(prepared: PreparedQuery, request: RunOptions, deps: EstimateDependencies): Promise<readonly string[]> {
  const { rows } = await asked('EXPLAIN PLAN indexes = 1', prepared, readRunOptions(prepared, request, deps), deps);
  return rows.map(([line]) => String(line));
}

/** Returns how much a run would read of each table; empty when it is none that the engine can estimate. Throws QuernError as a run does. */
export async function estimateRun(
  prepared: PreparedQuery,
  request: ExecutionRequest,
  deps: ExecutionDependencies,
): Promise<readonly TableEstimate[]> {
  const { execution, rows } = await asked('EXPLAIN ESTIMATE', prepared, request, deps);
  const { engine } = execution;
  const plan = async () =>
    (await execution.ask(`EXPLAIN PLAN json = 1, header = 1\n${withRowLimit(execution.prepared)}`, WITHOUT_PREWHERE)).rows;
  const tables = rows.map(([database, table, parts, count, marks]) => ({
    database: String(database),
    name: String(table),
    parts: Number(parts),
    rows: Number(count),
    marks: Number(marks),
  }));
  const perRow = await bytesPerRow(engine, tables, tables.length === 0 ? new Map() : readColumnsOf(linesOf(await plan())));
  return tables.map(({ database, name, ...estimate }) => {
    const bytes = perRow.get(`${database}.${name}`);
    return { table: `${database}.${name}`, ...estimate, bytesAtMost: bytes === undefined ? undefined : Math.round(bytes * estimate.rows) };
  });
}

async function asked(how: string, given: PreparedQuery, request: ExecutionRequest, deps: ExecutionDependencies) {
  const execution = await openExecution(given, request, deps);
  return { execution, rows: (await execution.ask(`${how}\n${withRowLimit(execution.prepared)}`)).rows };
}

const linesOf = (rows: readonly (readonly unknown[])[]): string => rows.map(([line]) => String(line)).join('\n');
