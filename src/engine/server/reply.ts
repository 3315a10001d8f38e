// Reads a server's answer: ClickHouse's errors, at the beginning and in mid-stream, and answers of other programs.

import { QuernError } from '../../base/errors.ts';
import { jsonIn } from '../../base/json.ts';
import type { ExecutionStatistics } from '../../base/result.ts';
import { topicOf } from '../../clickhouse/errors.ts';
import { engineError } from '../engine-error.ts';
import type { ServerReply } from './client.ts';

/** The most bytes of an error that are read. */
const MAX_ERROR_BYTES = 1 << 16;

/** The server, and who uses it. */
export interface ServerAccess {
  readonly place: string;
  /** Absent where an access token stands for it. */
  readonly user: string | undefined;
}

/** Why an attempt failed, and how many more attempts may follow. */
export interface Trouble {
  readonly error: QuernError;
  readonly moreAttempts: number;
}

/** A server that is full has room again soon. */
const BUSY_ATTEMPTS = 8;
const PROXY_ATTEMPTS = 3;

/** Returns undefined when the body of the reply is a result, or begins as one. */
export async function troubleIn(reply: ServerReply, access: ServerAccess, sql?: string): Promise<Trouble | undefined> {
  const code = header(reply, 'x-clickhouse-exception-code');
  const ok = reply.status >= 200 && reply.status < 300;
  const isClickHouse = Object.keys(reply.headers).some((name) => name.startsWith('x-clickhouse-'));
  if (ok && code === undefined && isClickHouse) return undefined;
  const text = await readStart(reply);
  if (code === undefined && !BARE_ERROR.test(text)) {
    return {
      error: foreignAnswer(reply, text, access.place),
      moreAttempts: reply.status === 503 || reply.status === 429 ? PROXY_ATTEMPTS : 0,
    };
  }
  const number = Number(code ?? /\d+/.exec(text)?.[0]);
  return { error: clickHouseError(text, { ...access, code: number, sql }), moreAttempts: topicOf(number) === 'busy' ? BUSY_ATTEMPTS : 0 };
}

/** Every message of ClickHouse begins so. */
const BARE_ERROR = /^Code: \d+\. DB::/;

/** Returns the error that `text`, the end of a body that began as a result, reports; undefined when it reports none. */
export function lastWords(text: string, access: ServerAccess): QuernError | undefined {
  return BARE_ERROR.test(text) ? clickHouseError(text, access) : undefined;
}

/** Reads the header of an answer, which is complete only when the server sent nothing before the query ended. */
export function statisticsOf(reply: ServerReply, elapsedMs: number): ExecutionStatistics {
  const count = summaryOf(reply);
  return { elapsedMs, rowsRead: count('read_rows'), bytesRead: count('read_bytes'), memoryBytes: count('memory_usage') || undefined };
}

/** Returns how many rows the server reports for an answer that it sent after the query ended; undefined where it does not. */
export const reportedRows = (reply: ServerReply): number | undefined => summaryOf(reply)('result_rows');

function summaryOf(reply: ServerReply): (name: string) => number | undefined {
  // An object of texts, by the server's documentation. A query does not fail for want of statistics.
  const summary = Object(jsonIn(header(reply, 'x-clickhouse-summary') ?? '')) as Readonly<Record<string, unknown>>;
  return (name) => {
    const value = Number(summary[name]);
    return Number.isFinite(value) ? value : undefined;
  };
}

export function header(reply: ServerReply, name: string): string | undefined {
  const value = reply.headers[name];
  return typeof value === 'string' ? value : value?.[0];
}

function clickHouseError(text: string, of: ServerAccess & { readonly code?: number; readonly sql?: string | undefined }): QuernError {
  if (text.includes('Field value too long')) {
    return new QuernError('limit', 'a value of this query is too long for ClickHouse', {
      hint: 'raise http_max_field_value_size in the default profile of the server, or shorten the value',
      cause: text,
    });
  }
  return engineError({ message: text.trim(), ...of });
}

function foreignAnswer(reply: ServerReply, text: string, place: string): QuernError {
  const { status } = reply;
  const nativePort = /must use port (\d+) for HTTP/.exec(text)?.[1];
  const unreachable = (says: string, hint: string) =>
    new QuernError('unreachable', `${place} ${says}`, { hint, notes: saidBy(text), cause: text });
  if (nativePort !== undefined) return unreachable("is the port of ClickHouse's native protocol", `use port ${nativePort} for HTTP`);
  if (/is for clickhouse-client program/.test(text)) {
    return unreachable("is the port of ClickHouse's native protocol", 'use the HTTP port: 8123, or 8443 for https');
  }
  if (status >= 300 && status < 400) {
    return unreachable(`answers with a redirect to ${header(reply, 'location') ?? 'elsewhere'}`, 'use the address of ClickHouse itself');
  }
  if (status === 401 || status === 403) {
    return unreachable(`refuses the login (HTTP ${status})`, 'check the user and the password, and what a proxy in between requires');
  }
  if (status === 502 || status === 503 || status === 504 || status === 429) {
    return unreachable(
      `cannot answer now (HTTP ${status})`,
      'a proxy answers in place of ClickHouse: check the server behind it, or try again later',
    );
  }
  if (status >= 200 && status < 300) return notClickHouse(place, text);
  return unreachable(`answers with HTTP ${status}, but does not seem to be ClickHouse`, ADDRESS);
}

const ADDRESS = 'check the address, the port and the path';

/** Returns the error for a result that no ClickHouse writes. */
export function notClickHouse(place: string, text: string): QuernError {
  return new QuernError('unreachable', `${place} answers, but does not seem to be ClickHouse`, { hint: ADDRESS, notes: saidBy(text) });
}

const saidBy = (text: string): readonly string[] => (text.trim() === '' ? [] : [`it says: ${firstLine(text)}`]);

function firstLine(text: string): string {
  const line = text.trim().split(/\r?\n/)[0] ?? '';
  return line.length > 120 ? `${line.slice(0, 120)}…` : line;
}

async function readStart(reply: ServerReply): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of reply.body) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= MAX_ERROR_BYTES) break;
    }
  } catch {
    // The bytes that came before the connection broke are all there is to read.
  }
  return Buffer.concat(chunks).toString();
}
