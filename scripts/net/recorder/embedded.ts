// Stands in for the embedded engine where the net collects the texts of test files: tables are made and described, no query runs, and no rows are written.
import { type EmbeddedEngine, openEmbedded as open } from '../../../src/engine/embedded/embedded.ts';

const NO_ROWS = { columns: [], rows: [], statistics: { elapsedMs: 0, rowsRead: 0, bytesRead: 0 } };

export type { EmbeddedEngine };

export async function openEmbedded(options: Parameters<typeof open>[0]): Promise<EmbeddedEngine> {
  let opened: Promise<EmbeddedEngine> | undefined;
  const engine = (): Promise<EmbeddedEngine> => {
    opened ??= open(options);
    return opened;
  };
  return {
    execute: async () => NO_ROWS,
    async *stream() {},
    async *trustedStream() {},
    async command(sql) {
      if (!/^\s*INSERT\b/i.test(sql)) await (await engine()).command(sql);
    },
    rows: async (sql) => (/^\s*DESCRIBE\b/i.test(sql) ? (await engine()).rows(sql) : []),
    close: async () => (await opened)?.close(),
  };
}
