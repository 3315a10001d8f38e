// How the tests run: as many files at once as there are processors, each process one file after the other, so that what a file needs is
// loaded once. In one process the embedded engine works in one data directory at a time: a file closes the engines that it opens.
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    isolate: false,
    maxWorkers: '100%',
    sequence: { sequencer: LongestFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    coverage: { provider: 'v8', include: ['src/**/*.ts'], exclude: ['src/server/console/**'] },
  },
});
