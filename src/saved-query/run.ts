// Runs a saved query: the one place where the translator, the sources, the engine and the cache meet.
import type { Cache, CachedResult, CacheMode } from '../cache/cache.ts';
import { cacheKey } from '../cache/key.ts';
import type { Engine, EngineQuery, EngineResult, ExecutionLimits } from '../engine/engine.ts';
import { QuernError } from '../errors.ts';
import type { QueryResult, ResultColumn } from '../result.ts';
import { INSTANT_PARAMETER } from '../sql/translation.ts';
import type { FailedRun } from './blame.ts';
import { instantAt, readTimestamp, TIMESTAMP_FORMS } from './instant.ts';
import { type ArgumentRules, type ArgumentValues, bindingsFor, readArguments } from './parameters.ts';
import { type Plan, type PlanDependencies, preparePlan } from './plan.ts';
import { withArguments } from './plan-with-arguments.ts';

export interface RunRequest {
  /** Name, UUID or path of a saved query, or a plan made before. */
  readonly query: string | Plan;
  /** As given: text, JSON values, or lists for repeated flags. */
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly unknownArguments?: ArgumentRules['unknown'];
  /** The instant of CURRENT_TIMESTAMP(): a timestamp as parameters take it. Default: now. */
  readonly asOf?: string;
  readonly cache: CacheMode;
  readonly maxAgeSeconds?: number;
  readonly signal?: AbortSignal;
}

export interface RunDependencies extends PlanDependencies {
  readonly cache: Cache;
  /** Opened only when the cache has no answer. */
  engine(): Promise<Engine>;
  /** Identity of that engine and its data, known without opening it. */
  readonly engineId: string;
  /** What the settings allow; a query's own limits go before them. */
  readonly limits?: ExecutionLimits;
  /** What the caller has said for this run: goes before both. */
  readonly givenLimits?: ExecutionLimits;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface RunOutcome {
  readonly result: QueryResult;
  readonly cache: Omit<CachedResult, 'result'>;
  readonly plan: Plan;
}

/**
 * The rows of a saved query, at most `max_rows` of them, from the cache or from the engine.
 * Throws QuernError: what preparePlan, readArguments and the engine throw, and `usage` for an unfit `asOf`.
 */
export async function runSavedQuery(request: RunRequest, deps: RunDependencies): Promise<RunOutcome> {
  const plan = typeof request.query === 'string' ? await preparePlan(request.query, deps) : request.query;
  const { unknownArguments: unknown } = request;
  const values = readArguments(plan.parameters, request.arguments, plan.name, unknown === undefined ? {} : { unknown });
  const asOf = request.asOf === undefined ? undefined : readAsOf(request.asOf, plan);
  const { result, ...cache } = await deps.cache.cached(
    {
      key: resultKey(plan, values, { engineId: deps.engineId, ...(asOf === undefined ? {} : { asOf }) }),
      query: plan.name,
      arguments: values,
      ttlSeconds: plan.ttlSeconds,
      mode: request.cache,
      ...(asOf === undefined ? {} : { asOf }),
      ...(request.maxAgeSeconds === undefined ? {} : { maxAgeSeconds: request.maxAgeSeconds }),
      ...(request.signal === undefined ? {} : { signal: request.signal }),
    },
    async (signal) =>
      executePlan(plan, values, await deps.engine(), {
        instant: asOf ?? instantAt(deps.now()),
        ...(deps.limits === undefined ? {} : { limits: deps.limits }),
        ...(deps.givenLimits === undefined ? {} : { givenLimits: deps.givenLimits }),
        ...(signal === undefined ? {} : { signal }),
      }),
  );
  return { result, cache, plan };
}

/** What the cache keeps the rows under; the instant is part of it only when it was given. */
export function resultKey(
  plan: Plan,
  values: ArgumentValues,
  { engineId, asOf }: { readonly engineId: string; readonly asOf?: string },
): string {
  const { sql, settings, maxRows, columns } = plan;
  const bindings = bindingsFor(plan.bound, values, asOf);
  return cacheKey({ sql, settings, bindings, engineId, maxRows, ...(columns === undefined ? {} : { columns }) });
}

export interface Execution extends Pick<EngineQuery, 'limits' | 'signal' | 'queryId' | 'comment'> {
  /** Canonical text of CURRENT_TIMESTAMP(), see instant.ts. */
  readonly instant: string;
  readonly givenLimits?: ExecutionLimits;
}

/** The rows from the engine, at most `max_rows` of them. */
export async function executePlan(given: Plan, values: ArgumentValues, engine: Engine, execution: Execution): Promise<QueryResult> {
  const { instant, givenLimits, ...query } = execution;
  const plan = await withArguments(given, values);
  const bindings = bindingsFor(plan.bound, values, instant);
  const limits = { ...query.limits, ...plan.limits, ...givenLimits };
  try {
    return await decode(plan, await engine.execute({ sql: withRowLimit(plan), bindings, settings: plan.settings, ...query, limits }));
  } catch (error) {
    throw await explained(error, { plan: given, values, sent: plan.sql });
  }
}

/** The failure of a run, as one of its arguments where one of them caused it. */
export async function explained(error: unknown, run: FailedRun): Promise<unknown> {
  return (await import('./blame.ts')).blamed(error, run);
}

/**
 * One row more than wanted shows that rows were cut off. ClickHouse pushes the limit into the query and keeps its order; the setting
 * `limit` would not do, it limits each part of a UNION DISTINCT before the duplicates are gone.
 */
export function withRowLimit({ sql, maxRows }: Pick<Plan, 'sql' | 'maxRows'>): string {
  return `SELECT * FROM (\n${sql}\n) LIMIT ${maxRows + 1}`;
}

async function decode(plan: Plan, answer: EngineResult): Promise<QueryResult> {
  const { decodeRows } = await import('../engine/decode.ts');
  const columns = plan.columns ?? (await columnsOf(answer));
  const kept = answer.rows.length > plan.maxRows ? { ...answer, rows: answer.rows.slice(0, plan.maxRows) } : answer;
  const { statistics, missing } = answer;
  return {
    columns,
    rows: decodeRows(columns, kept),
    truncated: kept !== answer,
    statistics,
    ...(missing === undefined ? {} : { missing }),
  };
}

async function columnsOf({ columns }: EngineResult): Promise<readonly ResultColumn[]> {
  const { googleType } = await import('./clickhouse/type.ts');
  return columns.map(({ name, type }) => ({ name, type: googleType(type) }));
}

/** Canonical text of `--as-of`. Throws `usage` for what is no time, or would change nothing. */
export function readAsOf(text: string, plan: Plan): string {
  const instant = readTimestamp(text);
  if (instant === undefined) throw new QuernError('usage', `--as-of ${JSON.stringify(text)} is not ${TIMESTAMP_FORMS}`, {});
  if (plan.dialect === 'clickhouse' && !plan.bound.some(({ name }) => name === INSTANT_PARAMETER)) {
    throw new QuernError('usage', `${plan.name} is ClickHouse SQL with a clock of its own: --as-of would change nothing`, {
      hint: `write {${INSTANT_PARAMETER}:DateTime64(6, 'UTC')} in its SQL for the instant`,
    });
  }
  return instant;
}
