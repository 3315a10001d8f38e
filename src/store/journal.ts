// Makes a load all-or-nothing: a journal says what is under way, and recovery finishes or undoes it.

import { readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { QuernError } from '../base/errors.ts';
import { jsonIn } from '../base/json.ts';
import { quoteString } from '../clickhouse/quote.ts';
import type { EmbeddedEngine } from '../engine/embedded/embedded.ts';
import { isDiskFull, replaceFileSync } from '../files/replace-file.ts';
import { LOG_SOURCES } from '../sources/log/log-sources.ts';
import { TABLES_DATABASE } from '../sources/table-names.ts';
import { isManifest, type Manifest, manifestFile, readManifest, withoutTable } from './manifest.ts';
import { logPlace, type Place, placeNamed, stagingOf, tableOf, tablePlace } from './place.ts';

/**
 * `loading`: the staging table is being filled and is worth nothing yet. `committing`: the staging table holds everything, old rows too, and
 * is about to take the place of the table: the load counts once the table of that name has this UUID. `dropping`: the table goes.
 */
type Journal = Named &
  (
    | { readonly phase: 'loading' }
    | { readonly phase: 'committing'; readonly tableUuid: string; readonly manifest: Manifest }
    | { readonly phase: 'dropping'; readonly manifest: Manifest }
  );

interface Named {
  /** A log source, or with `own` a table of the user's. */
  readonly source: string;
  readonly own?: true;
}

/** Called after each step of a load, in this order. */
type CommitStep = 'journal' | 'staging' | 'filled' | 'gathered' | 'committing' | 'exchanged' | 'manifest' | 'dropped';

export type OnStep = (step: CommitStep) => void;

/** The store as whoever changes it needs it. */
interface Stored {
  readonly dir: string;
  readonly engine: EmbeddedEngine;
}

function journalFile(dir: string): string {
  return join(dir, 'journal.json');
}

export function writeManifest(dir: string, manifest: Manifest): void {
  replaceFileSync(manifestFile(dir), `${JSON.stringify(manifest, undefined, 1)}\n`);
}

const named = ({ table, logs }: Place): Named => ({ source: table, ...(logs ? {} : { own: true }) });

/** Writes the journal and makes an empty staging table by `create`. */
export async function beginLoad({ dir, engine }: Stored, place: Place, create: string, onStep: OnStep): Promise<void> {
  writeJournal(dir, { phase: 'loading', ...named(place) });
  onStep('journal');
  // There is one only if somebody has removed the journal that would have dropped it.
  await engine.command(`${dropStagingSql(place)}; ${create}`);
  onStep('staging');
}

/** The rows of the table beside those that are staged: their parts are linked, not copied. */
export async function gather(engine: EmbeddedEngine, place: Place): Promise<void> {
  await engine.command(`ALTER TABLE ${stagingOf(place)} ATTACH PARTITION ALL FROM ${tableOf(place)}`);
}

/**
 * Makes what is staged the table, together with the manifest, which may name the table's UUID. The exchange of the two tables is the one moment
 * at which the load happens.
 */
export async function commitLoad(
  { dir, engine }: Stored,
  place: Place,
  manifestOf: (uuid: string) => Manifest,
  onStep: OnStep,
): Promise<void> {
  const uuids = await uuidsOf(engine, place);
  const tableUuid = uuids.get(place.staging) ?? '';
  const manifest = manifestOf(tableUuid);
  writeJournal(dir, { phase: 'committing', ...named(place), tableUuid, manifest });
  onStep('committing');
  await engine.command(exchangeSql(place, uuids));
  onStep('exchanged');
  writeManifest(dir, manifest);
  onStep('manifest');
  await endLoad(dir, engine, place);
  onStep('dropped');
}

/** Takes a table away: once the journal says so, it goes. That works on a full disk, too, since there it is what makes room. */
export async function commitDrop(
  { dir, engine }: Stored,
  place: Place,
  { manifest, uuid }: { readonly manifest: Manifest; readonly uuid: string },
  onStep: OnStep,
): Promise<void> {
  try {
    writeJournal(dir, { phase: 'dropping', ...named(place), manifest });
  } catch (cause) {
    if (!isDiskFull(cause)) throw cause;
    linkJournal(dir, uuid);
    onStep('committing');
    await finishWithoutRoom(dir, engine, uuid);
    return;
  }
  onStep('committing');
  await finishDrop(dir, engine, place, manifest, onStep);
}

/** A link that says which table goes: it needs no room on the disk, as a file does. */
function linkJournal(dir: string, uuid: string): void {
  rmSync(journalFile(dir), { force: true });
  symlinkSync(`${DROPPING} ${uuid}`, journalFile(dir));
}

const DROPPING = 'dropping';

/** The UUID of the table that a link in the journal's place says. */
function linkedDrop(dir: string): string | undefined {
  try {
    const [phase, uuid] = readlinkSync(journalFile(dir)).split(' ');
    return phase === DROPPING ? uuid : undefined;
  } catch {
    return undefined; // none, or a file
  }
}

/** The table first, so that there is room for the manifest without it. */
async function finishWithoutRoom(dir: string, engine: EmbeddedEngine, uuid: string): Promise<void> {
  const manifest = readManifest(dir);
  const table = Object.values(manifest.tables).find((known) => known.uuid === uuid);
  if (table !== undefined) {
    await engine.command(`DROP TABLE IF EXISTS ${tableOf(tablePlace(table.name))} SYNC`);
    writeManifest(dir, withoutTable(manifest, table.name));
  }
  rmSync(journalFile(dir), { force: true });
}

async function finishDrop(dir: string, engine: EmbeddedEngine, place: Place, manifest: Manifest, onStep: OnStep): Promise<void> {
  writeManifest(dir, manifest);
  onStep('manifest');
  await engine.command(`DROP TABLE IF EXISTS ${tableOf(place)} SYNC`);
  onStep('exchanged');
  await endLoad(dir, engine, place);
  onStep('dropped');
}

/**
 * Finishes a load that had reached its exchange of tables, undoes any other. True when it was finished. Throws QuernError `unreachable` when
 * the journal is damaged and the tables do not tell what was under way either.
 */
export async function recover(dir: string, engine: EmbeddedEngine): Promise<boolean> {
  const dropping = linkedDrop(dir);
  if (dropping !== undefined) {
    await finishWithoutRoom(dir, engine, dropping);
    return true;
  }
  const text = readJournal(dir);
  if (text === undefined) return false;
  const journal = parseJournal(text);
  if (journal === undefined) {
    await recoverByTables(dir, engine);
    return false;
  }
  const place = placeNamed(journal.source, journal.own !== true);
  if (place === undefined) return false;
  if (journal.phase === 'dropping') {
    await finishDrop(dir, engine, place, journal.manifest, () => undefined);
    return true;
  }
  const committed = journal.phase === 'committing' && (await uuidsOf(engine, place)).get(place.table) === journal.tableUuid;
  if (committed) writeManifest(dir, journal.manifest);
  await endLoad(dir, engine, place);
  return committed;
}

/**
 * The journal is lost, as a crash of the machine may leave it: undoes what was under way. The rows that the manifest knows are in the table, or
 * after an exchange that the manifest does not know of in the staging table.
 */
async function recoverByTables(dir: string, engine: EmbeddedEngine): Promise<void> {
  const { sources, tables } = readManifest(dir);
  const commands: string[] = [];
  for (const source of LOG_SOURCES) {
    const place = logPlace(source);
    const known = sources[source.name]?.rows ?? 0;
    const staged = await rowsOf(engine, place, place.staging);
    if (((await rowsOf(engine, place, place.table)) ?? 0) !== known) {
      if (staged !== known) throw damaged(dir, place);
      commands.push(exchangeSql(place, await uuidsOf(engine, place)));
    }
    if (staged !== undefined) commands.push(dropStagingSql(place));
  }
  const found = await engine.rows(`SELECT name, toString(uuid) FROM system.tables WHERE database = ${quoteString(TABLES_DATABASE)}`);
  const uuids = new Map(found.map(([name, uuid]) => [String(name), String(uuid)]));
  for (const { name, uuid } of Object.values(tables)) {
    const place = tablePlace(name);
    if (uuids.get(name) !== uuid) {
      if (uuids.get(place.staging) !== uuid) throw damaged(dir, place);
      commands.push(exchangeSql(place, await uuidsOf(engine, place)));
    }
    uuids.delete(name);
  }
  for (const name of uuids.keys()) commands.push(`DROP TABLE IF EXISTS ${tableOf(tablePlace(name))} SYNC`);
  for (const command of commands) await engine.command(command);
  rmSync(journalFile(dir), { force: true });
}

function damaged(dir: string, { table }: Place): QuernError {
  return new QuernError('unreachable', `the load journal ${journalFile(dir)} is damaged, and ${table} does not match the manifest`, {
    hint: `nothing was changed; load the files listed in ${manifestFile(dir)} again, into a new store, with --store`,
  });
}

async function endLoad(dir: string, engine: EmbeddedEngine, place: Place): Promise<void> {
  await engine.command(dropStagingSql(place));
  rmSync(journalFile(dir), { force: true });
}

/** A table that is not there yet has nothing to exchange. */
function exchangeSql(place: Place, uuids: ReadonlyMap<string, string>): string {
  return uuids.has(place.table)
    ? `EXCHANGE TABLES ${tableOf(place)} AND ${stagingOf(place)}`
    : `RENAME TABLE ${stagingOf(place)} TO ${tableOf(place)}`;
}

function dropStagingSql(place: Place): string {
  return `DROP TABLE IF EXISTS ${stagingOf(place)} SYNC`;
}

/** Of the table and of its staging table, by the names of those that there are. */
async function uuidsOf(engine: EmbeddedEngine, { database, table, staging }: Place): Promise<ReadonlyMap<string, string>> {
  const names = [table, staging].map(quoteString).join(', ');
  const sql = `SELECT name, toString(uuid) FROM system.tables WHERE database = ${quoteString(database)} AND name IN (${names})`;
  return new Map((await engine.rows(sql)).map(([name, uuid]) => [String(name), String(uuid)]));
}

/** Undefined when there is no such table. */
export async function rowsOf(engine: EmbeddedEngine, place: Place, table: string): Promise<number | undefined> {
  const sql = `SELECT total_rows FROM system.tables WHERE database = ${quoteString(place.database)} AND name = ${quoteString(table)}`;
  const [[rows] = []] = await engine.rows(sql);
  return rows === undefined ? undefined : Number(rows);
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
    throw new QuernError('unreachable', `the load journal ${journalFile(dir)} cannot be read (${code})`, {
      hint: 'check its permissions',
      cause,
    });
  }
}

/** Undefined for what no quern has written. */
export function parseJournal(text: string): Journal | undefined {
  const value = jsonIn(text);
  const { phase, source, own, tableUuid, manifest } = Object(value) as Readonly<Record<string, unknown>>;
  if (typeof source !== 'string') return undefined;
  const name: Named = { source, ...(own === true ? { own } : {}) };
  if (phase === 'loading') return { phase, ...name };
  if (!isManifest(manifest)) return undefined;
  if (phase === 'dropping') return { phase, ...name, manifest };
  return phase === 'committing' && typeof tableUuid === 'string' ? { phase, ...name, tableUuid, manifest } : undefined;
}
