import type { ChildProcess } from 'node:child_process';

/** XML elements as a plain object: a list repeats its element, an empty object is an empty element. */
export interface Elements {
  readonly [name: string]: string | number | Elements | readonly Elements[] | readonly string[];
}

export interface ProcessOptions {
  /** The data directory. */
  readonly path: string;
  /** For the server's configuration; by default the data directory. */
  readonly folder?: string;
  /** Elements of `users`; by default `default` without a password, who may do everything. Profile `default` unless said otherwise. */
  readonly users?: Elements;
  /** Elements of `profiles`, beside `default`. */
  readonly profiles?: Elements;
  /** More elements of the server's configuration. */
  readonly config?: Elements;
  /** For a server that takes the place of one that was killed. */
  readonly httpPort?: number;
  readonly tcpPort?: number;
}

export interface ClickHouseProcess {
  readonly child: ChildProcess;
  readonly httpPort: number;
  readonly tcpPort: number;
  /** An orderly end. */
  stop(): Promise<void>;
  /** kill -9. Resolves when it is gone. */
  kill(): Promise<void>;
}

/** Starts a server on 127.0.0.1; resolves when it listens, for HTTP and for the native protocol. */
export function startProcess(options: ProcessOptions): Promise<ClickHouseProcess>;

/** A port that nothing listened on a moment ago. */
export function freePort(): Promise<number>;
