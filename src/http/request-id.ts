// The name of a request, in its reply, in the log and on the engine: the caller's own, or a new one.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** What may stand in a header, in a log and in a query id without harm. */
const HARMLESS = /^[A-Za-z0-9._:-]{1,100}$/;

export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && HARMLESS.test(given) ? given : randomUUID();
}
