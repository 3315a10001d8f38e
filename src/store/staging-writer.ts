// Gathers rows into blocks, each a file for the engine to insert into the staging table while the next block is being read.
import { join } from 'node:path';
import type { EmbeddedEngine } from '../engine/embedded/embedded.ts';
import type { LogSource } from '../sources/log/log-sources.ts';
import type { EventRow } from './event.ts';
import { withEngineFile } from './input.ts';
import { insertFileSql, stagingTable } from './tables.ts';

const BLOCK_CHARACTERS = 24 * 1024 * 1024;
/** An insert alone keeps about one core busy. */
const PARALLEL_INSERTS = 2;

export class StagingWriter {
  rows = 0;
  /** ClickHouse's text in UTC. */
  first: string | undefined;
  last: string | undefined;
  /** True when some event has a record of several elements. */
  several = false;
  /** True when every event has the project reference that the source declares. */
  referred = true;
  readonly #engine: EmbeddedEngine;
  readonly #source: LogSource;
  readonly #folder: string;
  readonly #load: number;
  #blocks = 0;
  #block: string[] = [];
  #characters = 0;
  /** Oldest first. */
  #inserting: readonly Promise<void>[] = [];

  /** `folder` takes the blocks while they wait; `load` is the number that the rows get. */
  constructor(engine: EmbeddedEngine, source: LogSource, folder: string, load: number) {
    this.#engine = engine;
    this.#source = source;
    this.#folder = folder;
    this.#load = load;
  }

  add(row: EventRow): void {
    this.#block.push(row.json);
    this.#characters += row.json.length;
    this.rows++;
    if (this.first === undefined || row.timestamp < this.first) this.first = row.timestamp;
    if (this.last === undefined || row.timestamp > this.last) this.last = row.timestamp;
    this.several ||= row.several;
    this.referred &&= row.referred;
  }

  /** True when flush() is due. */
  get isFull(): boolean {
    return this.#characters >= BLOCK_CHARACTERS;
  }

  /** Hands the block to the engine, once the block before is in. Throws what the engine says of either. */
  async flush(): Promise<void> {
    if (this.#inserting.length >= PARALLEL_INSERTS) await this.#inserting[0];
    this.#inserting = this.#inserting.slice(1 - PARALLEL_INSERTS);
    if (this.#block.length === 0) return;
    const rowsText = this.#block.join('');
    [this.#block, this.#characters] = [[], 0];
    const started = this.#insert(rowsText);
    started.catch(() => undefined); // heard by a later flush; until then it must not count as unhandled
    this.#inserting = [...this.#inserting, started];
  }

  /** Flushes, and waits until everything is in. */
  async end(): Promise<void> {
    await this.flush();
    await Promise.all(this.#inserting);
  }

  /** Waits until the engine is done with what it was given, well or not: nothing may write to the staging table any more when it is dropped. */
  async finish(): Promise<void> {
    await Promise.allSettled(this.#inserting);
  }

  #insert(rowsText: string): Promise<void> {
    return withEngineFile(join(this.#folder, `block-${++this.#blocks}`), rowsText, (path) =>
      this.#engine.command(insertFileSql(this.#source, stagingTable(this.#source), path, this.#load)),
    );
  }
}
