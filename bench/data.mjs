// The folder of generated logs for the query benchmark: a store of quern's with the tables of every layout, made once and used again.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GENERATED } from './generated-logs.mjs';
import { createSql, DATABASE, insertStatements, LAYOUTS, projectFile, tableOf } from './layouts.mjs';
import { importSource, root } from './workspace.mjs';

/** Where the data of so many rows are. */
export const dataFolder = (rows) => join(root, 'node_modules/.quern-bench-data', String(rows));

/**
 * Fills what is missing in `folder` for `layouts` (names) with `rows` edge requests and half as many function calls, or with those of `sources` alone.
 * Gives the store's folder, and for each layout the folder whose quern.yaml shows it.
 */
export async function prepareData({ folder, rows, layouts, sources = GENERATED, scratch, say }) {
  const store = join(folder, 'store');
  const madeFile = join(folder, 'made.json');
  const tables = new Map();
  for (const name of layouts) {
    for (const source of sources) {
      const layout = LAYOUTS[name];
      const sourceRows = Math.round(rows * source.share);
      const inserts = insertStatements(layout, source, sourceRows);
      tables.set(tableOf(layout, source.name), {
        create: layout.table === undefined ? undefined : createSql(layout, source),
        inserts,
        rows: sourceRows,
      });
    }
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, 'quern.yaml'), projectFile(LAYOUTS[name], GENERATED));
  }
  const fingerprint = ({ create, inserts }) =>
    createHash('sha256')
      .update(`${create}${inserts.join('')}`)
      .digest('hex')
      .slice(0, 16);
  const made = existsSync(madeFile) ? JSON.parse(readFileSync(madeFile, 'utf8')) : {};
  const missing = [...tables].filter(([table, statements]) => made[table] !== fingerprint(statements));
  if (missing.length > 0) {
    const { openStore } = (await importSource('store/store.ts', scratch)).module;
    const { engine, close } = await openStore({ dir: store });
    await engine.command(`CREATE DATABASE IF NOT EXISTS ${DATABASE}`);
    for (const [table, statements] of missing) {
      say(`generating ${statements.rows} rows of ${table}`);
      if (statements.create === undefined) await engine.command(`TRUNCATE TABLE ${table}`);
      else {
        await engine.command(`DROP TABLE IF EXISTS ${table} SYNC`);
        await engine.command(statements.create);
      }
      for (const insert of statements.inserts) await engine.command(insert);
      // One part in each partition, as after the merges of a day: what a query reads no longer depends on when it is asked.
      await engine.command(`OPTIMIZE TABLE ${table} FINAL`);
      made[table] = fingerprint(statements);
      writeFileSync(madeFile, JSON.stringify(made, null, 2));
    }
    await close();
  }
  return { store, project: (layout) => join(folder, layout) };
}
