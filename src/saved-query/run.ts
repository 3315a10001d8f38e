// Runs a saved query: the one place where the translator, the sources, the engine and the cache meet.
import type { Cache, CachedResult, CacheMode } from '../cache/cache.ts';
import { cacheKey } from '../cache/key.ts';
import type { Engine, EngineResult, ExecutionLimits } from '../engine/engine.ts';
import { QuernError } from '../errors.ts';
import type { QueryResult, ResultColumn } from '../result.ts';
import { INSTANT_PARAMETER } from '../sql/translation.ts';
import { instantAt, readTimestamp, TIMESTAMP_FORMS } from './instant.ts';
import { type ArgumentRules, bindingsFor, readArguments } from './parameters.ts';
import { type Plan, type PlanDependencies, preparePlan } from './plan.ts';

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
  readonly limits?: ExecutionLimits;
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
  const keyed = bindingsFor(plan.bound, values, asOf);
  const { columns } = plan;
  const { result, ...cache } = await deps.cache.cached(
    {
      key: cacheKey({
        sql: plan.sql,
        settings: plan.settings,
        bindings: keyed,
        engineId: deps.engineId,
        maxRows: plan.maxRows,
        ...(columns === undefined ? {} : { columns }),
      }),
      query: plan.name,
      arguments: values,
      ttlSeconds: plan.ttlSeconds,
      mode: request.cache,
      ...(asOf === undefined ? {} : { asOf }),
      ...(request.maxAgeSeconds === undefined ? {} : { maxAgeSeconds: request.maxAgeSeconds }),
      ...(request.signal === undefined ? {} : { signal: request.signal }),
    },
    async (signal) => {
      const engine = await deps.engine();
      const answer = await engine.execute({
        sql: withRowLimit(plan),
        bindings: bindingsFor(plan.bound, values, asOf ?? instantAt(deps.now())),
        settings: plan.settings,
        ...(deps.limits === undefined ? {} : { limits: deps.limits }),
        ...(signal === undefined ? {} : { signal }),
      });
      return decode(plan, answer);
    },
  );
  return { result, cache, plan };
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
  return { columns, rows: decodeRows(columns, kept), truncated: kept !== answer, statistics: answer.statistics };
}

async function columnsOf({ columns }: EngineResult): Promise<readonly ResultColumn[]> {
  const { googleType } = await import('./clickhouse-type.ts');
  return columns.map(({ name, type }) => ({ name, type: googleType(type) }));
}

function readAsOf(text: string, plan: Plan): string {
  const instant = readTimestamp(text);
  if (instant === undefined) throw new QuernError('usage', `--as-of ${JSON.stringify(text)} is not ${TIMESTAMP_FORMS}`, {});
  if (plan.dialect === 'clickhouse' && !plan.bound.some(({ name }) => name === INSTANT_PARAMETER)) {
    throw new QuernError('usage', `${plan.name} is ClickHouse SQL with a clock of its own: --as-of would change nothing`, {
      hint: `write {${INSTANT_PARAMETER}:DateTime64(6, 'UTC')} in its SQL for the instant`,
    });
  }
  return instant;
}
