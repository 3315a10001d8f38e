// The one place that asks an engine to run a prepared query: bindings, settings and limits are put together here, for every door.
import type { Engine, EngineQuery, EngineResult, ExecutionLimits, FileTarget, StreamEnd, StreamFormat } from '../engine/engine.ts';
import type { Settings } from '../engine/session-settings.ts';
import { type ArgumentValues, bindingsFor } from '../queries/parameters.ts';
import type { HeldFiles } from '../sources/files/file-sources.ts';
import type { FailureContext } from './explain-failure/failed-part.ts';
import { isFar } from './is-far.ts';
import { type LimitRules, limitsOf } from './limits.ts';
import type { PreparedQuery } from './prepared-query.ts';

export interface ExecutionRequest extends Pick<EngineQuery, 'signal' | 'comment'> {
  readonly arguments: ArgumentValues;
  /** Canonical text of CURRENT_TIMESTAMP(), see base/instant.ts. */
  readonly instant: string;
  /** The limits of this run where it shares the engine with others. */
  readonly share?: Pick<ExecutionLimits, 'maxThreads'>;
  /** The SQL for any arguments, where its form must not depend on them. Default: what these arguments need. */
  readonly general?: boolean;
}

export interface ExecutionDependencies extends FailureContext {
  /** Opened only when it is needed; see Snapshot. */
  engine(sources?: readonly string[]): Promise<Engine>;
  readonly limits: LimitRules;
  readonly files?: HeldFiles | undefined;
}

/** A prepared query with its values, ready for the engine. `sql` is the query's own, or made around it. */
export interface Execution {
  /** The prepared query with the SQL that is run. */
  readonly prepared: PreparedQuery;
  readonly engine: Engine;
  /** Returns all rows in memory. */
  rows(sql: string): Promise<EngineResult>;
  /** Returns the answer to a question about the query: a DESCRIBE, an EXPLAIN, or a small SELECT. */
  ask(sql: string, settings?: Settings): Promise<EngineResult>;
  /** The rows as bytes of a ClickHouse format, as they come. */
  stream(
    sql: string,
    format: StreamFormat,
    how?: { readonly settings?: Settings; readonly onEnd?: (end: StreamEnd) => void },
  ): AsyncIterable<Uint8Array>;
  /** The rows in a file that the engine writes; absent where it cannot. */
  readonly writeFile?: ((sql: string, target: FileTarget, settings?: Settings) => Promise<StreamEnd>) | undefined;
}

/** An address that does not answer fails within seconds, not after the engine's ten tries, or five hundred in an object store. */
const FROM_FAR: Settings = { http_max_tries: 3, s3_retry_attempts: 3 };

/** Throws what opening the engine throws; the methods of the execution throw as Engine says. */
export async function openExecution(given: PreparedQuery, request: ExecutionRequest, deps: ExecutionDependencies): Promise<Execution> {
  const { arguments: values, instant, general = false, share, ...how } = request;
  const prepared = general ? given : await specializedFor(given, values);
  const { files } = deps;
  await files?.list(prepared.sources);
  const tables = await files?.tables(prepared.sources, prepared.sql);
  const addresses = files?.addresses(prepared.sources) ?? [];
  const settingsOfFiles = files?.inQuery(prepared.sources) === true ? await files.settings(prepared.sources) : {};
  const own = { ...prepared.settings, ...settingsOfFiles, ...(addresses.length === 0 ? {} : FROM_FAR) };
  const bindings = bindingsFor(prepared.bound, values, instant);
  const withFarValues = bindings.some(isFar) ? (await import('./far-values.ts')).withFarValues : undefined;
  const query = (sql: string, held: boolean, settings?: Settings): EngineQuery => ({
    ...(withFarValues?.({ sql, bindings }) ?? { sql, bindings }),
    settings: settings === undefined ? own : { ...own, ...settings },
    limits: { ...limitsOf(prepared.limits, deps.limits, held), ...share },
    sharedValues: prepared.sharedValues,
    tables,
    readsAddress: files?.inQuery(prepared.sources),
    ...how,
  });
  // Nobody has looked into what ClickHouse SQL reads.
  const engine = await deps.engine(prepared.dialect === 'bigquery' ? prepared.sources : undefined);
  /** Throws the failure with its place in the query, as one of its arguments where one of them caused it. */
  const explained = async (error: unknown): Promise<never> => {
    const [{ blamed }, { placed }, { inOwnWords }] = await Promise.all([
      import('./explain-failure/blame.ts'),
      import('./explain-failure/failed-part.ts'),
      import('./explain-failure/own-words.ts'),
    ]);
    const readsFiles = addresses.length > 0 || (tables ?? []).length > 0;
    const found = await placed(error, given, deps);
    const ofFile = readsFiles ? await files?.trouble(found, prepared) : undefined;
    throw ofFile ?? inOwnWords(blamed(found, { prepared: given, values, sent: prepared.sql }), given);
  };
  const { writeFile } = engine;
  return {
    prepared,
    engine,
    rows: (sql) => engine.execute(query(sql, true)).catch(explained),
    ask(sql, settings) {
      const { sharedValues: _, ...question } = query(sql, true, settings);
      return engine.execute(question).catch(explained);
    },
    async *stream(sql, format, { settings, onEnd } = {}) {
      const end = files?.hold();
      try {
        yield* engine.stream(query(sql, false, settings), format, onEnd);
      } catch (error) {
        await explained(error);
      } finally {
        await end?.();
      }
    },
    ...(writeFile === undefined
      ? {}
      : { writeFile: (sql, target, settings) => writeFile(query(sql, false, settings), target).catch(explained) }),
  };
}

/** `prepared` with the SQL, the settings and the bound parameters that these arguments need: the rows are the same. The cache knows the rows by the prepared query itself. */
export async function specializedFor(prepared: PreparedQuery, values: ArgumentValues): Promise<PreparedQuery> {
  const { statement, sql, bound: parameters, settings } = prepared;
  if (statement === undefined) return prepared;
  const { bind } = await import('../sql/compile/specialize.ts');
  const given = bind({ statement, sql, parameters, settings }, values, prepared);
  return { ...prepared, sql: given.sql, bound: given.parameters, settings: given.settings };
}
