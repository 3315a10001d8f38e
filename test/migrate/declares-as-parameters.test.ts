// quern import --declare-as-parameters: variables that callers may set.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { declaresAsParameters } from '../../src/migrate/declares-as-parameters.ts';
import { cliHome } from '../support/run-cli.ts';

const home = cliHome();
afterAll(() => home.remove());

test.each([
  ['declare a int64 default 5; select a', 'declare a int64 default IFNULL(@a, 5); select a', ['a integer']],
  ['declare d date; set d = current_date(); select d', 'declare d date; set d = IFNULL(@d, current_date()); select d', ['d date']],
  [
    'declare a string default "x"; declare b float64 default 1; select a, b',
    'declare a string default IFNULL(@a, "x"); declare b float64 default IFNULL(@b, 1); select a, b',
    ['a string', 'b float'],
  ],
])('%s', (sql, changed, parameters) => {
  const made = declaresAsParameters(sql);
  expect([made.sql, made.parameters.map(({ name, type }) => `${name} ${type}`)]).toEqual([changed, parameters]);
});

test.each([
  ['of a type that no parameter has', 'declare a numeric default 5; select a'],
  ['of no type', 'declare a default 5; select a'],
  ['of which nothing is known', 'declare a int64; select a'],
  ['that change', 'declare a int64 default 1; set a = a + 1; select a'],
  ['several at once', 'declare a, b int64 default 1; select a'],
  ['that are set together', 'declare a int64; declare b int64; set (a, b) = (1, 2); select a'],
])('variables %s stay', (_, sql) => {
  expect(declaresAsParameters(sql)).toEqual({ sql, parameters: [] });
});

test('an imported query gives the same rows, and others for who sets a parameter', async () => {
  home.write('old/report.sql', 'declare least int64 default 2;\nselect x from unnest([1, 2, 3]) as x where x >= least order by x');
  const imported = await home.run(['import', 'dir', 'old', '--out', 'queries', '--declare-as-parameters']);
  expect([imported.exitCode, imported.stdout]).toEqual([0, expect.stringContaining('its variables are now parameters')]);
  expect(readFileSync(join(home.folder, 'queries/report.sql'), 'utf8')).toContain(
    'params:\n  least: { type: integer }\n---*/\ndeclare least int64 default IFNULL(@least, 2);',
  );
  const folder = ['--queries', join(home.folder, 'queries'), '--format', 'csv'];
  expect((await home.run(['run', 'report', ...folder])).stdout).toBe('x\n2\n3\n');
  expect((await home.run(['run', 'report', '--least', '3', ...folder])).stdout).toBe('x\n3\n');
});
