// The name of this server as a client wrote it.
import type { IncomingHttpHeaders } from 'node:http';

/** HTTP/2 has a field of its own for it. Absent in HTTP/1.0 only, which no browser sends. */
export function hostOf(headers: IncomingHttpHeaders): string | undefined {
  const authority = headers[':authority'];
  return typeof authority === 'string' ? authority : headers.host;
}
