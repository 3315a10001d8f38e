// Gathers rows into blocks, each a file for the engine to insert into the staging table while the next block is being read.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EmbeddedEngine } from '../engine/embedded/embedded.ts';
import type { LogSource } from '../sources/log/log-sources.ts';
import { enginePath } from './engine-path.ts';
import type { EventRow } from './event.ts';
import { insertFileSql, stagingTable } from './tables.ts';

export interface StagingWriter {
  readonly add: (row: EventRow) => void;
  /** True when flush() is due. */
  readonly isFull: boolean;
  /** Hands the block to the engine, once the block before is in. Throws what the engine says of either. */
  flush(): Promise<void>;
  /** Flushes, and waits until everything is in. */
  end(): Promise<void>;
  /** Waits until the engine is done with what it was given, well or not: nothing may write to the staging table any more when it is dropped. */
  finish(): Promise<void>;
  readonly rows: number;
  /** ClickHouse's text in UTC. */
  readonly first: string | undefined;
  readonly last: string | undefined;
  /** True when some event has a record of several elements. */
  readonly several: boolean;
  /** True when every event has the project reference that the source declares. */
  readonly referred: boolean;
}

const BLOCK_CHARACTERS = 24 * 1024 * 1024;
/** An insert alone keeps about one core busy. */
const PARALLEL_INSERTS = 2;

/** `folder` takes the blocks while they wait; `load` is the number that the rows get. */
export function createStagingWriter(engine: EmbeddedEngine, source: LogSource, folder: string, load: number): StagingWriter {
  let blocks = 0;
  let block: string[] = [];
  let characters = 0;
  /** Oldest first. */
  let inserting: readonly Promise<void>[] = [];
  let [rows, several, referred] = [0, false, true];
  let first: string | undefined;
  let last: string | undefined;

  const insert = async (rowsText: string): Promise<void> => {
    const file = join(folder, `block-${++blocks}`);
    mkdirSync(folder, { recursive: true });
    // At once: an asynchronous write goes in small pieces, each waiting for its turn between the lines that are being read.
    writeFileSync(file, rowsText);
    const readable = enginePath(file);
    try {
      await engine.command(insertFileSql(source, stagingTable(source), readable.path, load));
    } finally {
      readable.release();
      rmSync(file, { force: true });
    }
  };
  const flush = async (): Promise<void> => {
    if (inserting.length >= PARALLEL_INSERTS) await inserting[0];
    inserting = inserting.slice(1 - PARALLEL_INSERTS);
    if (block.length === 0) return;
    const rowsText = block.join('');
    [block, characters] = [[], 0];
    const started = insert(rowsText);
    started.catch(() => undefined); // heard by a later flush; until then it must not count as unhandled
    inserting = [...inserting, started];
  };
  return {
    add(row) {
      block.push(row.json);
      characters += row.json.length;
      rows++;
      if (first === undefined || row.timestamp < first) first = row.timestamp;
      if (last === undefined || row.timestamp > last) last = row.timestamp;
      several ||= row.several;
      referred &&= row.referred;
    },
    get isFull() {
      return characters >= BLOCK_CHARACTERS;
    },
    flush,
    async end() {
      await flush();
      await Promise.all(inserting);
    },
    async finish() {
      await Promise.allSettled(inserting);
    },
    get rows() {
      return rows;
    },
    get first() {
      return first;
    },
    get last() {
      return last;
    },
    get several() {
      return several;
    },
    get referred() {
      return referred;
    },
  };
}
