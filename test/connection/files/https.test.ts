// A file at an https address: its rows, and why there are none.
import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Certificate, certificate } from '../../support/certificate.ts';
import type { CliResult } from '../../support/run-cli.ts';
import { type FilesHome, filesHome } from './support.ts';

const root = join(import.meta.dirname, '../../..');
const bin = join(root, 'bin/quern.js');
const home: FilesHome = filesHome();
let own: Certificate;
let address: string;
/** What the server answers, beside the file itself. */
const STATUS: Readonly<Record<string, number>> = { '/gone.csv': 404, '/closed.csv': 403, '/broken.csv': 500 };
let status = STATUS;
const server = createServer((request, reply) => {
  reply.statusCode = status[request.url ?? ''] ?? 200;
  const text = reply.statusCode === 200 ? 'id,zip\n1,01234\n2,98765\n' : 'sorry';
  reply.setHeader('content-length', text.length);
  reply.end(request.method === 'HEAD' ? undefined : text);
});

beforeAll(async () => {
  if (!existsSync(join(root, 'dist/cli.cjs')))
    spawnSync(process.execPath, [join(root, 'scripts/build.mjs'), '--no-types'], { stdio: 'inherit' });
  own = certificate(home.folder, 'files');
  server.setSecureContext(own);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `https://127.0.0.1:${(server.address() as AddressInfo).port}`; // a server on a port has no other address
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  home.remove();
});

/** The first row of `file` at the server; with `trusted`, its certificate is. The engine reads the environment of its process, so it has one of its own. */
function ask(file: string, trusted = true): Promise<CliResult> {
  home.write('quern.yaml', `sources:\n  far: { file: "${address}${file}" }\n`);
  const env = { PATH: process.env['PATH'], HOME: home.folder, QUERN_TRUST: '1', ...(trusted ? { SSL_CERT_FILE: own.path } : {}) };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [bin, 'query', 'select * from far order by id limit 1'],
      { cwd: home.folder, env },
      (_, stdout, stderr) => resolve({ stdout, stderr, exitCode: child.exitCode ?? -1 }),
    );
  });
}

test('has rows, with columns as of a local file', async () => {
  expect(await ask('/orders.csv')).toEqual({ stdout: '{"id":1,"zip":"01234"}\n', stderr: '', exitCode: 0 });
});

test.each([
  ['/gone.csv', 'there is no such file', 'check the address'],
  ['/closed.csv', 'its server does not let you read it', 'check the address, and the keys in the environment'],
  ['/broken.csv', 'its server answered 500 Internal Server Error', 'check the address, or try again later'],
])(
  '%s: %s',
  async (file, why, hint) => {
    const { stdout, stderr, exitCode } = await ask(file);
    expect([stdout, exitCode]).toEqual(['', 2]);
    expect(stderr).toContain(`error[config]: sources.far: ${address}${file} cannot be read: ${why}\n`);
    expect(stderr).toContain(`= hint: ${hint}\n`);
  },
  60_000,
);

test('is not read from a server whose certificate nobody vouches for', async () => {
  const { stderr, exitCode } = await ask('/strange.csv', false);
  expect([stderr.split('\n')[0], exitCode]).toEqual([
    `error[config]: sources.far: ${address}/strange.csv cannot be read: its server has no certificate that this machine trusts`,
    2,
  ]);
  expect(stderr).toContain('SSL_CERT_FILE');
}, 60_000);

test('is told of as a file where it fails only later, when its columns are known', async () => {
  expect((await ask('/later.csv')).exitCode).toBe(0);
  status = { '/later.csv': 404 };
  const { stderr, exitCode } = await ask('/later.csv');
  status = STATUS;
  expect([stderr, exitCode]).toEqual([
    `error[data]: ${address}/later.csv cannot be read: there is no such file\n   = hint: check the address\n`,
    1,
  ]);
  const untrusted = await ask('/later.csv', false);
  expect(untrusted.stderr.split('\n')[0]).toBe(
    `error[data]: ${address}/later.csv cannot be read: its server has no certificate that this machine trusts`,
  );
}, 120_000);
