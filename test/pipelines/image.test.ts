// examples/Containerfile, built and started with buildah. The build installs all packages anew, which takes minutes, so it waits to be asked for:
// CONTAINER_TESTS=1 npx vitest run test/pipelines/image.test.ts
// BUILDAH gives words before the command (`--root /tmp/images`), BUILDAH_BUILD further ones of `buildah bud` (`--pull-never`).
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from './run-action.ts';

const wordsOf = (name: string): readonly string[] => (process.env[name] ?? '').split(' ').filter((word) => word !== '');
const asked = process.env['CONTAINER_TESTS'] !== undefined;
const NAME = 'quern-image-test';

const buildah = (...words: readonly string[]): string =>
  execFileSync('buildah', [...wordsOf('BUILDAH'), ...words], { encoding: 'utf8', maxBuffer: 1e8, stdio: ['ignore', 'pipe', 'pipe'] });

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });

describe.skipIf(!asked)('examples/Containerfile (left out: CONTAINER_TESTS=1 builds the image with buildah)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quern-image-'));
  let container = '';
  const inside = (...words: readonly string[]): readonly string[] => ['run', '--isolation', 'chroot', container, '--', ...words];

  beforeAll(() => {
    // What is committed, as a checkout has it.
    execFileSync('git', ['clone', '--quiet', root, folder]);
    const file = join(folder, 'examples/Containerfile');
    buildah(
      'bud',
      '--isolation',
      'chroot',
      '--network',
      'host',
      '--format',
      'docker',
      ...wordsOf('BUILDAH_BUILD'),
      '-t',
      NAME,
      '-f',
      file,
      folder,
    );
    container = buildah('from', '--pull-never', NAME).trim();
  }, 900_000);
  afterAll(() => {
    if (container !== '') buildah('rm', container);
    rmSync(folder, { recursive: true, force: true });
  });

  test('is one of quern serve, for a user who is not root', () => {
    const { Docker } = JSON.parse(buildah('inspect', '--type', 'image', NAME));
    expect(Docker.config).toMatchObject({
      User: 'node',
      Entrypoint: ['quern'],
      Cmd: ['serve', '--host', '0.0.0.0'],
      StopSignal: 'SIGTERM',
      Healthcheck: { Test: ['CMD', 'node', '-e', expect.stringContaining('/health')] },
    });
    expect(buildah(...inside('id', '-un')).trim()).toBe('node');
    expect(buildah(...inside('quern', '--version'))).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test('makes keys, answers with the embedded engine, tells that it is well, and stops', async () => {
    const key = buildah(...inside('quern', 'keys', 'create', '--name', 'test', '--scope', '*')).trim();
    const port = await freePort();
    const address = `http://127.0.0.1:${port}`;
    const pidFile = '/home/node/pid';
    const script = `echo $$ > ${pidFile}; exec quern serve --host 0.0.0.0 --port ${port}`;
    const child: ChildProcess = spawn('buildah', [...wordsOf('BUILDAH'), ...inside('sh', '-c', script)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    await new Promise<void>((resolve, reject) => {
      child.stderr?.on('data', (text: Buffer) => {
        if (text.toString().includes('listening on')) resolve();
      });
      child.once('exit', () => reject(new Error('the server ended before it listened')));
    });
    const endpoint = `${address}/api/endpoints/usage.api-counts?project=demo&interval=daily`;
    expect((await fetch(endpoint)).status).toBe(401);
    const reply = await fetch(endpoint, { headers: { 'x-api-key': key } });
    expect([reply.status, await reply.json()]).toEqual([200, { result: [] }]);
    const [, ...check] = JSON.parse(buildah('inspect', '--type', 'image', NAME)).Docker.config.Healthcheck.Test;
    buildah(...inside(...check.map((word: string) => word.replace('http://127.0.0.1:4000', address))));
    buildah(...inside('sh', '-c', `kill -TERM $(cat ${pidFile})`));
    expect(await ended).toBe(0);
  }, 120_000);
});
