// A client for saved queries and SQL, on the embedded store or on a ClickHouse server.
import { QuernError } from '../base/errors.ts';
import { specializedFor } from '../execution/execute.ts';
import { ALL_ROWS } from '../execution/one-off.ts';
import { prepare } from '../execution/prepare.ts';
import type { QueryRequest } from '../execution/request.ts';
import { run as runPrepared } from '../execution/run.ts';
import { quietIo } from '../process-io.ts';
import { readArguments } from '../queries/parameters.ts';
import { openServices, type Services } from '../services.ts';
import type { QuernCheckReport, QuernExplanation, QuernFinding, QuernResult, QuernRow, QuernStream } from './answers.ts';
import {
  CHECK_OPTIONS,
  FORMAT_OPTIONS,
  OPTIONS,
  oneOf,
  type QuernCheckOptions,
  type QuernFormatOptions,
  type QuernOptions,
  type QuernRunOptions,
  type QuernSql,
  type QuernStreamOptions,
  RUN_OPTIONS,
  refuseNoQuery,
  refuseUnknown,
  STREAM_OPTIONS,
} from './options.ts';
import { openStream } from './stream.ts';

/**
 * Values by the names that a saved query declares. For SQL, the types are those of the values; `{ type: 'timestamp', value: … }` says another. A list has
 * the values of the `?` of SQL.
 */
type Parameters = Readonly<Record<string, unknown>> | readonly unknown[];

export interface Quern {
  /** The rows of a saved query, by its name, UUID or path, or of SQL. Throws QuernError, as all of these do. */
  run(query: string | QuernSql, parameters?: Parameters, options?: QuernRunOptions): Promise<QuernResult>;
  /** The same as objects. */
  objects(query: string | QuernSql, parameters?: Parameters, options?: QuernRunOptions): Promise<readonly QuernRow[]>;
  /** The rows as they come, for results that are too large to hold: `for await (const row of quern.stream(…))`. */
  stream(query: string | QuernSql, parameters?: Parameters, options?: QuernStreamOptions): QuernStream;
  /**
   * The ClickHouse SQL that a query becomes, without its row limit, and what it is bound with: for any parameters, or as it runs with
   * those given.
   */
  explain(query: string | QuernSql, parameters?: Parameters): Promise<QuernExplanation>;
  /** Finds errors and likely mistakes in a saved query, or in SQL; nothing is run. */
  lint(query: string | QuernSql): Promise<readonly QuernFinding[]>;
  /** The text of a saved query, or SQL, laid out as `quern fmt` does; ClickHouse SQL stays as it is. */
  format(text: string, options?: QuernFormatOptions): Promise<string>;
  /** Runs checks: those of YAML files and of saved queries, by default all of the project. */
  check(references?: readonly string[], options?: QuernCheckOptions): Promise<QuernCheckReport>;
  /** Closes the engine. A store can be used by one process at a time, so do not forget it. */
  close(): Promise<void>;
}

/**
 * A client for saved queries and SQL. Nothing is opened until it is needed, nothing is printed. Throws QuernError `usage` for an option that
 * there is not.
 *
 * ```ts
 * const quern = openQuern({ store: './logs' });
 * const rows = await quern.objects('usage.api-counts', { project: 'demo', interval: 'hourly' });
 * await quern.close();
 * ```
 */
