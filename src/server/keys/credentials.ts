// The places in a request where keys and tokens stand, and the form of both.
import type { IncomingHttpHeaders } from 'node:http';

/** The text behind `Authorization: Bearer`, where keys and tokens may stand. */
export function bearerIn({ authorization }: IncomingHttpHeaders): string | undefined {
  return authorization !== undefined && /^bearer /i.test(authorization) ? authorization.slice('bearer '.length).trim() : undefined;
}

/** Three parts of base64url text, which older libraries of Google's pad; no API key has a dot. */
export const isToken = (secret: string): boolean => /^[\w-]+={0,2}\.[\w-]+={0,2}\.[\w-]*={0,2}$/.test(secret);

/** A page of the web can point a name of its own at this machine; then that name is what the browser sends. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}
