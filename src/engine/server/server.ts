// The server engine: any ClickHouse over HTTP or HTTPS.
import { randomUUID } from 'node:crypto';
import { throwIfAborted } from '../cancellation.ts';
import type { Engine, EngineQuery, EngineResult } from '../engine.ts';
import { type CompactRows, ROWS_FORMAT, readRows } from '../read-rows.ts';
import { countBytes, resultTooLarge } from '../result-size.ts';
import { limitSettings, SESSION_SETTINGS, spillSettings } from '../session-settings.ts';
import { assertSingleQuery } from '../single-statement.ts';
import { type AnswerForm, answerForm } from './answer-form.ts';
import { brokenOff } from './body.ts';
import { type Deadline, startDeadline } from './deadline.ts';
import type { WantedSettings } from './login-settings.ts';
import { placeOf, readAddress, type ServerOptions } from './options.ts';
import { notClickHouse, reportedRows, statisticsOf } from './reply.ts';
import { writeQuery } from './request.ts';
import { type Answer, ServerSession } from './session.ts';

export type { ServerOptions } from './options.ts';

/** The server's own limit is reached first: its error says more than that there was no answer. */
const GRACE_MS = 1000;
const CONTROL_MS = 30_000;

/**
 * Returns the engine of the server at `options.url`; nothing is loaded or sent before its first query. Throws QuernError `config` for an address that
 * is none.
 */
export function openServer(options: ServerOptions): Engine {
  const url = readAddress(options.url);
  const place = placeOf(url);
  const session = new ServerSession(url, options);

  function deadlineOf({ limits, signal }: Pick<EngineQuery, 'limits' | 'signal'>): Deadline {
    const seconds = limits?.maxExecutionSeconds;
    return startDeadline(seconds === undefined ? undefined : seconds * 1000, signal, `ClickHouse at ${place}`, GRACE_MS);
  }

  async function ask(query: EngineQuery, form: AnswerForm, wanted: WantedSettings, deadline: Deadline): Promise<Answer> {
    throwIfAborted(deadline.signal);
    const { settings, ...written } = writeQuery(query);
    return session.send({
      ...written,
      sql: query.sql,
      form,
      wanted: { ...wanted, rest: { ...wanted.rest, ...settings, ...form.settings } },
      // The id is quern's own: a caller who knew or chose it could take its place on the server, or have another's query stopped.
      queryId: `quern-${randomUUID()}`,
      deadline,
      trace: query.trace,
    });
  }

  async function rowsOf(query: EngineQuery, wanted: WantedSettings): Promise<EngineResult> {
    const startedAt = performance.now();
    const deadline = deadlineOf(query);
    try {
      const answer = await ask(query, answerForm(ROWS_FORMAT, true), wanted, deadline);
      const result = await rowsIn(counted(session.read(answer, deadline), query), place);
      const reported = reportedRows(answer.reply) ?? 0; // some servers before 2022 always report 0
      if (reported > 0 && reported !== result.rows.length) throw brokenOff(place, undefined);
      const maxRows = ownLimit('max_result_rows', wanted, answer);
      if (result.rows.length > maxRows) throw resultTooLarge(`has more than ${maxRows} rows`);
      return { ...result, statistics: statisticsOf(answer.reply, performance.now() - startedAt) };
    } finally {
      deadline.clear();
    }
  }

  return {
    async execute(query) {
      assertSingleQuery(query.sql);
      return rowsOf(query, wantedSettings(query, options, ['max_execution_time', 'max_result_rows', 'max_result_bytes']));
    },
    async *stream(query, format) {
      assertSingleQuery(query.sql);
      const deadline = deadlineOf(query);
      try {
        const wanted = wantedSettings(query, options, ['max_execution_time', 'max_result_bytes']);
        const answer = await ask(query, answerForm(format, false), wanted, deadline);
        yield* counted(session.read(answer, deadline), query);
      } finally {
        deadline.clear();
      }
    },
    async rows(sql, signal) {
      const limits = { maxExecutionSeconds: (options.controlMs ?? CONTROL_MS) / 1000 };
      const rest = { ...options.preferences, ...options.settings, ...SESSION_SETTINGS };
      return (await rowsOf({ sql, bindings: [], settings: {}, limits, signal }, { rows: {}, limits: {}, watched: [], rest })).rows;
    },
    close: () => session.close(),
  };
}

async function* counted(chunks: AsyncIterable<Buffer>, { limits }: EngineQuery): AsyncGenerator<Buffer> {
  const count = countBytes(limits?.maxResultBytes);
  for await (const chunk of chunks) {
    count(chunk);
    yield chunk;
  }
}

/** The first bytes of a row, or of an error that an older server writes. */
const BEGINNING = /^(?:\[|Code: )/;

async function rowsIn(chunks: AsyncIterable<Buffer>, place: string): Promise<CompactRows> {
  let first: Buffer | undefined;
  const seen = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      first ??= chunk;
      if (!BEGINNING.test(first.toString('latin1', 0, 6))) throw notClickHouse(place, first.toString('utf8', 0, 1000));
      yield chunk;
    }
  };
  try {
    const result = await readRows(seen());
    if (result.columns.length > 0) return result;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw notClickHouse(place, first?.toString('utf8', 0, 1000) ?? '');
}

function wantedSettings(query: EngineQuery, options: ServerOptions, watched: readonly string[]): WantedSettings {
  const all = Object.entries(limitSettings(query.limits));
  const isMode = ([name]: readonly [string, unknown]): boolean => name.endsWith('_overflow_mode');
  return {
    rows: { ...options.settings, ...SESSION_SETTINGS, ...query.settings, ...Object.fromEntries(all.filter(isMode)) },
    limits: Object.fromEntries(all.filter((entry) => !isMode(entry))),
    watched,
    rest: {
      ...options.preferences,
      ...spillSettings(query.limits),
      // 2 allows table functions and temporary tables, too, and writes as little.
      readonly: query.readsAddress === true ? 2 : 1,
      cancel_http_readonly_queries_on_client_close: 1,
      // Proxies give up on connections without traffic for a minute or so.
      send_progress_in_http_headers: 1,
      http_headers_progress_interval_ms: 10_000,
      ...(options.compression === true ? { enable_http_compression: 1 } : {}),
      ...(query.comment === undefined ? {} : { log_comment: query.comment }),
    },
  };
}

/** Returns a limit that was not sent to the server because the login may not set it. */
function ownLimit(name: string, { limits }: WantedSettings, { sent }: Answer): number {
  return name in sent ? Number.POSITIVE_INFINITY : Number(limits[name] ?? Number.POSITIVE_INFINITY);
}
