// A query without rows says on a terminal why there are none, as far as the store tells.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cliHome } from '../support/run-cli.ts';

const home = cliHome();
const event = (project: string, second: number) =>
  JSON.stringify({
    timestamp: `2026-01-15T11:59:${second}.500000Z`,
    event_message: 'GET',
    project,
    metadata: [{ project_ref: project, request: [{ method: 'GET', path: '/rest/v1/x' }] }],
  });
beforeAll(async () => {
  home.write('e.ndjson', `${[event('shop', 10), event('shop', 20), event('demo', 30)].join('\n')}\n`);
  await home.run(['load', 'edge_logs', 'e.ndjson']);
  home.write(
    'some.sql',
    '/*---\nid: 4c01dc9a-90f3-4c81-99e0-1e85e62aac10\nparams:\n  project: { type: string, required: true }\n---*/\nselect id from edge_logs where project = @project and starts_with(event_message, "PUT")',
  );
});
afterAll(() => home.remove());

const note = async (...argv: string[]) => (await home.run(['run', ...argv], { terminal: 80 })).stderr.split('\n')[0];
const LOGS = ['logs.all', '--project'];

test.each([
  ['a project that there is not', [...LOGS, 'other'], 'note: edge_logs has no rows for the project "other"; there are rows for shop, demo'],
  ['a project misspelt', [...LOGS, 'shopp'], 'note: edge_logs has no rows for the project "shopp": did you mean shop?'],
  [
    'rows older than the retention',
    [...LOGS, 'demo', '--project-tier', 'FREE', '--as-of', '2026-02-01T00:00:00Z'],
    'note: the rows of edge_logs for the project demo end at 2026-01-15T11:59:31Z; to query that time, add --as-of 2026-01-15T11:59:31Z',
  ],
  [
    'a time before all rows',
    [...LOGS, 'demo', '--as-of', '2026-01-01T00:00:00Z', '--iso-timestamp-end', '2026-01-01T00:00:00Z'],
    'note: the rows of edge_logs for the project demo begin at 2026-01-15T11:59:31Z, after the period of the query',
  ],
  ['filters that no row passes', ['some.sql', '--project', 'demo'], '0 rows in'],
  ['an empty source', ['functions.invocation-stats', '--project', 'demo'], 'note: function_edge_logs is empty in the store'],
])('%s', async (_, argv, expected) => {
  expect(await note(...argv)).toMatch(new RegExp(`^${expected.replace(/[.*+?^$|()[\]]/g, '\\$&')}`));
});

test('what is advised gives rows', async () => {
  const { stdout } = await home.run(['run', ...LOGS, 'demo', '--as-of', '2026-01-15T11:59:31Z', '--format', 'ndjson']);
  expect(stdout.split('\n')).toHaveLength(2);
});

test('nothing is asked where nobody watches', async () => {
  expect((await home.run(['run', ...LOGS, 'other'])).stderr).toBe('');
});
