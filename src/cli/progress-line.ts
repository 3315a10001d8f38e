// A line on the terminal for a query, a check, a load or an export that takes longer than a second: its time, what it has read, and how to stop it.
import { randomUUID } from 'node:crypto';
import type { Output } from '../base/io.ts';
import { formatNumber, roundSize } from '../base/quantity.ts';
import { quoteString } from '../clickhouse/quote.ts';
import type { Engine, EngineQuery } from '../engine/engine.ts';

const SHOWN_AFTER_MS = 1000;
const EVERY_MS = 500;
/** Fewer are those of constants. */
const FEWEST_ROWS = 1000;
/** Erases the line, and goes to its beginning. */
const ERASE = '\r\u001b[2K';

/** Returns the engine, whose queries show how far they are on `screen`, a terminal. */
export function watched(engine: Engine, screen: Output): Engine {
  const during = async <T>(query: EngineQuery, work: (query: EngineQuery) => Promise<T>): Promise<T> => {
    const { marked, isIt } = mark(query);
    return whileShown({ engine, screen, isIt }, () => work(marked));
  };
  const { writeFile } = engine;
  const own: Partial<Engine> = {
    execute: (query) => during(query, (marked) => engine.execute(marked)),
    async *stream(query, format, onEnd) {
      const { marked, isIt } = mark(query);
      const line = new ProgressLine({ engine, screen, isIt });
      try {
        yield* engine.stream(marked, format, onEnd);
      } finally {
        await line.end();
      }
    },
    ...(writeFile === undefined ? {} : { writeFile: (query, target) => during(query, (marked) => writeFile.call(engine, marked, target)) }),
  };
  return Object.assign(Object.create(engine) as Engine, own);
}

/** Returns the query as the engine's list of running ones shows it, and the condition for finding it there. */
function mark(query: EngineQuery): { readonly marked: EngineQuery; readonly isIt: string } {
  const name = `quern-watch-${randomUUID()}`;
  return {
    marked: { ...query, comment: `${query.comment ?? 'quern'} ${name}` },
    isIt: `Settings['log_comment'] LIKE ${quoteString(`%${name}%`)}`,
  };
}

interface Watched {
  readonly engine: Pick<Engine, 'rows'>;
  /** A terminal. */
  readonly screen: Output;
  /** The condition for finding the work in the engine's list of running queries. */
  readonly isIt: string;
}

/** The condition for finding loads. */
export const IS_LOAD = "query_kind = 'Insert'";

/** Does the work, and shows how far it is. */
export async function whileShown<T>(watched: Watched, work: () => Promise<T>): Promise<T> {
  const line = new ProgressLine(watched);
  try {
    return await work();
  } finally {
    await line.end();
  }
}

class ProgressLine {
  readonly #engine: Watched['engine'];
  readonly #screen: Output;
  readonly #isIt: string;
  readonly #begun = performance.now();
  readonly #end = new AbortController();
  #timer: NodeJS.Timeout;
  #isShown = false;
  /** The last words of the engine. */
  #read = '';
  #drawing: Promise<void> = Promise.resolve();

  constructor({ engine, screen, isIt }: Watched) {
    this.#engine = engine;
    this.#screen = screen;
    this.#isIt = isIt;
    this.#timer = setTimeout(() => {
      this.#timer = setInterval(() => this.#tick(), EVERY_MS);
      this.#tick();
    }, SHOWN_AFTER_MS);
  }

  async end(): Promise<void> {
    clearTimeout(this.#timer);
    this.#end.abort();
    await this.#drawing;
    if (this.#isShown) await this.#screen.write(ERASE);
  }

  #tick(): void {
    this.#drawing = this.#drawing.then(() => this.#draw());
  }

  async #draw(): Promise<void> {
    const { signal } = this.#end;
    if (signal.aborted) return;
    const sql = `SELECT sum(read_rows), sum(read_bytes) FROM system.processes WHERE is_initial_query AND ${this.#isIt}`;
    // A login need not be allowed to see what runs.
    const [[rows = 0, bytes = 0] = []] = await this.#engine.rows(sql, signal).catch(() => []);
    if (Number(rows) >= FEWEST_ROWS) this.#read = `, ${formatNumber(Number(rows))} rows and ${roundSize(Number(bytes))} read`;
    if (signal.aborted) return;
    const seconds = Math.floor((performance.now() - this.#begun) / 1000);
    const text = `${seconds} s${this.#read}; Ctrl-C stops it`;
    this.#isShown = true;
    await this.#screen.write(`${ERASE}${text.slice(0, (this.#screen.columns ?? 80) - 1)}`);
  }
}
