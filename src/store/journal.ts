// Makes a load all-or-nothing: a journal says what is under way, and recovery finishes or undoes it.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { STORE_DATABASE } from '../catalog/log-catalog.ts';
import { findLogSource, LOG_SOURCES, type LogSource } from '../catalog/log-sources.ts';
import type { EmbeddedEngine } from '../engine/embedded/embedded.ts';
import { QuernError } from '../errors.ts';
import { replaceFileSync } from '../files/replace-file.ts';
import { isManifest, type Manifest, manifestFile, readManifest } from './manifest.ts';
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
  await engine.command(dropStagingSql(source)); // there is one only if somebody has removed the journal that would have dropped it
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
  await engine.command(exchangeSql(source));
  onStep('exchanged');
  writeManifest(dir, manifest);
  onStep('manifest');
  await endLoad(dir, engine, source);
  onStep('dropped');
}

/**
 * Finishes a load that had reached its exchange of tables, undoes any other. True when it was finished. Throws QuernError `unreachable` when
 * the journal is damaged and the tables do not tell what was under way either.
 */
export async function recover(dir: string, engine: EmbeddedEngine): Promise<boolean> {
  const text = readJournal(dir);
  if (text === undefined) return false;
  const journal = parseJournal(text);
  if (journal === undefined) {
    await recoverByTables(dir, engine);
    return false;
  }
  const source = findLogSource(journal.source);
  if (source === undefined) return false;
  const committed = journal.phase === 'committing' && (await uuidOf(engine, source.name)) === journal.tableUuid;
  if (committed) writeManifest(dir, journal.manifest);
  await endLoad(dir, engine, source);
  return committed;
}

/**
 * The journal is lost, as a crash of the machine may leave it: undoes the load that was under way. The rows that the manifest knows are in
 * the source's table, or after an exchange that the manifest does not know of in the staging table.
 */
async function recoverByTables(dir: string, engine: EmbeddedEngine): Promise<void> {
  const { sources } = readManifest(dir);
  const commands: string[] = [];
  for (const source of LOG_SOURCES) {
    const known = sources[source.name]?.rows ?? 0;
    const staged = await rowsOf(engine, stagingTable(source));
    if (((await rowsOf(engine, source.name)) ?? 0) !== known) {
      if (staged !== known) throw damaged(dir, source);
      commands.push(exchangeSql(source));
    }
    if (staged !== undefined) commands.push(dropStagingSql(source));
  }
  for (const command of commands) await engine.command(command);
  rmSync(journalFile(dir), { force: true });
}

function damaged(dir: string, source: LogSource): QuernError {
  return new QuernError(
    'unreachable',
    `the journal of a load, ${journalFile(dir)}, is damaged, and ${source.name} does not hold what the manifest says`,
    {
      hint: `nothing was changed; load the files again into a new store, with --store: ${manifestFile(dir)} names them`,
    },
  );
}

async function endLoad(dir: string, engine: EmbeddedEngine, source: LogSource): Promise<void> {
  await engine.command(dropStagingSql(source));
  rmSync(journalFile(dir), { force: true });
}

function exchangeSql(source: LogSource): string {
  return `EXCHANGE TABLES ${qualified(source.name)} AND ${qualified(stagingTable(source))}`;
}

function dropStagingSql(source: LogSource): string {
  return `DROP TABLE IF EXISTS ${qualified(stagingTable(source))} SYNC`;
}

async function uuidOf(engine: EmbeddedEngine, table: string): Promise<string> {
  return String((await systemTable(engine, table, 'uuid'))[0]);
}

/** Undefined when there is no such table. */
async function rowsOf(engine: EmbeddedEngine, table: string): Promise<number | undefined> {
  const [rows] = await systemTable(engine, table, 'total_rows');
  return rows === undefined ? undefined : Number(rows);
}

async function systemTable(engine: EmbeddedEngine, table: string, column: string): Promise<readonly unknown[]> {
  const sql = `SELECT ${column} FROM system.tables WHERE database = '${STORE_DATABASE}' AND name = '${table}'`;
  return (await engine.rows(sql))[0] ?? [];
}

function writeJournal(dir: string, journal: Journal): void {
  replaceFileSync(journalFile(dir), JSON.stringify(journal));
}

/** Undefined when there is none. */
function readJournal(dir: string): string | undefined {
  try {
    return readFileSync(journalFile(dir), 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException; // readFileSync throws system errors only
    if (code === 'ENOENT') return undefined;
    throw new QuernError('unreachable', `the journal of a load, ${journalFile(dir)}, cannot be read (${code})`, {
      hint: 'check its permissions',
      cause,
    });
  }
}

/** Undefined for what no quern has written. */
export function parseJournal(text: string): Journal | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { phase, source, tableUuid, manifest } = Object(value) as Readonly<Record<string, unknown>>;
  if (typeof source !== 'string') return undefined;
  if (phase === 'loading') return { phase, source };
  const whole = phase === 'committing' && typeof tableUuid === 'string' && isManifest(manifest);
  return whole ? { phase, source, tableUuid, manifest } : undefined;
}
