// The outside world as the command line sees it, passed in so that tests run whole commands in-process.
import type { Readable } from 'node:stream';

export interface Output {
  /** Resolves once more may be written. */
  write(data: string | Uint8Array): Promise<void>;
  readonly isTerminal: boolean;
  /** Columns of the terminal; undefined elsewhere. */
  readonly columns: number | undefined;
  /** The stream itself on a terminal, for a progress bar. */
  readonly terminal?: NodeJS.WriteStream;
}

export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The most memory that the process has had, the embedded engine included. */
  peakMemoryBytes(): number;
  /**
   * Calls `listener` for each Ctrl-C (SIGINT) and SIGTERM; returns a function that stops it. At the second one (`again`) the process ends, once what the
   * listener has begun is settled.
   */
  onInterrupt(listener: (again: boolean) => Promise<void> | void): () => void;
  /** Tells the reader of standard output that no more comes, though the process goes on. Absent where nobody could wait for that. */
  readonly endOutput?: () => void;
  /** Calls `listener` for each SIGHUP, which then ends nothing; returns a function that stops it. */
  onHangUp(listener: () => void): () => void;
}
