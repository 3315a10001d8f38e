// Asks a server: settings by the login's rights, attempts repeated where that is safe, queries killed where leaving is not enough.

import { QuernError } from '../../base/errors.ts';
import { quoteString } from '../../clickhouse/quote.ts';
import { throwIfAborted } from '../cancellation.ts';
import type { EngineTrace } from '../engine.ts';
import { ROWS_FORMAT, readCompactRows } from '../read-rows.ts';
import type { Settings } from '../session-settings.ts';
import { type AnswerForm, endsWithOneRow } from './answer-form.ts';
import { readBody } from './body.ts';
import { createServerClient, type ServerReply } from './client.ts';
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
import { type AskedServer, header, type Trouble, troubleIn } from './reply.ts';
import type { WrittenQuery } from './request.ts';
import { type Outcome, pauseUnlessAborted, withRetries } from './retry.ts';

interface Question extends Omit<WrittenQuery, 'settings'> {
  readonly form: AnswerForm;
  /** As it was asked for, for messages. */
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

interface ServerSession {
  readonly place: string;
  ask(question: Question): Promise<Answer>;
  /** The bytes of an answer; stops the query on the server when it is left or aborted. */
  read(answer: Answer, deadline: Deadline): AsyncGenerator<Buffer>;
  close(): Promise<void>;
}

/** More attempts after a failure that passed before the server heard of the query. */
const CONNECT_ATTEMPTS = 4;
/** For the server's own queries about logins, and orders to kill. */
const CONTROL_MS = 5000;
const KILL_MS = 300;

export function openSession(url: URL, options: ServerOptions): ServerSession {
  const place = placeOf(url);
  const asked = { place, user: options.accessToken === undefined ? (options.user ?? 'default') : undefined };
  const who = `the login ${asked.user ?? 'of the access token'} at ${place}`;
  const client = createServerClient(url, options);
  const database: Settings = options.database === undefined ? {} : { database: options.database };
  const retry = { random: options.random ?? Math.random, pause: options.pause ?? pauseUnlessAborted };
  /** Empty until the server refuses a setting: most logins may change all that quern sets. */
  const login = new Map<string, LoginSetting>();
  const learned = new Set<string>();

  async function send(question: Question, settings: Settings, queryId: string): Promise<Outcome<ServerReply>> {
    const startedAt = performance.now();
    const { deadline, trace } = question;
    const { signal } = deadline;
    trace?.onSent({ queryId, host: url.hostname, port: portOf(url) });
    try {
      const reply = await client.send({
        body: question.body,
        contentType: question.contentType,
        urlParameters: { ...question.urlParameters, ...question.form.urlParameters(settings), ...database, ...settings },
        queryId,
        traceparent: trace?.traceparent,
        signal,
      });
      return (await troubleIn(reply, asked, question.sql)) ?? { value: reply };
    } catch (cause) {
      if (signal.aborted) {
        // The server looks for a closed connection only while a query makes progress; a join of what has been read makes none.
        await kill(queryId);
        throwIfAborted(signal);
      }
      const { error, reach, passing } = connectionFailure(cause, place);
      if (!passing) return { error, moreAttempts: 0 };
      if (reach === 'never-sent') return { error, moreAttempts: CONNECT_ATTEMPTS };
      return { error, moreAttempts: (await ranOn(startedAt, deadline)) ? 1 : 0 };
    }
  }

  /** The one row of a small question without settings of its own. */
  async function control(sql: string, limitMs: number, within?: Deadline): Promise<readonly unknown[]> {
    // Where the time of the whole ends first, it must be the whole that says so: of two timers for one moment either may come first.
    const own = within === undefined || within.leftMs() > limitMs ? limitMs : undefined;
    const deadline = startDeadline(own, within?.signal, place);
    try {
      const reply = await client.send({
        body: sql,
        contentType: 'text/plain; charset=utf-8',
        urlParameters: { default_format: ROWS_FORMAT },
        queryId: '',
        signal: deadline.signal,
      });
      const trouble = await troubleIn(reply, asked);
      if (trouble !== undefined) throw trouble.error;
      return readCompactRows(await wholeBody(reply, asked)).rows[0] ?? [];
    } catch (cause) {
      throw cause instanceof QuernError || deadline.signal.aborted ? cause : connectionFailure(cause, place).error;
    } finally {
      deadline.clear();
    }
  }

  /** True when the server has been up for longer than the attempt: whatever cut the connection, the query has not ended the server. */
  async function ranOn(startedAt: number, within: Deadline): Promise<boolean> {
    const [seconds = 0] = await control('SELECT uptime()', CONTROL_MS, within).catch(() => []);
    const uptime = Number(seconds);
    return uptime > (performance.now() - startedAt) / 1000 + 1;
  }

  async function kill(queryId: string): Promise<void> {
    await control(`KILL QUERY WHERE query_id = ${quoteString(queryId)} ASYNC`, KILL_MS).catch(() => undefined);
  }

  /** Learns what the login may do with these settings, as far as that is not known. */
  async function learn({ wanted, deadline }: Question): Promise<void> {
    const names = Object.keys(allSettings(wanted)).filter((name) => !learned.has(name));
    const row = names.length === 0 ? undefined : await control(loginSettingsQuery(names), CONTROL_MS, deadline).catch(unlessUnreachable);
    if (row === undefined) return;
    for (const name of names) learned.add(name);
    for (const [name, setting] of readLoginSettings(row)) login.set(name, setting);
  }

  /** What is known of the login may be out of date: it is learned again before a query is refused because of it. */
  async function knownSettings(question: Question): Promise<Settings> {
    if (learned.size === 0) return allSettings(question.wanted);
    await learn(question);
    try {
      return settingsFor(question.wanted, login, who);
    } catch {
      return newSettings(question);
    }
  }

  async function newSettings(question: Question): Promise<Settings> {
    learned.clear();
    login.clear();
    await learn(question);
    return learned.size === 0 ? allSettings(question.wanted) : settingsFor(question.wanted, login, who);
  }

  async function attempt(question: Question, queryId: string): Promise<Outcome<Answer>> {
    let sent = await knownSettings(question);
    let outcome = await send(question, sent, queryId);
    if ('error' in outcome && aboutSettings(outcome)) {
      sent = await newSettings(question);
      outcome = await send(question, sent, queryId);
    }
    return 'error' in outcome ? outcome : { value: { reply: outcome.value, queryId, sent, form: question.form } };
  }

  return {
    place,
    ask: (question) =>
      withRetries((number) => attempt(question, number === 1 ? question.queryId : `${question.queryId}-${number}`), {
        ...retry,
        deadline: question.deadline,
      }),
    async *read({ reply, queryId, sent, form }, { signal }) {
      let ended = false;
      try {
        const end = form.endOf(reply, sent);
        yield* form.bytes(readBody(reply.body, { ...asked, tag: header(reply, 'x-clickhouse-exception-tag'), end }), sent);
        ended = true;
      } catch (error) {
        ended = !signal.aborted;
        throwIfAborted(signal);
        throw error;
      } finally {
        reply.body.destroy();
        if (!ended) await kill(queryId);
      }
    },
    close: () => client.close(),
  };
}

const portOf = ({ port, protocol }: URL): number => (port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port));

async function wholeBody(reply: ServerReply, asked: AskedServer): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of readBody(reply.body, { ...asked, tag: header(reply, 'x-clickhouse-exception-tag'), end: endsWithOneRow() }))
    chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Another error may be the login's, for which the query itself is refused in better words. */
function unlessUnreachable(error: unknown): undefined {
  if (error instanceof QuernError && error.code === 'unreachable') throw error;
}

/** The server refuses settings before it looks at the query. */
function aboutSettings({ error }: Trouble): boolean {
  return /^ClickHouse answered (?:READONLY \(164\): Cannot modify|SETTING_CONSTRAINT_VIOLATION|UNKNOWN_SETTING)/.test(error.message);
}
