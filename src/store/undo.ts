// Takes a load back, and removes tables: the rows of a load carry its number.
import { didYouMean, QuernError } from '../base/errors.ts';
import { tableNamed } from '../sources/table-names.ts';
import { beginLoad, commitDrop, commitLoad, gather, type OnStep, recover } from './journal.ts';
import { explainFull, type LoadTarget } from './load.ts';
import { type LoadRecord, type Manifest, type StoredSource, withoutTable } from './manifest.ts';
import { type Place, placeNamed, stagingOf, tableOf, tablePlace } from './place.ts';
import { LOAD_COLUMN } from './tables.ts';
import { toIso } from './timestamp.ts';

export interface Undone {
  readonly source: string;
  readonly rows: number;
  /** The load was the only one of a table, which has gone with it. */
  readonly dropped: boolean;
}

export interface Dropped {
  readonly table: string;
  readonly rows: number;
}

/** An undo writes what stays of a table beside it. */
const UNCHANGED = 'nothing has changed; free some space, or remove a whole table with `quern drop`, which needs none';

const NOTHING: OnStep = () => undefined;

export async function undoLoad(target: LoadTarget, number: number, onStep = NOTHING): Promise<Undone> {
  const manifest = target.manifest();
  const records = manifest.loads.filter((load) => load.number === number);
  const [first] = records;
  if (first === undefined) throw noSuchLoad(manifest, number);
  const rows = records.reduce((sum, record) => sum + record.rows, 0);
  const others = manifest.loads.filter((load) => load.number !== number);
  const { source } = first;
  const table = tableNamed(manifest, source);
  const logs = table === undefined;
  if (!logs && !others.some((load) => load.source === source)) {
    await dropTable(target, source, onStep);
    return { source, rows, dropped: true };
  }
  const place = placeNamed(source, logs);
  if (place === undefined)
    throw new QuernError('load', `load ${number} belongs to ${source}, which this version of quern does not know`, {});
  const next = { ...manifest, generation: manifest.generation + 1, loads: others };
  await changing(target, async () => {
    await beginLoad(target, place, `CREATE TABLE ${stagingOf(place)} AS ${tableOf(place)}`, onStep);
    await gather(target.engine, place);
    // Parts without such a row are linked, and only the others are written anew.
    await target.engine.command(`ALTER TABLE ${stagingOf(place)} DELETE WHERE ${LOAD_COLUMN} = ${number} SETTINGS mutations_sync = 2`);
    onStep('gathered');
    const held = logs ? await sourcesWithout(target, place, manifest, others) : undefined;
    const after = (uuid: string): Manifest =>
      table === undefined
        ? { ...next, sources: held ?? next.sources }
        : { ...next, tables: { ...next.tables, [source.toLowerCase()]: { ...table, uuid, rows: table.rows - rows } } };
    await commitLoad(target, place, after, onStep);
  });
  return { source, rows, dropped: false };
}

export async function dropTable(target: LoadTarget, name: string, onStep = NOTHING): Promise<Dropped> {
  const manifest = target.manifest();
  const table = tableNamed(manifest, name);
  if (table === undefined) throw noSuchTable(manifest, name);
  await changing(target, () =>
    commitDrop(target, tablePlace(table.name), { manifest: withoutTable(manifest, table.name), uuid: table.uuid }, (step) => {
      // Who finds the table gone from now on finds it gone from the manifest, too.
      if (step === 'manifest') target.reread();
      onStep(step);
    }),
  );
  return { table: table.name, rows: table.rows };
}

/** What fails is undone, or finished if it had gone that far. */
async function changing(target: LoadTarget, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const finished = await recover(target.dir, target.engine).catch(() => false);
    if (!finished) throw explainFull(error, target.dir, UNCHANGED);
  } finally {
    target.reread();
  }
}

/** The sources of the manifest when `place` holds what is staged, of the loads `others`. */
async function sourcesWithout(
  { engine }: LoadTarget,
  place: Place,
  { sources }: Manifest,
  others: readonly LoadRecord[],
): Promise<Manifest['sources']> {
  const { [place.table]: before, ...rest } = sources;
  const sql = `SELECT count(), toString(min(timestamp)), toString(max(timestamp)) FROM ${stagingOf(place)}`;
  const [count, first, last] = (await engine.rows(sql))[0] ?? [];
  if (before === undefined || Number(count) === 0) return rest;
  const facts = others.flatMap((load) => (load.source === place.table ? [load.facts] : []));
  const every = facts.flatMap((fact) => fact ?? []);
  // What older versions have not written down is taken as it was.
  const known = every.length === facts.length;
  const source: StoredSource = {
    rows: Number(count),
    severalElements: known ? every.some((fact) => fact.severalElements) : before.severalElements,
    referenceEverywhere: known ? every.every((fact) => fact.referenceEverywhere === true) : before.referenceEverywhere === true,
    firstTimestamp: toIso(String(first)),
    lastTimestamp: toIso(String(last)),
  };
  return { ...rest, [place.table]: source };
}

function noSuchLoad({ loads }: Manifest, number: number): QuernError {
  const numbers = loads.flatMap((load) => load.number ?? []);
  const older =
    numbers.length === 0 ? 'an older quern made the loads of this store, and they cannot be undone' : 'list them with `quern loads`';
  const hint = loads.length === 0 ? 'nothing has been loaded into this store: fill it with `quern load`' : older;
  return new QuernError('usage', `there is no load ${number}`, { hint });
}

function noSuchTable({ tables, sources }: Manifest, name: string): QuernError {
  const names = Object.values(tables).map((table) => table.name);
  if (sources[name] !== undefined) {
    return new QuernError('unknown-source', `${name} is a log source, which cannot be removed`, {
      hint: 'undo its loads with `quern loads undo`',
    });
  }
  const known = names.length === 0 ? 'this store has no tables' : `its tables are ${names.join(', ')}`;
  return new QuernError('unknown-source', `there is no table ${name} in the store`, {
    hint: didYouMean(name, names) ?? known,
  });
}
