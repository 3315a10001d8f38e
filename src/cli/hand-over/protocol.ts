// The protocol by which a command asks the process that uses the store to do its work: a socket in the folder of the store, which only its owner may open.
// The caller sends a line of JSON, then what its standard input gives; back come lines of JSON with what is printed, and at last the exit code.
// Ctrl-C is told on a connection of its own, since the first one belongs to the standard input; the caller then still waits for the exit code.
import { closeSync, openSync, statSync } from 'node:fs';
import { SOCKET, socketFile } from './socket-file.ts';

/** The first message of the caller. */
export interface Order {
  /** quern's version, which both sides must share. */
  readonly version: string;
  /** Begins with the store: `--store DIR`. */
  readonly argv: readonly string[];
  readonly cwd: string;
  /** The caller's environment: settings may stand in it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Columns of the outputs that are terminals. */
  readonly terminals: { readonly stdout?: number; readonly stderr?: number };
  /** Standard input is a terminal, from which nothing comes. */
  readonly isTyped: boolean;
  /** It changes the store: such commands are done one after the other. */
  readonly isChange: boolean;
  /** By which the order can be cancelled: nobody else knows it. */
  readonly id: string;
}

/** The message on a second connection of the caller: the order of this id is to be interrupted, as Ctrl-C would interrupt it here. */
export interface Cancellation {
  readonly cancel: string;
}

/** The answers. `out` and `err` are base64. `withdrawn`: the order was cancelled before its turn came; `refused`: it was not begun, since the process leaves the store. */
export type Reply =
  | { readonly out: string }
  | { readonly err: string }
  | { readonly exit: number }
  | { readonly withdrawn: true }
  | { readonly refused: true };

/** Most systems take no longer address. */
const LONGEST_ADDRESS = 100;

/** Calls `use` with an address of the socket that is short enough, also where the folder's path is not. */
export async function withAddress<T>(store: string, use: (address: string) => Promise<T>): Promise<T> {
  const file = socketFile(store);
  if (Buffer.byteLength(file) <= LONGEST_ADDRESS || statSync('/proc/self/fd', { throwIfNoEntry: false }) === undefined) return use(file);
  const folder = openSync(store, 'r');
  try {
    return await use(`/proc/self/fd/${folder}/${SOCKET}`);
  } finally {
    closeSync(folder);
  }
}

/** Calls `take` with each whole line of a stream of text, without its end; gives what takes chunks. */
export function lines(take: (line: string) => void): (chunk: string) => void {
  let begun = '';
  return (chunk) => {
    const parts = (begun + chunk).split('\n');
    begun = parts.pop() ?? '';
    for (const line of parts) take(line);
  };
}
