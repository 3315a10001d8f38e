// The engine's plan and estimate of a saved query: how it would go about it, and how much it would read. Nothing is run.

import { QuernError } from '../base/errors.ts';
import { quoteString } from '../clickhouse/quote.ts';
import type { Engine } from '../engine/engine.ts';
import { type ExecutionDependencies, type ExecutionRequest, openExecution } from './execute.ts';
import type { PreparedQuery } from './prepared-query.ts';
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
  /** Those rows with all their columns, uncompressed: what is read is less. Undefined where the engine does not say. */
  readonly bytesAtMost: number | undefined;
}

/** Returns the lines of the engine's own plan, with the indexes it uses. Throws QuernError as a run does. */
export async function engineSteps(prepared: PreparedQuery, request: RunOptions, deps: EstimateDependencies): Promise<readonly string[]> {
  const { rows } = await asked('EXPLAIN PLAN indexes = 1', prepared, readRunOptions(prepared, request, deps), deps);
  return rows.map(([line]) => String(line));
}

/** Returns how much would be read of each table; empty when it is none that the engine can estimate. Throws QuernError as a run does. */
export async function estimateTables(
  prepared: PreparedQuery,
  request: RunOptions,
  deps: EstimateDependencies,
): Promise<readonly TableEstimate[]> {
  return estimateRun(prepared, readRunOptions(prepared, request, deps), deps);
}

/** The same for a run whose values have been read. */
export async function estimateRun(
  prepared: PreparedQuery,
  request: ExecutionRequest,
  deps: ExecutionDependencies,
): Promise<readonly TableEstimate[]> {
  const { engine, rows } = await asked('EXPLAIN ESTIMATE', prepared, request, deps);
  const tables = rows.map(([database, table, parts, count, marks]) => ({
    database: String(database),
    name: String(table),
    parts: Number(parts),
    rows: Number(count),
    marks: Number(marks),
  }));
  const perRow = await bytesPerRow(engine, tables);
  return tables.map(({ database, name, ...estimate }) => {
    const bytes = perRow.get(`${database}.${name}`);
    return { table: `${database}.${name}`, ...estimate, bytesAtMost: bytes === undefined ? undefined : Math.round(bytes * estimate.rows) };
  });
}

async function asked(how: string, given: PreparedQuery, request: ExecutionRequest, deps: ExecutionDependencies) {
  const execution = await openExecution(given, request, deps);
  return { engine: execution.engine, rows: (await execution.ask(`${how}\n${withRowLimit(execution.prepared)}`)).rows };
}

async function bytesPerRow(
  engine: Engine,
  tables: readonly { readonly database: string; readonly name: string }[],
): Promise<ReadonlyMap<string, number>> {
  if (tables.length === 0) return new Map();
  const names = tables.map(({ database, name }) => `(${quoteString(database)}, ${quoteString(name)})`).join(', ');
  try {
    const rows = await engine.rows(
      `SELECT concat(database, '.', table), sum(data_uncompressed_bytes) / sum(rows) FROM system.parts
       WHERE active AND rows > 0 AND (database, table) IN (${names}) GROUP BY 1`,
    );
    return new Map(rows.map(([name, bytes]) => [String(name), Number(bytes)]));
  } catch (error) {
    // Not every login may look into system tables.
    if (error instanceof QuernError && error.code === 'engine') return new Map();
    throw error;
  }
}
