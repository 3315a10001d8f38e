// The types that are proposed for parameters without a declaration, by `quern run` and by `quern lint`.
import { afterAll, expect, test } from 'vitest';
import { cliHome } from '../support/run-cli.ts';

const home = cliHome();
afterAll(home.remove);

test.each([
  ['select id from edge_logs where timestamp > @t and 10 / @x > 1 limit @n', { t: 'timestamp', x: 'integer', n: 'integer' }],
  ['select id from edge_logs where project = @p and @flag', { p: 'string', flag: 'boolean' }],
  ['select @a / @b as v', { a: 'integer', b: 'integer' }],
  ['select id from edge_logs where date(timestamp) = @day and @f * 2.5 > 1', { day: 'date', f: 'float' }],
  ['select x from unnest([1.5]) as x where x > @least', { least: 'float' }],
  ['select timestamp_add(@t, interval @n day) as v', { t: 'timestamp', n: 'integer' }],
  ['select x from unnest([datetime "2026-01-02 03:04:05"]) as x where x > @since', { since: 'datetime' }],
  ['select time_diff(@until, time "01:02:03", second) as v', { until: 'time' }],
  ['select to_hex(@raw) as v, sha256(@raw) as h', { raw: 'bytes' }],
  ['select json_value(@doc, "$.a") as v, @doc.b as b', { doc: 'json' }],
  ['select date "2026-01-02" + @step as v', { step: 'integer' }],
  ['select extract(month from @step) + extract(minute from @step) as v', { step: 'timestamp' }],
  ['select no_such_column, @x + 1 as v from edge_logs', { x: 'string' }],
])('%s', async (sql, types) => {
  home.write('q.sql', sql);
  const { stderr, exitCode } = await home.run(['run', 'q.sql']);
  const proposed = [...stderr.matchAll(/^ {7}(\w+): \{ type: (\w+) \}$/gm)].map(([, name, type]) => [name, type]);
  expect([Object.fromEntries(proposed), exitCode]).toEqual([types, 2]);
  const linted = await home.run(['lint', 'q.sql']);
  for (const [name, type] of Object.entries(types)) expect(linted.stdout).toContain(`e.g. ${name}: { type: ${type} })`);
});