export function openQuern(options: QuernOptions = {}): Quern {
  refuseUnknown('openQuern', options, OPTIONS);
  const { signal = new AbortController().signal, onNote, ...flags } = options;
  const io = quietIo((text) => onNote?.(text.trimEnd()));
  const services = openServices({ io, signal, flags: () => ({ ...flags, quiet: onNote === undefined }) });
  let closed: Promise<void> | undefined;
  const opened = (): Services => {
    if (closed !== undefined) throw new QuernError('usage', 'this client is closed', { hint: 'create another one with openQuern' });
    return services;
  };
  const requestFor = async (query: string | QuernSql, parameters: Parameters): Promise<QueryRequest> => {
    refuseNoQuery(query);
    const parts = opened();
    if (typeof query === 'string') return { query, arguments: byName(parameters) };
    const { sqlRequest } = await import('./typed-sql.ts');
    return sqlRequest(query, parameters, parts);
  };
  const either = (own: AbortSignal | undefined): AbortSignal => (own === undefined ? signal : AbortSignal.any([signal, own]));

  const run: Quern['run'] = async (query, parameters = {}, runOptions = {}) => {
    refuseUnknown('run', runOptions, RUN_OPTIONS);
    oneOf('cache', runOptions.cache, CACHE_MODES);
    const request = { ...runOptions, ...(await requestFor(query, parameters)), signal: either(runOptions.signal) };
    const { result, cache: used } = await opened().running(
      async (current) => runPrepared(await prepare(request, current), request, current),
      request.files,
    );
    const { columns, rows, truncated, missing } = result;
    return { columns, rows, truncated, ...(missing === undefined ? {} : { missing }), cache: used.state };
  };
  return {
    run,
    async objects(query, parameters, runOptions) {
      const [{ columns, rows }, { rowObject }] = await Promise.all([run(query, parameters, runOptions), import('./row-objects.ts')]);
      return rows.map(rowObject(columns));
    },
    stream(query, parameters = {}, { signal: own, ...others } = {}) {
      refuseUnknown('stream', others, STREAM_OPTIONS);
      const asked = typeof query === 'string' ? query : { maxRows: ALL_ROWS, ...query };
      return openStream(async () => ({ ...others, ...(await requestFor(asked, parameters)), signal: either(own) }), opened);
    },
    async explain(query, parameters) {
      const request = await requestFor(query, parameters ?? {});
      const prepared = await prepare(request, await opened().preparing(request.files));
      const values = parameters === undefined ? undefined : readArguments(prepared.parameters, request.arguments, prepared.name);
      const { sql, bound, columns, settings, sources } = values === undefined ? prepared : await specializedFor(prepared, values);
      return { sql, parameters: bound, ...(columns === undefined ? {} : { columns }), settings, sources };
    },
    async lint(query) {
      refuseNoQuery(query);
      const [{ lintFiles }, dependencies] = await Promise.all([import('../execution/lint-files.ts'), opened().preparing()]);
      const source = typeof query === 'string' ? dependencies.catalog.find(query).source : { name: '<query>', text: query.sql };
      const findings = await lintFiles([source], dependencies);
      return findings.map(({ hint, ...finding }) => ({ ...finding, ...(hint === undefined ? {} : { hint }) }));
    },
    async format(text, formatOptions = {}) {
      refuseUnknown('format', formatOptions, FORMAT_OPTIONS);
      oneOf('keywords', formatOptions.keywords, KEYWORD_CASES);
      const { formatSource } = await import('../queries/format-source.ts');
      return formatSource({ name: '<query>', text }, formatOptions.keywords) ?? text;
    },
    async check(references = [], checkOptions = {}) {
      refuseUnknown('check', checkOptions, CHECK_OPTIONS);
      const { reportChecks } = await import('./check.ts');
      return reportChecks(opened(), references, checkOptions);
    },
    close() {
      closed ??= services.close();
      return closed;
    },
  };
}

const CACHE_MODES: readonly string[] = ['use', 'refresh', 'none'] satisfies readonly QuernRunOptions['cache'][];
const KEYWORD_CASES: readonly string[] = ['lower', 'upper', 'keep'] satisfies readonly QuernFormatOptions['keywords'][];

/** Throws QuernError `usage` for a list, which only SQL takes. */
function byName(parameters: Parameters): Readonly<Record<string, unknown>> {
  if (!Array.isArray(parameters)) return parameters as Readonly<Record<string, unknown>>; // no list
  throw new QuernError('usage', 'a saved query takes its parameters by name', { hint: 'give them as { name: value }' });
}
