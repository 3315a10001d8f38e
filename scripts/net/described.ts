// The columns of tables as an engine describes them, by the statement that makes the table: no rows are written.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbedded } from '../../src/engine/embedded/embedded.ts';

type Described = readonly (readonly unknown[])[];

const known = new Map<string, Described>();

/** The rows of DESCRIBE TABLE for `CREATE TABLE database.name …` statements. An engine is open only where one of them is new. */
export async function describeTables(statements: readonly string[]): Promise<readonly Described[]> {
  const fresh = statements.filter((statement) => !known.has(statement));
  if (fresh.length > 0) {
    const folder = mkdtempSync(join(tmpdir(), 'quern-net-'));
    const engine = await openEmbedded({ path: join(folder, 'data') });
    try {
      for (const statement of fresh) {
        const [, table = '', database = ''] = /^CREATE TABLE ((\w+)\.\w+) /.exec(statement) ?? [];
        await engine.command(`CREATE DATABASE IF NOT EXISTS ${database}`);
        await engine.command(statement);
        known.set(statement, await engine.rows(`DESCRIBE TABLE ${table}`));
        await engine.command(`DROP TABLE ${table} SYNC`);
      }
    } finally {
      await engine.close();
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return statements.map((statement) => known.get(statement) ?? []);
}
