// What is remembered of described tables, between builds of quern.
import { expect, test } from 'vitest';
import { openPlaceSources, type PlaceOptions } from '../../src/sources/open.ts';
import { temporaryFolder } from '../cache/support.ts';

test('tables that another build of quern described are described again, and those of this one are not', async () => {
  const described: string[] = [];
  const options: Omit<PlaceOptions, 'build'> = {
    sections: { sources: { value: { hits: { table: 'web.hits' } } } },
    files: { onServer: false, ask: async () => [], place: { folder: '/', env: {}, permit: async () => undefined } },
    ask: async (sql) => {
      described.push(sql.replace('DESCRIBE TABLE ', ''));
      return [['n', 'Int64']];
    },
    closed: [],
    folder: temporaryFolder(),
    engine: 'embedded',
    ttlSeconds: 60,
    now: () => Date.UTC(2026, 0, 2),
  };
  const remembered: boolean[] = [];
  for (const build of ['one', 'one', 'two', 'one', 'two']) {
    const sources = await openPlaceSources({ ...options, build });
    await sources.resolve(['hits']);
    remembered.push(sources.wasRemembered);
  }
  expect([remembered, described.length]).toEqual([[false, true, false, true, true], 2]);
});
