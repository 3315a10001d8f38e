// Tests that open an embedded engine run in forked processes: the engine binds one data directory per process.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['test/**/*.test.ts'], pool: 'forks', testTimeout: 60_000, hookTimeout: 60_000 },
});
