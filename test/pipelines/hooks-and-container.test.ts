// .pre-commit-hooks.yaml and examples/Containerfile: what they run is there, and does what they say.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { cliHome } from '../support/run-cli.ts';
import { serveCli } from '../support/serve-cli.ts';
import { root } from './run-action.ts';

const text = (name: string): string => readFileSync(join(root, name), 'utf8');

describe('.pre-commit-hooks.yaml', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quern-hooks-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const hooks: readonly { id: string; entry: string; language: string; files: string }[] = parse(text('.pre-commit-hooks.yaml'));
  const entry = (id: string): readonly string[] =>
    hooks
      .find((hook) => hook.id === id)
      ?.entry.split(' ')
      .slice(1) ?? [];
  const query = (sql: string): string => `/*---\nid: 7a0f9c1e-2b3c-4d5e-8f60-718293a4b5c8\n---*/\n${sql}\n`;
  const hook = (id: string, sql: string) => {
    mkdirSync(join(folder, 'queries'), { recursive: true });
    writeFileSync(join(folder, 'queries/q.sql'), query(sql));
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'bin/quern.js'), ...entry(id), 'queries/q.sql'], {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: folder },
      encoding: 'utf8',
    });
    return { status, output: stdout + stderr, left: readFileSync(join(folder, 'queries/q.sql'), 'utf8') };
  };

  test('names commands of the package, for saved queries', () => {
    expect(hooks.map(({ id, language }) => [id, language])).toEqual([
      ['quern-lint', 'node'],
      ['quern-fmt', 'node'],
    ]);
    const { bin, scripts } = JSON.parse(text('package.json'));
    for (const { entry: command, files } of hooks) {
      expect(Object.keys(bin)).toContain(command.split(' ')[0]);
      expect(['queries/a.b.sql', 'reports/queries/a.sql', 'migrations/a.sql'].map((path) => new RegExp(files).test(path))).toEqual([
        true,
        true,
        false,
      ]);
    }
    // pre-commit packs a clone of the repository: dist/ is built for that.
    expect(scripts.prepare).toBe('node scripts/build.mjs');
  });

  // pre-commit installs the file that `npm pack` names, and takes all that it prints for the name.
  test('packing prints the name of the package alone, although it is built for that', () => {
    const built = { name: 'built', version: '1.0.0', scripts: { prepare: 'echo building' } };
    const place = mkdtempSync(join(folder, 'package-'));
    writeFileSync(join(place, 'package.json'), JSON.stringify(built));
    writeFileSync(join(place, '.npmrc'), text('.npmrc'));
    const { stdout } = spawnSync('npm', ['pack', '--offline'], { cwd: place, encoding: 'utf8' });
    expect(stdout).toBe('built-1.0.0.tgz\n');
  });

  test('quern-lint passes what can be translated, and fails what cannot', () => {
    expect(hook('quern-lint', 'select 1 as one').status).toBe(0);
    const wrong = hook('quern-lint', 'select cuont(*) as n');
    expect([wrong.status === 0, wrong.output.includes('queries/q.sql:4:8')]).toEqual([false, true]);
  });

  test('quern-fmt changes the file, by which pre-commit knows', () => {
    expect(hook('quern-fmt', 'select   1 as one')).toMatchObject({ status: 0, left: query('select 1 as one') });
    expect(hook('quern-fmt', 'select 1 as one')).toMatchObject({ status: 0, left: query('select 1 as one') });
  });
});

describe('examples/Containerfile', () => {
  const lines = text('examples/Containerfile')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const of = (instruction: string): readonly string[] =>
    lines.filter((line) => line.startsWith(`${instruction} `)).map((line) => line.slice(instruction.length + 1));

  test('has instructions that there are, and lists that are JSON', () => {
    const known = /^(FROM|WORKDIR|COPY|RUN|ENV|USER|VOLUME|EXPOSE|HEALTHCHECK|STOPSIGNAL|ENTRYPOINT|CMD) \S/;
    expect(lines.filter((line) => !known.test(line))).toEqual([]);
    const lists = [...of('ENTRYPOINT'), ...of('CMD'), ...of('HEALTHCHECK').map((line) => line.replace(/^CMD /, ''))];
    expect(lists.map((list) => Array.isArray(JSON.parse(list)))).toEqual([true, true, true]);
    const stages = of('FROM').flatMap((line) => / AS (\w+)$/.exec(line)?.[1] ?? []);
    expect(of('COPY').flatMap((line) => /--from=(\w+)/.exec(line)?.[1] ?? [])).toEqual(stages);
  });

  test('links a program that is there, and leaves nothing out that the build needs', () => {
    const [, program = ''] = /ln -s \/quern\/(\S+) /.exec(of('RUN').join('\n')) ?? [];
    expect([program, existsSync(join(root, program))]).toEqual([JSON.parse(text('package.json')).bin.quern, true]);
    const ignored = text('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    const needed = ['src', 'scripts', 'bin', 'queries', 'package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];
    expect(needed.filter((path) => ignored.includes(path) || !existsSync(join(root, path)))).toEqual([]);
  });

  test('its health check tells a server that answers from one that does not', async () => {
    const [, flag = '', code = ''] = JSON.parse(of('HEALTHCHECK')[0]?.replace(/^CMD /, '') ?? '[]');
    const home = cliHome();
    const { address, stop } = await serveCli(home, ['--no-auth']);
    const { spawn } = await import('node:child_process');
    const check = (): Promise<number | null> =>
      new Promise((resolve) => {
        const child = spawn(process.execPath, [flag, code.replace('http://127.0.0.1:4000', address)]);
        child.on('exit', resolve);
      });
    expect(await check()).toBe(0);
    await stop();
    expect(await check()).toBe(1);
    home.remove();
  });
});
