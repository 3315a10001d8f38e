// The caller's side: a command that needs the store is done by the server that uses it, if there is one.
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { QuernError } from '../../base/errors.ts';
import type { Io } from '../../base/io.ts';
import { packageVersion } from '../../package-file.ts';
import { HandedOver } from './commands.ts';
import { type Cancellation, lines, type Order, type Reply, socketFile, withAddress } from './protocol.ts';

export interface Caller {
  readonly argv: readonly string[];
  readonly io: Io;
  /** Folder of the store. */
  readonly store: string;
  readonly signal: AbortSignal;
  readonly note: (text: string) => Promise<void>;
  /** Called with what is true for a user who does not wait for the server's word, and with undefined once that has come. */
  readonly onUnsure: (error: QuernError | undefined) => void;
}

/** A user who has pressed Ctrl-C waits that long for a word. */
const PATIENCE_MS = 500;

const UNSURE = new QuernError('interrupted', 'interrupted before the server said whether the command is done', {
  hint: 'it is done as a whole or not at all: `quern loads` tells which',
});

/**
 * Returns when no server on this machine uses the store. Throws HandedOver when one has done the command, or has taken it back since `signal` has
 * aborted; QuernError `unreachable` when it went away meanwhile, and `interrupted` when it had not begun yet.
 */
export async function handOver({ argv, io, store, signal, note, onUnsure }: Caller): Promise<void> {
  const open = () => withAddress(store, connected);
  const socket = existsSync(socketFile(store)) ? await open() : undefined;
  if (socket === undefined) return;
  const id = randomUUID();
  let waiting: NodeJS.Timeout | undefined;
  const cancel = () => {
    onUnsure(UNSURE);
    io.stdin.unpipe(socket);
    waiting = setTimeout(() => void note('waiting for the server to take the command back; Ctrl-C again leaves at once'), PATIENCE_MS);
    const order: Cancellation = { cancel: id };
    // A server that is gone is heard by the first connection.
    open().then(
      (second) => second?.end(`${JSON.stringify(order)}\n`),
      () => undefined,
    );
  };
  try {
    signal.throwIfAborted();
    const { columns } = io.stdout;
    const order: Order = {
      version: packageVersion(),
      argv: [...argv, '--store', store],
      cwd: io.cwd,
      id,
      ...(columns === undefined ? {} : { columns }),
    };
    socket.write(`${JSON.stringify(order)}\n`);
    if (argv.includes('-')) io.stdin.pipe(socket, { end: true });
    signal.addEventListener('abort', cancel, { once: true });
    const end = await replies(socket, io);
    if (end === 'withdrawn') throw new QuernError('interrupted', 'interrupted before its turn came', { hint: 'nothing was done' });
    if (end === undefined) {
      throw new QuernError('unreachable', `the server that uses the store in ${store} ended before the command did`, {
        hint: 'a load is done as a whole or not at all: see `quern loads`, and try again',
      });
    }
    if (signal.aborted && end === 0) await note('the command was already being completed when Ctrl-C came, and is done');
    throw new HandedOver(end);
  } finally {
    clearTimeout(waiting);
    onUnsure(undefined);
    signal.removeEventListener('abort', cancel);
    io.stdin.unpipe(socket);
    socket.destroy();
  }
}

/** undefined where nobody listens: a server that was killed has left its socket behind. */
const connected = (address: string): Promise<Socket | undefined> =>
  new Promise((resolve) => {
    const socket = connect(address);
    socket.once('connect', () => resolve(socket));
    socket.once('error', () => resolve(undefined));
  });

/** Prints what comes; gives the exit code, or undefined when the server has gone without one. */
function replies(socket: Socket, { stdout, stderr }: Io): Promise<number | 'withdrawn' | undefined> {
  return new Promise((resolve, reject) => {
    let end: number | 'withdrawn' | undefined;
    let printed = Promise.resolve();
    const take = lines((line) => {
      const reply = JSON.parse(line) as Reply; // from a server of the same version
      if ('exit' in reply) end = reply.exit;
      else if ('withdrawn' in reply) end = 'withdrawn';
      else
        printed = printed.then(() =>
          'out' in reply ? stdout.write(Buffer.from(reply.out, 'base64')) : stderr.write(Buffer.from(reply.err, 'base64').toString()),
        );
    });
    socket.setEncoding('utf8').on('data', take);
    socket.on('error', () => undefined); // it is told by the missing exit code
    const ended = () => void printed.then(() => resolve(end), reject);
    // Standard input that the server has not read keeps the connection open.
    socket.once('end', ended).once('close', ended);
  });
}
