// What is remembered of described tables, between builds of quern.
import { expect, test } from 'vitest';
import { type DescribedSourcesOptions, describedSources } from '../../src/connection/described-sources.ts';
import { temporaryFolder } from '../cache/support.ts';

test('tables that another build of quern described are described again, and those of this one are not', async () => {
  const described: string[] = [];
  const options: Omit<DescribedSourcesOptions, 'build'> = {
    sections: { sources: { value: { hits: { table: 'web.hits' } } } },
    known: { names: [], find: () => undefined },
    describe: async (table) => {
      described.push(table);
      return [{ name: 'n', type: 'Int64' }];
    },
    files: { onServer: false, ask: async () => [], place: { folder: '/', env: {}, permit: async () => undefined } },
    ask: async () => [],
    closed: [],
    folder: temporaryFolder(),
    engine: 'embedded',
    ttlSeconds: 60,
    now: () => Date.UTC(2026, 0, 2),
  };
  const remembered: boolean[] = [];
  for (const build of ['one', 'one', 'two', 'one', 'two']) {
    const sources = await describedSources({ ...options, build });
    await sources.lookUp('hits');
    remembered.push(sources.remembered);
  }
  expect([remembered, described.length]).toEqual([[false, true, false, true, true], 2]);
});
