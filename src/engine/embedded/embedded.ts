// The embedded engine: chdb on a data directory of its own, one throw-away session per query.

import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { QuernError } from '../../base/errors.ts';
import { formatSize } from '../../base/quantity.ts';
import { quoteString } from '../../clickhouse/quote.ts';
import { viaFile } from '../../files/via-file.ts';
import { printSet } from '../bind.ts';
import { cancellation, throwIfAborted } from '../cancellation.ts';
import type { Engine, EngineQuery, EngineResult, FileTarget, StreamEnd, StreamFormat } from '../engine.ts';
import { engineError } from '../engine-error.ts';
import { PROGRESS_FORMAT, ROWS_FORMAT, readCompactRows, readRowsWithProgress } from '../read-rows.ts';
import { countBytes, resultTooLarge } from '../result-size.ts';
import { limitSettings, SESSION_SETTINGS, spillSettings } from '../session-settings.ts';
import { assertSingleQuery } from '../single-statement.ts';
import { type Chdb, loadChdb, type Session } from './chdb.ts';
import { directoryHolder, takeOpeningTurn } from './directory-lock.ts';
import { assertWhole, DOCUMENT_ENDINGS, intoFile } from './file.ts';
import { engineMemory } from './memory.ts';
import { boundSharedValues, TOO_LARGE } from './shared-values.ts';
import { createSlots, EMBEDDED_QUERIES, type Slots } from './slots.ts';

interface EmbeddedOptions {
  /** The data directory; made when absent. */
  readonly path: string;
  /** The folder as its user knows it, for messages; by default the data directory. */
  readonly folder?: string;
  /** How long to wait for another process to leave the directory. Milliseconds; default 5000. */
  readonly waitMs?: number | undefined;
  /** Is called again and again while another process has the directory; what it throws ends the waiting. */
  readonly whileBusy?: (() => Promise<void>) | undefined;
  /** The memory of each statement of quern's own; by default as much as all queries together may take. */
  readonly ownMemoryBytes?: number | undefined;
}

/** An engine that also runs statements of quern's own, which are trusted. */
export interface EmbeddedEngine extends Engine {
  /** Runs statements of quern's own: DDL, INSERT … SELECT. */
  command(sql: string, signal?: AbortSignal): Promise<void>;
  /** The result of a query of quern's own as a stream of bytes; `format` must be a format without header and footer. */
  trustedStream(sql: string, format: string): AsyncIterable<Uint8Array>;
}

/**
 * Opens the data directory. Throws QuernError `unreachable` when chdb is not installed, when another process keeps the directory for
 * longer than `waitMs`, or when the directory cannot be used.
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedEngine> {
  const path = resolve(options.path);
  const chdb = loadChdb();
  const folder = options.folder ?? path;
  enterDirectory(path, folder);
  const sessions = new Sessions(chdb, { path, folder }, await openAnchor(chdb, { ...options, path, folder }));
  const ownSettings = {
    ...OWN_SETTINGS,
    ...limitSettings({ maxMemoryBytes: options.ownMemoryBytes ?? engineMemory() }),
    max_memory_usage_for_user: Math.max(engineMemory(), options.ownMemoryBytes ?? 0),
  };
  const run = (sql: string, format: string, signal: AbortSignal | undefined, slots?: Slots) => {
    const comment = commentOf({});
    const text = `${printSet([], { ...ownSettings, log_comment: comment })}; ${sql}`;
    return sessions.run((session) => session.queryAsync(text, { format }), { comment, query: { signal }, slots });
  };
  return {
    local: { queriesAtOnce: EMBEDDED_QUERIES, processors: availableParallelism() },
    execute: (query) => execute(sessions, query),
    command: async (sql, signal) => void (await run(sql, 'Null', signal)),
    rows: async (sql, signal) => readCompactRows((await run(sql, ROWS_FORMAT, signal, sessions.questions)).bytes()).rows,
    stream: (query, format, onEnd) =>
      format === 'Parquet' || format === 'Arrow'
        ? viaFile((file) => writeFile(sessions, query, { file, format, ending: DOCUMENT_ENDINGS[format] }), onEnd)
        : streamRows(sessions, query, format, onEnd),
    writeFile: (query, target) => writeFile(sessions, query, target),
    async *trustedStream(sql, format) {
      const session = sessions.open();
      try {
        session.query(printSet([], ownSettings));
        for await (const chunk of session.queryStream(sql, { format })) yield chunk.raw();
      } catch (cause) {
        throw explained(cause);
      } finally {
        session.close();
      }
    },
    close: () => sessions.close(),
  };
}

/** The sessions of one engine: each query has its own, so that neither settings nor the remains of a failed query can reach another. */
class Sessions {
  readonly slots = createSlots(EMBEDDED_QUERIES);
  /** Small queries, such as whether the engine is alive, do not wait behind queries that may take minutes. */
  readonly questions = createSlots(1);
  readonly #chdb: Chdb;
  readonly #place: { readonly path: string; readonly folder: string };
  /** Stays open until close(): without a session the engine shuts down, and each query would start it again. */
  #anchor: Session | undefined;
  #isGivingBack = false;

