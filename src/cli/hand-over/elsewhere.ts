// A command that this process composes for the one that uses the store: a call of an agent's tool, or a statement of a shell.
import { Readable } from 'node:stream';
import type { Io, Output } from '../../base/io.ts';
import type { GlobalFlags } from '../../config/flags.ts';
import { HandedOver } from './commands.ts';
import { handOver } from './hand-over.ts';
import { repeatableInput } from './input.ts';
import { mayListen } from './socket-file.ts';

interface Composed {
  readonly argv: readonly string[];
  /** Its standard input. */
  readonly text: string;
  readonly io: Io;
  /** Where it prints, if not where this process does. */
  readonly outputs?: { readonly stdout: Output; readonly stderr: Output };
  /** Folder of the store. */
  readonly store: string;
  readonly signal: AbortSignal;
}

/** Returns the exit code of the command, which only reads; undefined where no other process uses the store. */
export async function doElsewhere({ argv, text, io, outputs = io, store, signal }: Composed): Promise<number | undefined> {
  if (!mayListen(store)) return undefined;
  const stdin = Object.assign(Readable.from([Buffer.from(text)]), { isTTY: false });
  const world = { stdin, stdout: outputs.stdout, stderr: outputs.stderr, env: io.env, cwd: io.cwd };
  const ignored = { note: async () => undefined, onUnsure: () => undefined };
  try {
    await handOver({ argv, io: world, input: repeatableInput(() => stdin), isChange: false, store, signal, ...ignored });
    return undefined;
  } catch (error) {
    if (error instanceof HandedOver) return error.exitCode;
    throw error;
  }
}

/** Returns flags as they were given, but for the store, which the order names. */
export function wordsOf({ store: _, ...flags }: GlobalFlags): readonly string[] {
  return Object.entries(flags).flatMap(([name, value]) => {
    const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    if (value === undefined || (name === 'color' && value === true)) return [];
    if (typeof value === 'boolean') return [value ? `--${flag}` : `--no-${flag}`];
    return (Array.isArray(value) ? value : [value]).flatMap((one) => [`--${flag}`, String(one)]);
  });
}
