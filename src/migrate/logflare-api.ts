// Asks Logflare's management API for its endpoints.
import { messageOf, QuernError } from '../base/errors.ts';
import { type Endpoint, isFields, readEndpoint, type Unreadable } from './endpoint.ts';

interface LogflareRequest {
  /** The address of Logflare, with or without `/api`. */
  readonly url: string;
  readonly token: string;
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal;
}

/** More is no list of queries. */
const MAX_BYTES = 64 * 2 ** 20;

/**
 * Every endpoint. Throws QuernError: `usage` for a URL that is none, `unreachable` when nobody answers there, or refuses the token,
 * `timeout`, `result` for an answer that is no list of endpoints.
 */
export async function fetchEndpoints(request: LogflareRequest): Promise<readonly (Endpoint | Unreadable)[]> {
  const address = endpointsUrl(request.url);
  const body = await read(address, request);
  const list = parse(body, address);
  return list.map((one, i) => readEndpoint(one, `endpoint ${i + 1}`));
}

function endpointsUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new QuernError('usage', 'the URL of Logflare is not an http:// or https:// address', {
      hint: 'write it like --url https://logflare.example.com',
    });
  if (url.username !== '' || url.password !== '')
    throw new QuernError('usage', `the URL of ${url.host} contains a password`, {
      hint: 'leave it out, and set LOGFLARE_TOKEN to a token',
    });
  return `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/api(\/endpoints)?$/, '')}/api/endpoints`;
}

async function read(address: string, { token, timeoutSeconds, signal }: LogflareRequest): Promise<string> {
  const late = AbortSignal.timeout(Math.ceil(timeoutSeconds * 1000));
  try {
    // Followed, a redirect could carry the token elsewhere, or end at a page for logging in.
    const response = await fetch(address, {
      headers: { Authorization: `Bearer ${token}`, Accept: 'application/json' },
      redirect: 'manual',
      signal: AbortSignal.any([signal, late]),
    });
    refuseStatus(response, address);
    return await bodyOf(response, address);
  } catch (cause) {
    if (cause instanceof QuernError) throw cause;
    if (signal.aborted) throw signal.reason;
    if (late.aborted)
      throw new QuernError('timeout', `${address} did not answer within ${timeoutSeconds} s`, {
        hint: 'try again, or raise --timeout',
        cause,
      });
    throw new QuernError('unreachable', `${address} cannot be reached: ${reason(cause)}`, { hint: 'check --url', cause });
  }
}

function refuseStatus({ status, headers }: Response, address: string): void {
  if (status === 401 || status === 403)
    throw new QuernError('unreachable', `${address} refused the token (${status})`, {
      hint: 'create a private access token in Logflare, and set LOGFLARE_TOKEN to it',
    });
  if (status >= 300 && status < 400)
    throw new QuernError('unreachable', `${address} redirects to ${headers.get('location') ?? status}`, { hint: 'check --url' });
  if (status !== 200)
    throw new QuernError('unreachable', `${address} answered with status ${status}`, { hint: 'check --url, and the log of Logflare' });
}

async function bodyOf(response: Response, address: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES)
      throw new QuernError('result', `${address} answered with more than ${MAX_BYTES / 2 ** 20} MiB, which is not a list of endpoints`, {
        hint: 'check --url',
      });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(body: string, address: string): readonly unknown[] {
  const refuse = (what: string, cause?: unknown): never => {
    throw new QuernError('result', `${address} answered with ${what} instead of a list of endpoints`, { hint: 'check --url', cause });
  };
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch (cause) {
    return refuse(/^\s*<(!doctype|html)/i.test(body) ? 'an HTML page' : beginning(body), cause);
  }
  if (Array.isArray(value)) return value;
  return refuse(isFields(value) && typeof value['error'] === 'string' ? `the error ${JSON.stringify(value['error'])}` : beginning(body));
}

const beginning = (text: string): string =>
  text.trim() === '' ? 'nothing' : JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);

/** `fetch failed` alone helps nobody. */
function reason(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error) return 'code' in cause ? String(cause.code) : cause.message;
  return messageOf(error);
}
