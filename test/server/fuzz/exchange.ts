// Sends bytes to a server, and judges what comes back: a failure in the one shape, or the asked format; never a fault of the server's.
import { connect } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type NoisyRequest, requestOf } from './request.ts';

export interface Fault {
  readonly seed: number;
  readonly request: string;
  readonly fault: string;
}

/** Requests of the seeds from `first` on, `atOnce` at a time, and those that were answered as none should be. */
export async function fuzzServer(address: string, first: number, count: number, atOnce = 16): Promise<readonly Fault[]> {
  const faults: Fault[] = [];
  let seed = first;
  const work = async () => {
    for (let mine = seed++; mine < first + count; mine = seed++) {
      const request = requestOf(mine);
      const fault = faultOf(request, await exchange(address, request.bytes));
      if (fault !== undefined) faults.push({ seed: mine, request: request.bytes.toString().slice(0, 500), fault });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return faults;
}

/** What comes back until the server closes the connection; undefined when nothing comes for long. */
function exchange(address: string, bytes: Buffer): Promise<Buffer | undefined> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const done = () => resolve(Buffer.concat(chunks));
    const socket = connect(Number(port), hostname);
    socket.setTimeout(60_000, () => {
      socket.destroy();
      resolve(undefined);
    });
    socket
      .on('data', (chunk) => chunks.push(chunk))
      .on('close', done)
      .on('error', done);
    socket.write(bytes);
  });
}

function faultOf({ method }: NoisyRequest, reply: Buffer | undefined): string | undefined {
  if (reply === undefined) return 'no reply for a minute';
  const text = skipContinue(reply);
  const end = text.indexOf('\r\n\r\n');
  const head = text.subarray(0, end).toString();
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
  if (end === -1 || Number.isNaN(status)) return `no HTTP: ${reply.toString().slice(0, 200)}`;
  if (!((status >= 200 && status < 300) || (status >= 400 && status < 500))) return `status ${status}: ${text.subarray(end, end + 300)}`;
  if (/x-evil/i.test(head)) return `a header that the request made: ${head}`;
  const headers = new Map(
    head
      .split('\r\n')
      .flatMap((line) => [line.split(': ', 2) as [string, string]])
      .map(([name, value]) => [name.toLowerCase(), value]),
  );
  const raw = text.subarray(end + 4);
  // What is cut off before its end is answered before the server knows the method.
  const unread = status === 431 || (status === 400 && !headers.has('x-request-id'));
  if ((method === 'HEAD' && !unread) || status === 204) return raw.length === 0 ? undefined : 'a body where there is none';
  return bodyFault(status, headers.get('content-type') ?? '', decoded(raw, headers.get('content-encoding')));
}

function skipContinue(reply: Buffer): Buffer {
  return reply.toString('latin1', 0, 12) === 'HTTP/1.1 100' ? reply.subarray(reply.indexOf('\r\n\r\n') + 4) : reply;
}

function decoded(body: Buffer, encoding: string | undefined): string {
  return (encoding === 'gzip' ? gunzipSync(body) : encoding === 'br' ? brotliDecompressSync(body) : body).toString();
}

function bodyFault(status: number, type: string, body: string): string | undefined {
  if (!type.startsWith('application/json'))
    return status < 300 && type.startsWith('text/') ? undefined : `status ${status} with the type ${type}`;
  try {
    const value = JSON.parse(body);
    if (status < 300) return undefined;
    return typeof value.error.code === 'string' && typeof value.error.message === 'string' ? undefined : `another shape: ${body}`;
  } catch {
    return `status ${status} that is not JSON: ${body.slice(0, 200)}`;
  }
}
