// Sends queries to a server: settings by the login's rights, attempts repeated where that is safe, queries killed where closing the connection is not enough.

import { QuernError } from '../../base/errors.ts';
import { quoteString } from '../../clickhouse/quote.ts';
import { throwIfAborted } from '../cancellation.ts';
import type { EngineTrace } from '../engine.ts';
import { ROWS_FORMAT, readCompactRows } from '../read-rows.ts';
import type { Settings } from '../session-settings.ts';
import { type AnswerEnd, type AnswerForm, endsWithOneRow } from './answer-form.ts';
import { readBody } from './body.ts';
import { createServerClient, type ServerClient, type ServerReply } from './client.ts';
import { connectionFailure } from './connection-failure.ts';
import { type Deadline, startDeadline } from './deadline.ts';
import {
  allSettings,
  type LoginSetting,
  loginSettingsQuery,
  readLoginSettings,
  settingsFor,
  type WantedSettings,
} from './login-settings.ts';
import { placeOf, type ServerOptions } from './options.ts';
import { header, type ServerAccess, type Trouble, troubleIn } from './reply.ts';
import type { WrittenQuery } from './request.ts';
import { type Outcome, pauseUnlessAborted, withRetries } from './retry.ts';

interface ServerQuery extends Omit<WrittenQuery, 'settings'> {
  readonly form: AnswerForm;
  /** The caller's own SQL, for messages. */
  readonly sql: string;
  readonly wanted: WantedSettings;
  readonly queryId: string;
  readonly deadline: Deadline;
  readonly trace?: EngineTrace | undefined;
}

export interface Answer {
  readonly reply: ServerReply;
  /** The id under which the server knows the query. */
  readonly queryId: string;
  /** The settings that the login may change. */
  readonly sent: Settings;
  readonly form: AnswerForm;
}

/** More attempts after a failure that passed before the server heard of the query. */
const CONNECT_ATTEMPTS = 4;
/** For the server's own queries about logins, and orders to kill. */
const CONTROL_MS = 5000;
const KILL_MS = 300;

export class ServerSession {
  readonly #url: URL;
  readonly #options: ServerOptions;
  readonly #access: ServerAccess;
  readonly #client: ServerClient;
  readonly #database: Settings;
  /** Empty until the server refuses a setting: most logins may change all that quern sets. */
  readonly #login = new Map<string, LoginSetting>();
  readonly #learned = new Set<string>();

  constructor(url: URL, options: ServerOptions) {
    this.#url = url;
    this.#options = options;
    this.#access = { place: placeOf(url), user: options.accessToken === undefined ? (options.user ?? 'default') : undefined };
    this.#client = createServerClient(url, options);
    this.#database = options.database === undefined ? {} : { database: options.database };
  }

  send(query: ServerQuery): Promise<Answer> {
    const { random = Math.random, pause = pauseUnlessAborted } = this.#options;
    const attempt = (number: number) => this.#attempt(query, number === 1 ? query.queryId : `${query.queryId}-${number}`);
    return withRetries(attempt, { random, pause, deadline: query.deadline });
  }