  constructor(chdb: Chdb, place: { readonly path: string; readonly folder: string }, anchor: Session) {
    this.#chdb = chdb;
    this.#place = place;
    this.#anchor = anchor;
  }

  open(): Session {
    return openSession(this.#chdb, this.#place.path, this.#place.folder);
  }

  /** Waits for the result of one query in a session of its own; the signal kills it. */
  async run<T>(start: (session: Session) => Promise<T>, { comment, query = {}, slots }: Run): Promise<T> {
    try {
      const { session, end } = await this.begin(query.signal, slots);
      try {
        return await cancellation(start(session), query.signal, () => this.kill(comment));
      } finally {
        end();
      }
    } catch (cause) {
      throw explained(cause, query);
    }
  }

  async begin(signal: AbortSignal | undefined, slots = this.slots): Promise<{ readonly session: Session; readonly end: () => void }> {
    if (this.#anchor === undefined) throw new QuernError('internal', 'the embedded engine is closed');
    const release = await slots.acquire(signal);
    try {
      throwIfAborted(signal);
      const session = this.open();
      const end = (): void => {
        session.close();
        release();
      };
      return { session, end };
    } catch (error) {
      release();
      throw error;
    }
  }

  kill(comment: string): void {
    // Synchronous, because the running queries may occupy every thread that asynchronous ones run on.
    const killer = this.open();
    try {
      killer.query(`KILL QUERY WHERE Settings['log_comment'] = ${quoteString(comment)} ASYNC`);
    } finally {
      killer.close();
    }
  }

  /** Lets the engine return what it no longer uses to the system at once: it would keep that for a while, and for each of its threads. */
  giveMemoryBack(): void {
    if (this.#anchor === undefined || this.#isGivingBack) return;
    this.#isGivingBack = true;
    const session = this.open();
    const end = (): void => {
      this.#isGivingBack = false;
      session.close();
    };
    session.queryAsync('SYSTEM JEMALLOC PURGE', { format: 'Null' }).then(end, end);
  }

  async close(): Promise<void> {
    if (this.#anchor === undefined) return;
    this.#anchor.close();
    this.#anchor = undefined;
    leaveDirectory();
    await this.#chdb.drainPending();
  }
}

interface Run {
  readonly comment: string;
  readonly query?: QueryContext;
  readonly slots?: Slots | undefined;
}

/** The query as it is sent, its mark in the engine, and the statements before it. Throws as assertSingleQuery does. */
function asSent(given: EngineQuery) {
  assertSingleQuery(given.sql);
  const query = boundSharedValues(given);
  const comment = commentOf(query);
  return { query, comment, setUp: opening(query, comment) };
}

async function execute(sessions: Sessions, given: EngineQuery): Promise<EngineResult> {
  const { query, comment, setUp } = asSent(given);
  const text = `${setUp}; ${query.sql}`;
  const startedAt = performance.now();
  const answer = await sessions.run((session) => session.queryAsync(text, { format: PROGRESS_FORMAT }), { comment, query });
  const elapsedMs = performance.now() - startedAt;
  const { progress, ...result } = await readRowsWithProgress([answer.bytes()], countBytes(query.limits?.maxResultBytes));
  return { ...result, statistics: { elapsedMs, ...progress } };
}

/** Runs whose results are larger leave memory behind that is worth asking for. */
const LARGE_BYTES = 8 * 1024 * 1024;

async function writeFile(sessions: Sessions, given: EngineQuery, target: FileTarget): Promise<StreamEnd> {
  const { query, comment, setUp } = asSent(given);
  const text = `${setUp}; ${query.sql}\n${intoFile(target)}`;
  const result = await sessions.run((session) => session.queryAsync(text), { comment, query });
  await assertWhole(target);
  const { size } = statSync(target.file);
  if (size > LARGE_BYTES) sessions.giveMemoryBack();
  if (size > (query.limits?.maxResultBytes ?? Number.POSITIVE_INFINITY)) throw tooLarge(query);
  return { rows: result.rowsRead }; // the rows of the result: rows read from tables are counted apart
}

async function* streamRows(
  sessions: Sessions,
  given: EngineQuery,
  format: StreamFormat,
  onEnd: ((end: StreamEnd) => void) | undefined,
): AsyncGenerator<Uint8Array> {
  const { query, comment, setUp } = asSent(given);
  const count = countBytes(query.limits?.maxResultBytes);
  let rows = 0;
  let end: (() => void) | undefined;
  try {
    const begun = await sessions.begin(query.signal);
    end = begun.end;
    begun.session.query(setUp);
    const chunks = begun.session.queryStream(query.sql, { format })[Symbol.asyncIterator]();
    for (;;) {
      const next = await cancellation(chunks.next(), query.signal, () => sessions.kill(comment));
      if (next.done === true) break;
      const bytes = next.value.raw();
      count(bytes);
      rows += next.value.numRows;
      yield bytes;
    }
    onEnd?.({ rows });
  } catch (cause) {
    throw explained(cause, query);
  } finally {
    end?.();
  }
}

type QueryContext = Partial<Pick<EngineQuery, 'sql' | 'signal' | 'limits'>>;

const tooLarge = ({ limits }: QueryContext): QuernError => resultTooLarge(`is larger than ${formatSize(limits?.maxResultBytes ?? 0)}`);

function explained(cause: unknown, query: QueryContext = {}): QuernError {
  if (cause instanceof QuernError) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  if (message.includes(TOO_LARGE)) return tooLarge(query);
  return engineError({ message, cause, sql: query.sql });
}

/** Settings of quern's own statements: only with these may columns be TIME, or STRUCT that may be NULL. */
const OWN_SETTINGS = {
  ...SESSION_SETTINGS,
  enable_time_time64_type: 1,
  enable_nullable_tuple_type: 1,
  // A table may have thousands of columns, and quern's own statements name each of them several times.
  max_query_size: 0,
  max_ast_elements: 10_000_000,
  max_expanded_ast_elements: 10_000_000,
} as const;

/** Returns the mark by which the engine finds the query to kill it; it is unique, whatever callers put into theirs. */
function commentOf({ comment }: Pick<EngineQuery, 'comment'>): string {
  return `${comment ?? 'quern'} quern-${randomUUID()}`;
}

function querySettings(query: EngineQuery, comment: string): Record<string, string | number> {
  const { limits } = query;
  return {
    ...SESSION_SETTINGS,
    ...query.settings,
    ...spillSettings(limits),
    ...limitSettings(limits),
    // The limit is for all queries together: one for each alone would let three of them take more than there is.
    max_memory_usage_for_user: Math.max(engineMemory(), limits?.maxMemoryBytes ?? 0),
    log_comment: comment,
    readonly: 1,
  };
}

/** The engine parses a statement of so many characters, none of which has more than three bytes, without being asked to. */
const USUAL_CHARACTERS = 80_000;
/** Must be in force before the statement that holds long values is parsed. */
const LONG_STATEMENTS = 'SET max_query_size = 1073741824; ';

/** Returns the statements before a query in its session. Tables of files come first: a read-only session can neither make them nor read files by name. */
function opening(query: EngineQuery, comment: string): string {
  const settings = printSet(query.bindings, querySettings(query, comment));
  const { tables = [], sql } = query;
  const all = tables.length === 0 ? settings : `${printSet([], SESSION_SETTINGS)}; ${tables.join('; ')}; ${settings}`;
  return all.length + sql.length > USUAL_CHARACTERS ? `${LONG_STATEMENTS}${all}` : all;
}

/** The one directory that the engine of this process works in at a time, and how many engines are open there. */
const directory = { path: '', folder: '', engines: 0 };

function enterDirectory(path: string, folder: string): void {
  if (directory.engines > 0 && directory.path !== path) {
    throw new QuernError('unreachable', `the store in ${folder} cannot be opened while this process uses the one in ${directory.folder}`, {
      hint: 'close the other store first: a process can open only one store at a time',
    });
  }
  Object.assign(directory, { path, folder, engines: directory.engines + 1 });
}

function leaveDirectory(): void {
  directory.engines--;
}

type Waiting = Pick<EmbeddedOptions, 'path' | 'waitMs' | 'whileBusy'> & { readonly folder: string };

async function openAnchor(chdb: Chdb, waiting: Waiting): Promise<Session> {
  const { path, folder, waitMs = 5000 } = waiting;
  const deadline = performance.now() + waitMs;
  try {
    for (;;) {
      await waitUntilFree(waiting, deadline);
      const endTurn = takeOpeningTurn(path);
      if (endTurn === undefined) {
        if (performance.now() > deadline)
          throw new QuernError('unreachable', `the store in ${folder} is being opened by another process`, BUSY);
        await pause(OPENING_PAUSE_MS);
        continue;
      }
      try {
        // Another process may have come first since the look at the directory.
        if (directoryHolder(path).state === 'free' || performance.now() > deadline) return openSession(chdb, path, folder);
      } finally {
        endTurn();
      }
    }
  } catch (error) {
    leaveDirectory();
    throw error;
  }
}

function openSession(chdb: Chdb, path: string, folder: string): Session {
  try {
    return new chdb.Session(path);
  } catch (cause) {
    const holder = directoryHolder(path);
    if (holder.state === 'held') throw inUse(folder, holder.pid);
    throw new QuernError('unreachable', `the embedded engine cannot open its folder ${folder}`, {
      hint: 'check that the folder can be written to, that the disk has space, and that no other process uses it',
      cause,
    });
  }
}

/** Waits with growing pauses; a directory held for certain is not even tried, since the engine would print its own error. */
async function waitUntilFree({ path, folder, whileBusy }: Waiting, deadline: number): Promise<void> {
  for (let pauseMs = 10; ; pauseMs = Math.min(pauseMs * 2, 250)) {
    const holder = directoryHolder(path);
    if (holder.state === 'free') return;
    await whileBusy?.();
    const leftMs = deadline - performance.now();
    if (leftMs <= 0) {
      if (holder.certain) throw inUse(folder, holder.pid);
      return;
    }
    await pause(Math.min(pauseMs, leftMs));
  }
}

const BUSY = { hint: 'wait for it to end, or choose another store with --store' };

function inUse(folder: string, pid: number): QuernError {
  return new QuernError('unreachable', `the store in ${folder} is in use by another process (${pid})`, BUSY);
}

/** Opening a directory takes about this long. */
const OPENING_PAUSE_MS = 20;

function pause(ms: number): Promise<void> {
  return new Promise((resume) => setTimeout(resume, ms));
}
