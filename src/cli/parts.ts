// The parts that commands can use; each names the ones that it needs.
import type { Io } from '../base/io.ts';
import type { Services } from '../services.ts';
import type { Terminal } from './terminal.ts';

export interface Parts extends Services {
  readonly terminal: Terminal;
  /** Runs the command line of a command for the store in this process, on the store that it uses, and returns its exit code. Other commands are refused. */
  readonly runStoreCommand: (argv: readonly string[], io: Io, store: Services['store']) => Promise<number>;
}
