// A server that speaks TLS by itself: HTTP/1.1 and HTTP/2, with a certificate that may change while it runs.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from 'node:http2';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/server/clock.ts';
import { folderOf } from '../queries/support.ts';
import { cliHome } from '../support/run-cli.ts';
import { until } from './answers/answers-support.ts';
import { eventsEngine, served } from './server-support.ts';

const engine = eventsEngine();
const certificates = mkdtempSync(join(tmpdir(), 'quern-tls-'));
afterAll(() => rmSync(certificates, { recursive: true, force: true }));
const pathTo = (name: string, kind: 'cert' | 'key') => join(certificates, `${name}-${kind}.pem`);

beforeAll(() => {
  for (const name of ['first', 'second']) {
    const out = ['-keyout', pathTo(name, 'key'), '-out', pathTo(name, 'cert')];
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2', '-subj', `/CN=${name}`, ...out],
      {
        stdio: 'ignore',
      },
    );
  }
});

/** A pair of files of a test's own. */
function pairOf(name: string): { readonly cert: string; readonly key: string } {
  const folder = folderOf({});
  const pair = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  put(name, pair);
  return pair;
}

function put(name: string, { cert, key }: { readonly cert: string; readonly key: string }): void {
  copyFileSync(pathTo(name, 'cert'), cert);
  copyFileSync(pathTo(name, 'key'), key);
}

async function secured(key?: object, options: object = {}) {
  const files = pairOf('first');
  const world = await served(engine(), { options: { tls: files, ...options }, ...(key === undefined ? {} : { key }) });
  const address = await world.server.listen('127.0.0.1', 0);
  return { ...world, files, address };
}

function sessionOf(address: string): ClientHttp2Session {
  const session = connect(address, { rejectUnauthorized: false });
  session.on('error', () => undefined);
  onTestFinished(() => session.destroy());
  return session;
}

interface Reply {
  readonly headers: IncomingHttpHeaders & { readonly ':status'?: number | undefined };
  readonly text: string;
}

const ask = (session: ClientHttp2Session, headers: Record<string, string>, body?: string): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const stream = session.request(headers);
    let text = '';
    let head: Reply['headers'] = {};
    stream.on('response', (found) => {
      head = found;
    });
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    stream.on('end', () => resolve({ headers: head, text }));
    stream.on('error', reject);
    stream.end(body);
  });

const IDS = '/api/endpoints/ids?area=rest';

const subjectOf = (address: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const socket = connectTls({ port: Number(new URL(address).port), host: '127.0.0.1', rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().subject.CN);
      socket.destroy();
    });
    socket.on('error', reject);
  });

describe('over HTTP/2', () => {
  test('rows, entity tags, bodies and failures are those of HTTP/1.1', async () => {
    const { address, ask: inject } = await secured();
    expect(address).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    const session = sessionOf(address);
    const plain = await inject(IDS);
    const first = await ask(session, { ':path': IDS });
    expect([first.headers[':status'], first.text, first.headers.etag]).toEqual([200, plain.body, plain.headers.etag]);
    const known = await ask(session, { ':path': IDS, 'if-none-match': String(first.headers.etag) });
    expect([known.headers[':status'], known.text]).toEqual([304, '']);
    const posted = await ask(
      session,
      { ':path': '/api/endpoints/ids', ':method': 'POST', 'content-type': 'application/json' },
      '{"area":"rest"}',
    );
    expect(posted.text).toBe(plain.body);
    const compressed = await ask(session, { ':path': '/api/endpoints/series?rows=900', 'accept-encoding': 'gzip' });
    expect(compressed.headers['content-encoding']).toBe('gzip');
    const [wrong, nowhere] = await Promise.all([ask(session, { ':path': '/api/endpoints/ids' }), ask(session, { ':path': '/nowhere' })]);
    expect([wrong.headers[':status'], JSON.parse(wrong.text).error.code]).toEqual([400, 'parameter']);
    expect([nowhere.headers[':status'], JSON.parse(nowhere.text).error.code]).toEqual([404, 'not-found']);
  });

  test('a name of somebody else is refused where no key is needed', async () => {
    const { address } = await secured();
    const { headers, text } = await ask(sessionOf(address), { ':path': IDS, ':authority': 'evil.example' });
    expect([headers[':status'], JSON.parse(text).error.code]).toEqual([403, 'forbidden']);
  });

  test('a client that leaves takes its query along, and is logged as 499', async () => {
    const { address, engine: state, executed, log } = await secured();
    state.state = 'held';
    const session = sessionOf(address);
    const stream = session.request({ ':path': IDS });
    stream.on('error', () => undefined);
    await until(() => executed.length === 1);
    stream.close();
    await until(() => executed[0]?.signal?.aborted === true);
    await until(() => log.some(({ status }) => status === 499));
  });

  test('keys are asked for', async () => {
    const { address, secret } = await secured({});
    const session = sessionOf(address);
    expect((await ask(session, { ':path': IDS })).headers[':status']).toBe(401);
    expect((await ask(session, { ':path': IDS, authorization: `Bearer ${secret}` })).headers[':status']).toBe(200);
  });
});

describe('a server that stops', () => {
  test('lets what is under way end, over both, and waits for no idle connection', async () => {
    const { address, server, engine: state, executed } = await secured(undefined, { clock: systemClock });
    const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
    onTestFinished(() => agent.destroy());
    const old = (path: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        request(address + path, { agent }, (reply) => {
          reply.resume();
          reply.on('end', () => resolve(reply.statusCode));
        })
          .on('error', reject)
          .end();
      });
    expect(await old(IDS)).toBe(200);
    const session = sessionOf(address);
    await ask(session, { ':path': IDS });
    state.state = 'held';
    const before = executed.length;
    const under = [ask(session, { ':path': '/api/endpoints/series?rows=3' }), old('/api/endpoints/series?rows=4')];
    await until(() => executed.length === before + 2);
    const closed = server.close();
    state.state = 'up';
    const [second, first] = await Promise.all(under);
    expect([(second as Reply).headers[':status'], first]).toEqual([200, 200]);
    await closed;
  });
});

describe('the certificate', () => {
  test('is read again when it has changed; one that cannot be used leaves the old one in use', async () => {
    const { address, files, clock, log } = await secured();
    expect(await subjectOf(address)).toBe('first');
    put('second', files);
    clock.advance(11);
    expect(await subjectOf(address)).toBe('second');
    writeFileSync(files.cert, 'no certificate');
    clock.advance(11);
    expect(await subjectOf(address)).toBe('second');
    expect(log.at(-1)).toMatchObject({ msg: 'the certificate has changed and cannot be used; the old one stays' });
    put('first', files);
    clock.advance(11);
    expect(await subjectOf(address)).toBe('first');
  });

  const home = cliHome();
  test.each([
    [['--tls-cert', pathTo('first', 'cert')], /^error\[usage\]: tls_cert is set, and tls_key is not\n/],
    [['--tls-cert', pathTo('first', 'cert'), '--tls-key', '/no/such.pem'], /^error\[config\]: tls_key cannot be read: ENOENT/],
    [
      ['--tls-cert', pathTo('first', 'cert'), '--tls-key', pathTo('second', 'key')],
      /^error\[config\]: the certificate .* and the key .* cannot be used together/,
    ],
  ])('%j is an error at the start', async (flags, message) => {
    const { stderr, exitCode } = await home.run(['serve', '--no-auth', '--port', '0', ...flags]);
    expect(stderr).toMatch(message);
    expect(stderr).toContain('   = hint: ');
    expect(exitCode).toBe(2);
  });
});
