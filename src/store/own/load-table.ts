// Loads files into a table of the user's own: all of them or nothing, what cannot be read kept out and told.
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { QuernError } from '../../base/errors.ts';
import { throwIfAborted } from '../../engine/cancellation.ts';
import type { StoredTable } from '../../sources/loaded/stored-table.ts';
import { findLogSource } from '../../sources/log/log-sources.ts';
import { tableNamed } from '../../sources/table-names.ts';
import { commitLoad, gather, recover } from '../journal.ts';
import { type LoadTarget, refuseRepeated, undone } from '../load.ts';
import { type LoadRecord, nextLoad, withTable } from '../manifest.ts';
import { tablePlace } from '../place.ts';
import { type EngineFile, openEngineFile } from './engine-file.ts';
import { fill, type LoadedFile, type TableLoadOptions } from './fill.ts';
import { checkTableName } from './shape.ts';

export interface TableLoadReport {
  readonly table: StoredTable;
  /** By which it is taken back; undefined where there was nothing to load. */
  readonly load: number | undefined;
  /** The load has made the table. */
  readonly made: boolean;
  readonly files: readonly LoadedFile[];
  readonly rows: number;
  readonly elapsedMs: number;
}

/** See Store.loadTable. */
export async function loadTable(
  target: LoadTarget,
  name: string,
  inputs: readonly (string | Readable)[],
  options: TableLoadOptions,
): Promise<TableLoadReport> {
  const startedAt = performance.now();
  if (findLogSource(name) === undefined) checkTableName(name);
  const folder = join(target.dir, 'tmp');
  const files: EngineFile[] = [];
  let current: string | undefined;
  try {
    const existing = options.replace === true ? undefined : tableNamed(target.manifest(), name);
    const schema = existing?.columns ?? options.schema ?? [];
    for (const input of inputs) {
      current = typeof input === 'string' ? input : '<stdin>';
      files.push(await openEngineFile(input, { ...options, schema, folder, engine: target.engine }));
    }
    const report = await loadFiles(target, name, files, folder, options);
    return { ...report, elapsedMs: performance.now() - startedAt };
  } catch (error) {
    throw await undone(error, target, current ?? name, options.signal);
  } finally {
    for (const file of files) file.release();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function loadFiles(
  target: LoadTarget,
  name: string,
  opened: readonly EngineFile[],
  folder: string,
  options: TableLoadOptions,
): Promise<Omit<TableLoadReport, 'elapsedMs'>> {
  const manifest = target.manifest();
  const existing = tableNamed(manifest, name);
  const replace = existing !== undefined && options.replace === true;
  const place = tablePlace(existing?.name ?? name);
  const contents = new Map(opened.map((file) => [file, file.contents(options.signal)]));
  for (const read of contents.values()) read.catch(() => undefined); // heard below
  const appended = existing === undefined || replace ? undefined : existing;
  if (appended !== undefined) checkAppend(appended, options);
  const load = nextLoad(manifest);
  const { shape, loaded } = await fill({ target, place, table: appended, contents, folder, options, load });
  options.onStep?.('filled');
  const sha256 = (await Promise.all(contents.values())).map((read) => read.sha256);
  for (const [i, { name: file }] of options.again === true ? [] : opened.entries()) {
    const hash = sha256[i] ?? '';
    const twin = opened[sha256.indexOf(hash)];
    if (twin !== opened[i])
      throw new QuernError('load', `${file} has the same content as ${twin?.name}`, {
        hint: 'nothing was loaded; use --again to load both',
      });
    if (!replace) refuseRepeated(manifest, place.table, { name: file, sha256: hash }, ', or --replace to recreate the table from it');
  }
  throwIfAborted(options.signal);

  const rows = loaded.reduce((sum, file) => sum + file.rows, 0);
  const made = existing === undefined;
  const before = appended?.rows ?? 0;
  const badLines = loaded.reduce((sum, file) => sum + file.badLines.count, 0);
  const isNothing = rows === 0 && !replace && (appended !== undefined || badLines > 0);
  if (isNothing || badLines > (options.mostBadLines ?? 0)) {
    await recover(target.dir, target.engine);
    const table = appended ?? { ...shape, uuid: '', rows: 0 };
    return { table, load: undefined, made: false, files: loaded.map((file) => ({ ...file, rows: 0 })), rows: 0 };
  }
  if (appended !== undefined) await gather(target.engine, place);
  const onStep = options.onStep ?? (() => undefined);
  onStep('gathered');
  const id = randomUUID();
  const loadedAt = new Date().toISOString();
  const records = loaded.map(
    (file, i): LoadRecord => ({
      id,
      number: load,
      source: place.table,
      ...(replace ? { replaced: true } : {}),
      file: file.name,
      format: file.format,
      sha256: sha256[i] ?? '',
      rows: file.rows,
      badLines: file.badLines.count,
      loadedAt,
    }),
  );
  const { name: shown, columns, orderBy, partitionBy } = shape;
  const facts = { name: shown, columns, orderBy, ...(partitionBy === undefined ? {} : { partitionBy }) };
  const tableFor = (uuid: string): StoredTable => ({ ...facts, uuid, rows: before + rows });
  await commitLoad(target, place, (uuid) => withTable(manifest, tableFor(uuid), records, replace), onStep);
  target.reread();
  return { table: tableFor(''), load, made, files: loaded, rows };
}

function checkAppend(table: StoredTable, { schema, orderBy, partitionBy }: TableLoadOptions): void {
  const hint = 'leave out the flag, or recreate the table with --replace';
  if (orderBy !== undefined || partitionBy !== undefined)
    throw new QuernError(
      'usage',
      `the table ${table.name} already exists, with its own ${orderBy === undefined ? 'partitions' : 'order'}`,
      { hint },
    );
  for (const { name, type } of schema ?? []) {
    const column = table.columns.find((each) => each.name.toLowerCase() === name.toLowerCase());
    if (column === undefined) throw new QuernError('usage', `the table ${table.name} already exists, and has no column ${name}`, { hint });
    if (JSON.stringify(column.type) !== JSON.stringify(type))
      throw new QuernError('usage', `the table ${table.name} already exists, and its column ${name} has another type`, { hint });
  }
}
