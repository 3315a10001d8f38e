// What operators do to a running `quern serve`: they read its audit log, move it away, and send it SIGHUP.
import { once } from 'node:events';
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openAudit } from '../../src/server/observe/audit.ts';
import { folderOf, queryText } from '../queries/support.ts';
import { cliHome } from '../support/run-cli.ts';
import { serveProcess, startServe } from '../support/serve-process.ts';
import { eventsEngine, served } from './server-support.ts';

const FILES = { 'one.sql': queryText(1, 'select @n as n', 'cache: 60s\nparams: { n: { type: integer, default: 1 } }') };
const linesOf = (file: string): Record<string, unknown>[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
    : [];
const parsed = (lines: readonly string[]): Record<string, unknown>[] =>
  lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));

describe('the audit log', () => {
  const engine = eventsEngine();
  const audited = async () => {
    const file = join(folderOf({}), 'logs', 'audit.log');
    const audit = await openAudit({ file, now: Date.now, onTrouble: (message) => expect.unreachable(message) });
    return { file, ...(await served(engine(), { key: { scopes: ['ids'] }, options: { audit } })) };
  };

  test('says who asked what, when, and how many rows, whether it was cached or refused, and no value', async () => {
    const { file, ask, server } = await audited();
    await ask('/api/endpoints/ids?area=rest');
    await ask('/api/endpoints/ids?area=rest');
    await ask('/api/endpoints/ids?area=storage');
    await ask('/api/endpoints/series?word=geheim');
    await ask('/api/endpoints/ids?area=rest', { headers: { 'x-api-key': 'quern_unknown' } });
    await ask('/nowhere?word=geheim');
    await server.close();
    const lines = linesOf(file);
    const [first] = lines;
    expect(Object.keys(first ?? {})).toEqual([
      'time',
      'id',
      'key',
      'name',
      'method',
      'endpoint',
      'status',
      'rows',
      'cache',
      'ageSeconds',
      'ms',
    ]);
    expect(Math.abs(Date.parse(String(first?.['time'])) - Date.now())).toBeLessThan(60_000);
    expect(lines.map(({ name, endpoint, status, rows, cache, code, path }) => [name, endpoint, status, rows, cache, code, path])).toEqual([
      ['test', 'ids', 200, 4, 'miss', undefined, undefined],
      ['test', 'ids', 200, 4, 'hit', undefined, undefined],
      ['test', 'ids', 400, undefined, undefined, 'parameter', undefined],
      ['test', 'series', 403, undefined, undefined, 'forbidden', undefined],
      [undefined, 'none', 401, undefined, undefined, 'unauthorized', '/api/endpoints/ids'],
      [undefined, 'none', 404, undefined, undefined, 'not-found', '/nowhere'],
    ]);
    expect(readFileSync(file, 'utf8')).not.toMatch(/geheim|storage|rest/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('that cannot be opened is an error', async () => {
    const folder = folderOf({ file: '' });
    const file = join(folder, 'file', 'audit.log');
    await expect(openAudit({ file, now: Date.now, onTrouble: () => undefined })).rejects.toMatchObject({
      code: 'config',
      details: { hint: 'name another file with --audit-log' },
    });
  });
});

test('a server whose audit log cannot be opened ends with that error and nothing else', async () => {
  const folder = folderOf({});
  const child = startServe(FILES, ['--port', '0', '--audit-log', folder, '--log-level', 'error']);
  let told = '';
  child.stderr.on('data', (text) => (told += String(text)));
  const [code] = await once(child, 'close');
  expect(code).toBe(2);
  expect(told).toBe(
    `error[config]: the audit log ${folder} cannot be written: EISDIR: illegal operation on a directory, open '${folder}'\n   = hint: name another file with --audit-log\n`,
  );
});

test('the audit log of a project file that is not trusted is not written', async () => {
  const home = cliHome();
  onTestFinished(() => home.remove());
  home.write('quern.yaml', 'audit_log: audit.log\n');
  const { stderr, exitCode } = await home.run(['serve', '--no-auth', '--port', '0'], { env: { QUERN_TRUST: '0' } });
  expect(stderr).toContain('quern.yaml is not trusted, so the file that its audit_log names was not touched');
  expect(exitCode).toBe(2);
  expect(existsSync(join(home.folder, 'audit.log'))).toBe(false);
});

test('the Redis of a project file that is not trusted is not asked', async () => {
  const home = cliHome();
  onTestFinished(() => home.remove());
  home.write('quern.yaml', 'redis_url: redis://127.0.0.1:1\n');
  const served = await home.run(['serve', '--no-auth', '--port', '0'], { env: { QUERN_TRUST: '0' } });
  expect([served.exitCode, served.stderr]).toEqual([2, expect.stringContaining('quern.yaml is not trusted, so redis_url was not used')]);
  const { stdout } = await home.run(['doctor'], { env: { QUERN_TRUST: '0' } });
  expect(stdout).toContain('FAIL  redis: ');
  expect(stdout).toContain('quern.yaml is not trusted, so redis_url was not used');
});

describe('SIGHUP', () => {
  test('begins a new audit log once the old one has been moved, and reads queries and settings anew', async () => {
    const folder = folderOf({ 'quern.yaml': 'version: 1\nlog_level: info\n' });
    const yaml = join(folder, 'quern.yaml');
    const file = join(folder, 'audit.log');
    const { child, address, lines } = await serveProcess(FILES, { QUERN_AUDIT_LOG: file }, folder);
    const askFor = async (n: number) => (await fetch(`${address}/api/endpoints/one?n=${n}`)).json();
    expect(await askFor(1)).toEqual({ result: [{ n: 1 }] });
    await expect.poll(() => linesOf(file).length, { timeout: 10_000 }).toBe(1);
    renameSync(file, `${file}.1`);
    writeFileSync(yaml, 'version: 1\nlog_level: debug\nport: 4321\n');
    child.kill('SIGHUP');
    const told = (message: string) => parsed(lines).find(({ msg }) => msg === message);
    await expect
      .poll(() => told('reloaded keys, saved queries and settings'), { timeout: 10_000 })
      .toMatchObject({ settings: ['log_level'] });
    expect(await askFor(2)).toEqual({ result: [{ n: 2 }] });
    expect(await askFor(2)).toEqual({ result: [{ n: 2 }] });
    await expect.poll(() => linesOf(file).length, { timeout: 10_000 }).toBe(2);
    expect(linesOf(`${file}.1`)).toHaveLength(1);
    // The line of the second answer, which was in memory, is of the level debug.
    await expect.poll(() => parsed(lines).some(({ level, cache }) => level === 'debug' && cache === 'hit'), { timeout: 10_000 }).toBe(true);

    writeFileSync(yaml, 'version: 1\nlog_level: [\n');
    child.kill('SIGHUP');
    await expect.poll(() => told('could not reload; everything stays as it was'), { timeout: 10_000 }).toBeDefined();
    expect(await askFor(3)).toEqual({ result: [{ n: 3 }] });
  });
});
