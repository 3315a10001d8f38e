// A line on the terminal for a query that takes longer than a second: its time, what it has read, and how to stop it.
import { randomUUID } from 'node:crypto';
import type { Output } from '../base/io.ts';
import { formatNumber, formatSize } from '../base/quantity.ts';
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
    const line = new ProgressLine(engine, screen);
    try {
      return await work(line.marked(query));
    } finally {
      await line.end();
    }
  };
  const { writeFile } = engine;
  const own: Partial<Engine> = {
    execute: (query) => during(query, (marked) => engine.execute(marked)),
    async *stream(query, format, onEnd) {
      const line = new ProgressLine(engine, screen);
      try {
        yield* engine.stream(line.marked(query), format, onEnd);
      } finally {
        await line.end();
      }
    },
    ...(writeFile === undefined ? {} : { writeFile: (query, target) => during(query, (marked) => writeFile.call(engine, marked, target)) }),
  };
  return Object.assign(Object.create(engine) as Engine, own);
}

class ProgressLine {
  readonly #engine: Engine;
  readonly #screen: Output;
  readonly #mark = `quern-watch-${randomUUID()}`;
  readonly #begun = performance.now();
  readonly #end = new AbortController();
  #timer: NodeJS.Timeout;
  #isShown = false;
  /** The last words of the engine. */
  #read = '';
  #drawing: Promise<void> = Promise.resolve();

  constructor(engine: Engine, screen: Output) {
    this.#engine = engine;
    this.#screen = screen;
    this.#timer = setTimeout(() => {
      this.#timer = setInterval(() => this.#tick(), EVERY_MS);
      this.#tick();
    }, SHOWN_AFTER_MS);
  }

  /** The query as the engine's list of running ones shows it. */
  marked(query: EngineQuery): EngineQuery {
    return { ...query, comment: `${query.comment ?? 'quern'} ${this.#mark}` };
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
    const sql = `SELECT sum(read_rows), sum(read_bytes) FROM system.processes WHERE is_initial_query AND Settings['log_comment'] LIKE ${quoteString(`%${this.#mark}%`)}`;
    // A login need not be allowed to see what runs.
    const [[rows = 0, bytes = 0] = []] = await this.#engine.rows(sql, signal).catch(() => []);
    if (Number(rows) >= FEWEST_ROWS) this.#read = `, ${formatNumber(Number(rows))} rows and ${formatSize(Number(bytes))} read`;
    if (signal.aborted) return;
    const seconds = Math.floor((performance.now() - this.#begun) / 1000);
    const text = `${seconds} s${this.#read}; Ctrl-C stops it`;
    this.#isShown = true;
    await this.#screen.write(`${ERASE}${text.slice(0, (this.#screen.columns ?? 80) - 1)}`);
  }
}
