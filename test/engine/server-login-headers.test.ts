// How a login travels: passwords, tokens and certificates, seen by a proxy with TLS in front of a real server.
import { type IncomingMessage, request } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openServer, type ServerOptions } from '../../src/engine/server/server.ts';
import { type Certificate, certificate } from '../support/certificate.ts';
import { type ClickHouseServer, startClickHouse } from '../support/clickhouse-server.ts';
import { type TempFolder, tempFolder } from '../support/temp-store.ts';
import { failure } from './asking.ts';

const LOGIN_HEADERS = [
  'authorization',
  'x-clickhouse-user',
  'x-clickhouse-key',
  'x-clickhouse-ssl-certificate-auth',
  'x-mine',
  'user-agent',
];

let folder: TempFolder;
let server: ClickHouseServer;
let proxy: Server;
let url: string;
/** What the proxy saw last. */
let seen: Readonly<Record<string, unknown>> = {};

let own: Certificate;
let client: Certificate;

/** Logins end at the proxy: what it passes on has none. */
function passOn(incoming: IncomingMessage, done: (answer: IncomingMessage) => void): void {
  const headers = Object.fromEntries(Object.entries(incoming.headers).filter(([name]) => !LOGIN_HEADERS.includes(name)));
  incoming.pipe(request(`${server.url}${incoming.url}`, { method: incoming.method ?? 'GET', headers, agent: false }, done));
}

beforeAll(async () => {
  folder = tempFolder();
  own = certificate(folder.path, 'server');
  client = certificate(folder.path, 'client');
  server = await startClickHouse();
  proxy = createServer({ ...own, requestCert: true, rejectUnauthorized: false }, (incoming, outgoing) => {
    const peer = (incoming.socket as TLSSocket).getPeerCertificate(); // a server with TLS has no other sockets
    const logins = LOGIN_HEADERS.filter((name) => incoming.headers[name] !== undefined).map((name) => [name, incoming.headers[name]]);
    seen = { ...Object.fromEntries(logins), ...(peer.subject === undefined ? {} : { certificate: peer.subject.CN }) };
    passOn(incoming, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
  }).listen(0, '127.0.0.1');
  await new Promise((ready) => proxy.once('listening', ready));
  const address = proxy.address();
  url = `https://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
});
afterAll(async () => {
  proxy.closeAllConnections();
  proxy.close();
  await server.stop();
  folder.remove();
});
beforeEach(() => {
  seen = {};
});

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

async function ask(options: Partial<ServerOptions>): Promise<unknown> {
  const engine = openServer({ url, tls: { ca: own.cert }, ...options });
  try {
    return (await engine.execute({ sql: 'SELECT 1', bindings: [], settings: {} })).rows;
  } finally {
    await engine.close();
  }
}

const agent = expect.stringContaining('quern ');

test('user and password are sent together', async () => {
  expect(await ask({ user: 'me', password: 'pässword:1' })).toEqual([[1]]);
  expect(seen).toEqual({ authorization: basic('me:pässword:1'), 'user-agent': agent });
});

test('a login without anything is that of the default user, and headers of the options are sent', async () => {
  expect(await ask({ headers: { 'X-Mine': 'yes' } })).toEqual([[1]]);
  expect(seen).toEqual({ authorization: basic('default:'), 'x-mine': 'yes', 'user-agent': agent });
});

test('an access token is sent alone', async () => {
  expect(await ask({ accessToken: 'a.b.c' })).toEqual([[1]]);
  expect(seen).toEqual({ authorization: 'Bearer a.b.c', 'user-agent': agent });
});

test('a certificate stands in the place of a password, and beside one', async () => {
  expect(await ask({ user: 'me', tls: { ca: own.cert, ...client } })).toEqual([[1]]);
  expect(seen).toEqual({
    certificate: 'client',
    'x-clickhouse-user': 'me',
    'x-clickhouse-ssl-certificate-auth': 'on',
    'user-agent': agent,
  });
  expect(await ask({ user: 'me', password: 'x', tls: { ca: own.cert, ...client } })).toEqual([[1]]);
  expect(seen).toEqual({ certificate: 'client', authorization: basic('me:x'), 'user-agent': agent });
});

test('a server whose certificate nobody vouches for is not spoken to', async () => {
  expect(await failure(ask({ tls: {}, password: 'secret' }))).toBe(
    `unreachable: ClickHouse at ${url} cannot be reached: its certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)`,
  );
  expect(await failure(ask({ url: url.replace('127.0.0.1', 'localhost'), password: 'secret' }))).toBe(
    `unreachable: ClickHouse at ${url.replace('127.0.0.1', 'localhost')} cannot be reached: its certificate is not trusted (ERR_TLS_CERT_ALTNAME_INVALID)`,
  );
  expect(seen).toEqual({});
});

test('a certificate that cannot be read is an error of the settings', async () => {
  expect(await failure(ask({ tls: { ca: own.cert, cert: 'nonsense', key: client.key } }))).toBe(
    'config: the certificate or key for ClickHouse cannot be used',
  );
});
