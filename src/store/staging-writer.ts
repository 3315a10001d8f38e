// Gathers rows into large blocks and inserts them into the staging table while the next block is being read.
import type { EmbeddedEngine } from '../engine/embedded.ts';
import type { LogSource } from '../sources/log-sources.ts';
import type { EventRow } from './event.ts';
import { INSERT_SETTINGS, qualified, stagingTable, tableColumns } from './tables.ts';

export interface StagingWriter {
  readonly add: (row: EventRow) => void;
  /** True when flush() is due. */
  readonly isFull: boolean;
  /** Hands the block to the engine, once the block before is in. Throws what the engine says of either. */
  flush(): Promise<void>;
  /** Flushes, and waits until everything is in. */
  end(): Promise<void>;
  readonly rows: number;
  /** ClickHouse's text in UTC. */
  readonly first: string | undefined;
  readonly last: string | undefined;
  /** True when some event has a record of several elements. */
  readonly several: boolean;
}

/** Two blocks are in memory at a time. */
const BLOCK_CHARACTERS = 24 * 1024 * 1024;

export function createStagingWriter(engine: EmbeddedEngine, source: LogSource): StagingWriter {
  const table = qualified(stagingTable(source));
  const columns = tableColumns(source);
  let block: string[] = [];
  let characters = 0;
  let inserting: Promise<void> = Promise.resolve();
  let [rows, several] = [0, false];
  let first: string | undefined;
  let last: string | undefined;

  const flush = async (): Promise<void> => {
    await inserting;
    if (block.length === 0) return;
    const data = Buffer.from(block.join(''));
    [block, characters] = [[], 0];
    inserting = engine.insert(table, columns, data, INSERT_SETTINGS);
    inserting.catch(() => undefined); // heard by the next flush; until then it must not count as unhandled
  };
  return {
    add(row) {
      block.push(row.json);
      characters += row.json.length;
      rows++;
      if (first === undefined || row.timestamp < first) first = row.timestamp;
      if (last === undefined || row.timestamp > last) last = row.timestamp;
      several ||= row.several;
    },
    get isFull() {
      return characters >= BLOCK_CHARACTERS;
    },
    flush,
    async end() {
      await flush();
      await inserting;
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
  };
}
