// The package as npm would publish it: installed elsewhere, it runs, and its types compile.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'quern-package-'));
const installed = join(folder, 'node_modules/quern');

function command(file: string, argv: readonly string[], cwd = folder): { readonly stdout: string; readonly status: number | null } {
  const env = { PATH: process.env['PATH'], HOME: folder };
  const { stdout, stderr, status } = spawnSync(file, argv, { cwd, env, encoding: 'utf8' });
  return status === 0 ? { stdout, status } : { stdout: `${stdout}${stderr}`, status };
}

beforeAll(() => {
  expect(command(process.execPath, ['scripts/build.mjs'], root)).toEqual({ stdout: '', status: 0 });
  expect(command('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], root).status).toBe(0);
  const archive = readdirSync(folder).find((file) => file.endsWith('.tgz')) ?? '';
  mkdirSync(installed, { recursive: true });
  expect(command('tar', ['-xzf', archive, '-C', installed, '--strip-components=1']).status).toBe(0);
  // What npm would fetch for the package is here already: no network in tests.
  for (const name of readdirSync(join(root, 'node_modules')).filter((entry) => !entry.startsWith('.') && entry !== 'quern')) {
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the packed package', () => {
  test('holds what is needed to run, and no sources', () => {
    expect(readdirSync(installed).sort()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'bin', 'dist', 'package.json', 'queries']);
  });

  test('has a command that runs', () => {
    const { stdout, status } = command(process.execPath, [join(installed, 'bin/quern.js'), 'list', '--format', 'tsv']);
    expect({ status, names: stdout.split('\n').map((line) => line.split('\t')[0]) }).toEqual({
      status: 0,
      names: ['name', 'functions.invocation-stats', 'logs.all', 'usage.api-counts', ''],
    });
  });

  test('has a library that translates and runs queries', () => {
    const script = `
      import { openQuern, QuernError, translate } from 'quern';
      console.log(translate('select 1 as one').columns);
      try { translate('select nope('); } catch (error) { console.log(error instanceof QuernError, error.code); }
      const quern = openQuern({ store: 'store' });
      const { columns, rows, truncated, cache } = await quern.run('one.sql', {}, { cache: 'none' });
      console.log(JSON.stringify({ columns, rows, truncated, cache }));
      await quern.close();
    `;
    writeFileSync(join(folder, 'one.sql'), "select 1 as one, 'x' as text");
    writeFileSync(join(folder, 'script.mjs'), script);
    expect(command(process.execPath, ['script.mjs'])).toEqual({
      stdout: `[ { name: 'one', type: { kind: 'INT64' } } ]
true syntax
{"columns":[{"name":"one","type":{"kind":"INT64"}},{"name":"text","type":{"kind":"STRING"}}],"rows":[[1,"x"]],"truncated":false,"cache":"off"}
`,
      status: 0,
    });
  });

  test('has types that compile in a strict project', () => {
    writeFileSync(
      join(folder, 'use.ts'),
      `import { openQuern, parse, type QuernResult, translate } from 'quern';
const sql: string = translate('select 1').sql;
const result: QuernResult = await openQuern().run('a', { b: 1 });
// @ts-expect-error the name of a query is text
openQuern().run(1);
export { parse, result, sql };
`,
    );
    const options = { strict: true, noEmit: true, module: 'nodenext', target: 'es2023', types: ['node'] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['use.ts'] }));
    writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
    expect(command(process.execPath, ['node_modules/typescript/bin/tsc', '-p', '.'])).toEqual({ stdout: '', status: 0 });
  });
});