  /** Yields the bytes of an answer; stops the query on the server when the loop is left or the signal aborts. */
  async *read({ reply, queryId, sent, form }: Answer, { signal }: Deadline): AsyncGenerator<Buffer> {
    let ended = false;
    try {
      yield* form.bytes(readReply(reply, this.#access, form.endOf(reply, sent)), sent);
      ended = true;
    } catch (error) {
      ended = !signal.aborted;
      throwIfAborted(signal);
      throw error;
    } finally {
      reply.body.destroy();
      if (!ended) await this.#kill(queryId);
    }
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  async #sendOnce(query: ServerQuery, settings: Settings, queryId: string): Promise<Outcome<ServerReply>> {
    const startedAt = performance.now();
    const { deadline, trace } = query;
    const { signal } = deadline;
    trace?.onSent({ queryId, host: this.#url.hostname, port: portOf(this.#url) });
    try {
      const reply = await this.#client.send({
        body: query.body,
        contentType: query.contentType,
        urlParameters: { ...query.urlParameters, ...query.form.urlParameters(settings), ...this.#database, ...settings },
        queryId,
        traceparent: trace?.traceparent,
        signal,
      });
      return (await troubleIn(reply, this.#access, query.sql)) ?? { value: reply };
    } catch (cause) {
      if (signal.aborted) {
        // The server looks for a closed connection only while a query makes progress; a join of what has been read makes none.
        await this.#kill(queryId);
        throwIfAborted(signal);
      }
      const { error, reach, passing } = connectionFailure(cause, this.#access.place);
      if (!passing) return { error, moreAttempts: 0 };
      if (reach === 'never-sent') return { error, moreAttempts: CONNECT_ATTEMPTS };
      return { error, moreAttempts: (await this.#ranOn(startedAt, deadline)) ? 1 : 0 };
    }
  }

  /** Returns the one row of a small query without settings of its own. */
  async #control(sql: string, limitMs: number, within?: Deadline): Promise<readonly unknown[]> {
    // Where the time of the whole query ends first, its own deadline must report that: of two timers for one moment either may be first.
    const own = within === undefined || within.leftMs() > limitMs ? limitMs : undefined;
    const deadline = startDeadline(own, within?.signal, this.#access.place);
    try {
      const reply = await this.#client.send({
        body: sql,
        contentType: 'text/plain; charset=utf-8',
        urlParameters: { default_format: ROWS_FORMAT },
        queryId: '',
        signal: deadline.signal,
      });
      const trouble = await troubleIn(reply, this.#access);
      if (trouble !== undefined) throw trouble.error;
      return readCompactRows(await wholeBody(reply, this.#access)).rows[0] ?? [];
    } catch (cause) {
      throw cause instanceof QuernError || deadline.signal.aborted ? cause : connectionFailure(cause, this.#access.place).error;
    } finally {
      deadline.clear();
    }
  }

  /** True when the server has been up for longer than the attempt: whatever cut the connection, the query has not ended the server. */
  async #ranOn(startedAt: number, within: Deadline): Promise<boolean> {
    const [seconds = 0] = await this.#control('SELECT uptime()', CONTROL_MS, within).catch(() => []);
    const uptime = Number(seconds);
    return uptime > (performance.now() - startedAt) / 1000 + 1;
  }

  async #kill(queryId: string): Promise<void> {
    await this.#control(`KILL QUERY WHERE query_id = ${quoteString(queryId)} ASYNC`, KILL_MS).catch(() => undefined);
  }

  /** Learns which of these settings the login may change, where that is not known. */
  async #learn({ wanted, deadline }: ServerQuery): Promise<void> {
    const names = Object.keys(allSettings(wanted)).filter((name) => !this.#learned.has(name));
    const row =
      names.length === 0 ? undefined : await this.#control(loginSettingsQuery(names), CONTROL_MS, deadline).catch(unlessUnreachable);
    if (row === undefined) return;
    for (const name of names) this.#learned.add(name);
    for (const [name, setting] of readLoginSettings(row)) this.#login.set(name, setting);
  }

  /** The rights of the login may have changed: they are learned again before a query is refused because of them. */
  async #knownSettings(query: ServerQuery): Promise<Settings> {
    if (this.#learned.size === 0) return allSettings(query.wanted);
    await this.#learn(query);
    try {
      return this.#settingsFor(query);
    } catch {
      return this.#newSettings(query);
    }
  }

  async #newSettings(query: ServerQuery): Promise<Settings> {
    this.#learned.clear();
    this.#login.clear();
    await this.#learn(query);
    return this.#learned.size === 0 ? allSettings(query.wanted) : this.#settingsFor(query);
  }

  #settingsFor({ wanted }: ServerQuery): Settings {
    const { place, user = 'of the access token' } = this.#access;
    return settingsFor(wanted, this.#login, `the login ${user} at ${place}`);
  }

  async #attempt(query: ServerQuery, queryId: string): Promise<Outcome<Answer>> {
    let sent = await this.#knownSettings(query);
    let outcome = await this.#sendOnce(query, sent, queryId);
    if ('error' in outcome && aboutSettings(outcome)) {
      sent = await this.#newSettings(query);
      outcome = await this.#sendOnce(query, sent, queryId);
    }
    return 'error' in outcome ? outcome : { value: { reply: outcome.value, queryId, sent, form: query.form } };
  }
}

const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80));

const readReply = (reply: ServerReply, access: ServerAccess, end: AnswerEnd): AsyncGenerator<Buffer> =>
  readBody(reply.body, { ...access, tag: header(reply, 'x-clickhouse-exception-tag'), end });

async function wholeBody(reply: ServerReply, access: ServerAccess): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of readReply(reply, access, endsWithOneRow())) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Ignores other errors, such as those of the login: the query itself is then refused in better words. */
function unlessUnreachable(error: unknown): undefined {
  if (error instanceof QuernError && error.code === 'unreachable') throw error;
}

/** The server refuses settings before it looks at the query. */
function aboutSettings({ error }: Trouble): boolean {
  return /^ClickHouse answered (?:READONLY \(164\): Cannot modify|SETTING_CONSTRAINT_VIOLATION|UNKNOWN_SETTING)/.test(error.message);
}
