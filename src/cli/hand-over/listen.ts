// The server's side: commands of the store's owner are done in this process, one after another, while answers go on.
import { chmodSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Io, Output } from '../../base/io.ts';
import { packageVersion } from '../../package-file.ts';
import type { Logger } from '../../server/observe/log.ts';
import { type Cancellation, lines, type Order, type Reply, socketFile, withAddress } from './protocol.ts';

interface ListenOptions {
  /** Folder of the store, which this process uses. */
  readonly store: string;
  readonly io: Io;
  readonly log: Logger;
  /** Runs a command line if it is one for the store, and gives its exit code. */
  readonly runCommand: (argv: readonly string[], io: Io) => Promise<number>;
}

/** Listens until the function that it gives is called, which waits for the command under way. A socket that cannot be made costs nothing but this service. */
export async function listenForCommands({ store, io, log, runCommand }: ListenOptions): Promise<() => Promise<void>> {
  const file = socketFile(store);
  const callers = new Set<Socket>();
  /** Commands that wait or run, by their ids. */
  const orders = new Map<string, AbortController>();
  let turn = Promise.resolve();

  const sender = (socket: Socket) => (reply: Reply) => void (socket.writable && socket.write(`${JSON.stringify(reply)}\n`));

  const work = async (socket: Socket, order: Order, stdin: Readable, interrupt: AbortSignal): Promise<void> => {
    const send = sender(socket);
    const refusal = refusalOf(order);
    try {
      if (refusal !== undefined) {
        send({ err: Buffer.from(refusal).toString('base64') });
        send({ exit: 2 });
        return;
      }
      log.info({ command: order.argv[0], cwd: order.cwd }, 'a command for the store');
      send({ exit: await runCommand(order.argv, ioOf(order, { stdin, io, send, interrupt })) });
    } finally {
      orders.delete(order.id);
      socket.end();
    }
  };

  const server = createServer({ allowHalfOpen: true }, (socket) => {
    callers.add(socket);
    const interrupt = new AbortController();
    socket.on('error', () => undefined); // a caller that has gone
    socket.once('close', () => {
      callers.delete(socket);
      interrupt.abort();
    });
    let order: Order | undefined;
    const taken = () => order;
    const stdin = new Readable({ read: () => void socket.resume() });
    const take = lines((line) => {
      const said = JSON.parse(line) as Order | Cancellation;
      if ('cancel' in said) orders.get(said.cancel)?.abort();
      else order = said;
    });
    socket.on('data', (chunk: Buffer) => {
      if (order !== undefined) {
        if (!stdin.push(chunk)) socket.pause();
        return;
      }
      const end = chunk.indexOf(10);
      try {
        take(chunk.subarray(0, end === -1 ? undefined : end + 1).toString());
      } catch {
        socket.destroy(); // no caller of ours
        return;
      }
      const given = taken();
      if (given === undefined) return;
      if (end + 1 < chunk.length) stdin.push(chunk.subarray(end + 1));
      orders.set(given.id, interrupt);
      const withdraw = () => {
        sender(socket)({ withdrawn: true });
        socket.end();
        orders.delete(given.id);
      };
      interrupt.signal.addEventListener('abort', withdraw, { once: true });
      turn = turn
        .then(() => {
          interrupt.signal.removeEventListener('abort', withdraw);
          return interrupt.signal.aborted ? undefined : work(socket, given, stdin, interrupt.signal);
        })
        .catch((error: unknown) => log.error({ error: { message: String(error) } }, 'a command for the store'));
    });
    socket.on('end', () => {
      stdin.push(null);
      if (order === undefined) socket.end();
    });
  });

  try {
    await listenIn(store, server);
  } catch (cause) {
    log.warn(`quern load must wait until this server ends: ${cause instanceof Error ? cause.message : String(cause)}`);
    server.close();
    return async () => undefined;
  }
  server.unref();
  return async () => {
    server.close();
    rmSync(file, { force: true });
    for (const caller of callers) caller.destroy(); // which interrupts their commands
    await turn;
  };
}

/** The socket is made where only the owner gets in, and comes to its place with its mode: nobody else can connect in between. */
async function listenIn(store: string, server: Server): Promise<void> {
  const folder = join(store, '.serve');
  rmSync(folder, { recursive: true, force: true }); // of a server that was killed: this process has the store
  mkdirSync(folder, { mode: 0o700 });
  try {
    await withAddress(folder, (address) => new Promise<void>((resolve, reject) => server.once('error', reject).listen(address, resolve)));
    chmodSync(socketFile(folder), 0o600);
    renameSync(socketFile(folder), socketFile(store));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Both sides must be of the same version. */
function refusalOf({ version }: Order): string | undefined {
  if (version !== packageVersion()) {
    return `error[config]: the server that uses the store is quern ${packageVersion()}, and this is quern ${version}\n   = hint: restart the server, or stop it first\n`;
  }
  return undefined;
}

interface Ends {
  readonly stdin: Readable;
  /** The server's own. */
  readonly io: Io;
  readonly send: (reply: Reply) => void;
  /** Aborts when the caller has pressed Ctrl-C, or has gone. */
  readonly interrupt: AbortSignal;
}

function ioOf({ cwd, columns }: Order, { stdin, io, send, interrupt }: Ends): Io {
  const output = (name: 'out' | 'err'): Output => ({
    isTerminal: false,
    columns,
    write: async (data) => {
      const text = Buffer.from(data).toString('base64');
      send(name === 'out' ? { out: text } : { err: text });
    },
  });
  return {
    stdin,
    stdout: output('out'),
    stderr: output('err'),
    env: io.env,
    cwd,
    peakMemoryBytes: () => io.peakMemoryBytes(),
    onInterrupt(listener) {
      const heard = () => void listener(false);
      interrupt.addEventListener('abort', heard);
      return () => interrupt.removeEventListener('abort', heard);
    },
    onHangUp: () => () => undefined,
  };
}
