// Makes a load all-or-nothing: a journal says what is under way, and recovery finishes or undoes it.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { EmbeddedEngine } from '../engine/embedded/embedded.ts';
import { replaceFileSync } from '../replace-file.ts';
import { STORE_DATABASE } from '../sources/log-catalog.ts';
import { findLogSource, type LogSource } from '../sources/log-sources.ts';
import { type Manifest, manifestFile } from './manifest.ts';
import { createTableSql, qualified, stagingTable } from './tables.ts';

/**
 * `loading`: the staging table is being filled and is worth nothing yet. `committing`: the staging table holds everything, old rows too, and
 * is about to change places with the source's table: the load counts once the table of that name has this UUID.
 */
type Journal =
  | { readonly phase: 'loading'; readonly source: string }
  | { readonly phase: 'committing'; readonly source: string; readonly tableUuid: string; readonly manifest: Manifest };

/** Called after each step of a load, in this order. */
type CommitStep = 'journal' | 'staging' | 'filled' | 'gathered' | 'committing' | 'exchanged' | 'manifest' | 'dropped';

export type OnStep = (step: CommitStep) => void;

function journalFile(dir: string): string {
  return join(dir, 'journal.json');
}

export function writeManifest(dir: string, manifest: Manifest): void {
  replaceFileSync(manifestFile(dir), `${JSON.stringify(manifest, undefined, 1)}\n`);
}

/** Writes the journal and makes an empty staging table. */
export async function beginLoad(dir: string, engine: EmbeddedEngine, source: LogSource, onStep: OnStep): Promise<void> {
  writeJournal(dir, { phase: 'loading', source: source.name });
  onStep('journal');
  await engine.command(createTableSql(source, stagingTable(source)));
  onStep('staging');
}

/** Makes the staged rows visible together with `manifest`. The exchange of the two tables is the one moment at which the load happens. */
export async function commitLoad(
  dir: string,
  engine: EmbeddedEngine,
  source: LogSource,
  manifest: Manifest,
  onStep: OnStep,
): Promise<void> {
  const [table, staging] = [qualified(source.name), qualified(stagingTable(source))];
  // Parts of the old table are linked, not copied.
  await engine.command(`ALTER TABLE ${staging} ATTACH PARTITION ALL FROM ${table}`);
  onStep('gathered');
  const tableUuid = await uuidOf(engine, stagingTable(source));
  writeJournal(dir, { phase: 'committing', source: source.name, tableUuid, manifest });
  onStep('committing');
  await engine.command(`EXCHANGE TABLES ${table} AND ${staging}`);
  onStep('exchanged');
  writeManifest(dir, manifest);
  onStep('manifest');
  await endLoad(dir, engine, source);
  onStep('dropped');
}

/** Finishes a load that had reached its exchange of tables, undoes any other. True when it was finished. */
export async function recover(dir: string, engine: EmbeddedEngine): Promise<boolean> {
  const journal = readJournal(dir);
  const source = journal === undefined ? undefined : findLogSource(journal.source);
  if (journal === undefined || source === undefined) return false;
  const committed = journal.phase === 'committing' && (await uuidOf(engine, source.name)) === journal.tableUuid;
  if (committed) writeManifest(dir, journal.manifest);
  await endLoad(dir, engine, source);
  return committed;
}

async function endLoad(dir: string, engine: EmbeddedEngine, source: LogSource): Promise<void> {
  await engine.command(`DROP TABLE IF EXISTS ${qualified(stagingTable(source))} SYNC`);
  rmSync(journalFile(dir), { force: true });
}

async function uuidOf(engine: EmbeddedEngine, table: string): Promise<string> {
  const rows = await engine.rows(`SELECT uuid FROM system.tables WHERE database = '${STORE_DATABASE}' AND name = '${table}'`);
  return String(rows[0]?.[0]);
}

function writeJournal(dir: string, journal: Journal): void {
  replaceFileSync(journalFile(dir), JSON.stringify(journal));
}

function readJournal(dir: string): Journal | undefined {
  // Written atomically and by quern only, so its shape needs no check.
  return existsSync(journalFile(dir)) ? (JSON.parse(readFileSync(journalFile(dir), 'utf8')) as Journal) : undefined;
}
