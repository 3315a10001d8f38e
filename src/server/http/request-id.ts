// The name of a request, in its reply, in the log and in the engine's log: the caller's own, or a new one.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Texts that do no harm in a header and in logs. */
const HARMLESS = /^[A-Za-z0-9._:-]{1,100}$/;

type RequestIds = (request: Pick<IncomingMessage, 'headers'>) => string;

/** New names are one of the server's own, and a number: a UUID for each request would take longer than finding its answer. */
export function createRequestIds(): RequestIds {
  const server = randomBytes(8).toString('hex');
  let requests = 0;
  return ({ headers }) => {
    const given = headers['x-request-id'];
    return typeof given === 'string' && HARMLESS.test(given) ? given : `${server}-${++requests}`;
  };
}
