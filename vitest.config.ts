// How the tests run: one file more at once than there are processors, since a file waits now and then, each process one file after the other, so that
// what a file needs is loaded once. In one process the embedded engine works in one data directory at a time: a file closes the engines that it opens. Vitest begins
// with the files that failed or took longest when they last ran, which it writes into node_modules/.vite. `npm test` runs the fast ones.
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { slowTests } from './test/support/slow-tests.ts';

const slow = [...slowTests()];

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: 'fast', include: ['test/**/*.test.ts'], exclude: slow } },
      { extends: true, test: { name: 'slow', include: slow } },
    ],
    pool: 'forks',
    isolate: false,
    maxWorkers: availableParallelism() + 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What esbuild made of each file is found again: a run of few files costs half.
    experimental: { fsModuleCache: true },
    // However busy the machine is: what is waited for has come long before, or never comes.
    expect: { poll: { timeout: 30_000 } },
    coverage: { provider: 'v8', include: ['src/**/*.ts'], exclude: ['src/server/console/**'] },
  },
});
