// The caller's side: a command that needs the store is done by the server that uses it, if there is one.
import { existsSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { QuernError } from '../../errors.ts';
import type { Io } from '../../io.ts';
import { packageVersion } from '../../package-file.ts';
import { HandedOver } from './commands.ts';
import { lines, type Order, type Reply, socketFile, withAddress } from './protocol.ts';

interface Caller {
  readonly argv: readonly string[];
  readonly io: Io;
  /** Folder of the store. */
  readonly store: string;
  readonly signal: AbortSignal;
}

/**
 * Returns when no server on this machine uses the store. Throws HandedOver when one has done the command, and QuernError `unreachable` when
 * it went away meanwhile.
 */
export async function handOver({ argv, io, store, signal }: Caller): Promise<void> {
  const socket = existsSync(socketFile(store)) ? await withAddress(store, connected) : undefined;
  if (socket === undefined) return;
  const leave = () => socket.destroy();
  signal.addEventListener('abort', leave, { once: true });
  try {
    const { columns } = io.stdout;
    const order: Order = {
      version: packageVersion(),
      argv: [...argv, '--store', store],
      cwd: io.cwd,
      ...(columns === undefined ? {} : { columns }),
    };
    socket.write(`${JSON.stringify(order)}\n`);
    if (argv.includes('-')) io.stdin.pipe(socket, { end: true });
    const exitCode = await replies(socket, io);
    signal.throwIfAborted();
    if (exitCode === undefined) {
      throw new QuernError('unreachable', `the server that uses the store in ${store} ended before the command did`, {
        hint: 'a load is done as a whole or not at all: see `quern loads`, and try again',
      });
    }
    throw new HandedOver(exitCode);
  } finally {
    signal.removeEventListener('abort', leave);
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
function replies(socket: Socket, { stdout, stderr }: Io): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    let exitCode: number | undefined;
    let printed = Promise.resolve();
    const take = lines((line) => {
      const reply = JSON.parse(line) as Reply; // from a server of the same version
      if ('exit' in reply) exitCode = reply.exit;
      else
        printed = printed.then(() =>
          'out' in reply ? stdout.write(Buffer.from(reply.out, 'base64')) : stderr.write(Buffer.from(reply.err, 'base64').toString()),
        );
    });
    socket.setEncoding('utf8').on('data', take);
    socket.on('error', () => undefined); // it is told by the missing exit code
    socket.on('close', () => {
      printed.then(() => resolve(exitCode), reject);
    });
  });
}
