// The audit log: one JSON object a line for every request to an endpoint, and for every one that was refused; who, what, when and how much, never values.
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { destination } from 'pino';
import { QuernError } from '../../base/errors.ts';
import type { Exchange, Outcome } from '../http/exchange.ts';

interface AuditOptions {
  readonly file: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called when a line cannot be written, at most once a minute: the server goes on without it. */
  readonly onTrouble: (message: string) => void;
}

const TELL_EVERY_MS = 60_000;

export type Audit = Awaited<ReturnType<typeof openAudit>>;

/** Opens the file, or makes it, for its owner alone. Throws QuernError `config` when that cannot be done. */
export async function openAudit({ file, now, onTrouble }: AuditOptions) {
  // A stream that could not open its file would end the process with a trace of its own.
  try {
    mkdirSync(dirname(file), { recursive: true });
    closeSync(openSync(file, 'a', 0o600));
  } catch (cause) {
    throw new QuernError('config', `the audit log ${file} cannot be written: ${(cause as Error).message}`, {
      hint: 'name another file with --audit-log',
      cause,
    });
  }
  const stream = destination({ dest: file, append: true, mode: 0o600, sync: false });
  await once(stream, 'ready');
  let toldMs = Number.NEGATIVE_INFINITY;
  stream.on('error', ({ message }: Error) => {
    if (now() - toldMs < TELL_EVERY_MS) return;
    toldMs = now();
    onTrouble(`the audit log cannot be written: ${message}`);
  });
  let closed: Promise<void> | undefined;
  const end = () =>
    new Promise<void>((resolve) => {
      stream.once('close', resolve);
      stream.end();
    });
  return {
    write: (exchange: Exchange, outcome: Outcome) => void stream.write(`${JSON.stringify(lineOf(exchange, outcome, now()))}\n`),
    /** Goes on in a file of the same name, which may be a new one: what rotates logs moves the old one away. */
    reopen: () => stream.reopen(),
    /** Writes what is not written yet, and closes the file. */
    close() {
      closed ??= end();
      return closed;
    },
  };
}

function lineOf(
  { request, endpoint, path, key }: Exchange,
  { status, elapsedMs, refused, answer, failure }: Outcome,
  nowMs: number,
): object {
  const code = refused ?? failure?.error.code;
  return {
    time: new Date(nowMs).toISOString(),
    id: request.id,
    ...(key === undefined ? {} : { key: key.id, name: key.name }),
    method: request.method,
    endpoint,
    ...(path === undefined ? {} : { path }),
    status,
    ...(code === undefined ? {} : { code }),
    ...(answer === undefined ? {} : { rows: answer.rows, cache: answer.state, ageSeconds: answer.ageSeconds }),
    ms: Math.round(elapsedMs * 10) / 10,
  };
}
