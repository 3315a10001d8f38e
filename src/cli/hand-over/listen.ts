// The other side: commands of the store's owner are done in the process that uses the store, while its own work goes on.

import { chmodSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { messageOf } from '../../base/errors.ts';
import type { Io, Output } from '../../base/io.ts';
import { packageVersion } from '../../package-file.ts';
import type { Logger } from '../../server/observe/log.ts';
import { commandWords } from './commands.ts';
import { type Cancellation, lines, type Order, type Reply, withAddress } from './protocol.ts';
import { socketFile } from './socket-file.ts';

interface ListenOptions {
  /** Folder of the store, which this process uses. */
  readonly store: string;
  readonly io: Io;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Runs a command line if it is one for the store, and gives its exit code. */
  readonly runCommand: (argv: readonly string[], io: Io, isChange: boolean) => Promise<number>;
}

export type Listening = Awaited<ReturnType<typeof listenForCommands>>;

/** Listens until it is told to stop. A socket that cannot be made costs nothing but this service. */
export async function listenForCommands(options: ListenOptions) {
  const commands = new Commands(options);
  const server = createServer({ allowHalfOpen: true }, (socket) => commands.takeFrom(socket));
  try {
    await listenIn(options.store, server);
  } catch (cause) {
    options.log.warn(`other processes must wait until this one has left the store: ${messageOf(cause)}`);
    server.close();
    return { isWorking: () => false, stop: async () => undefined, finish: async () => undefined };
  }
  server.unref();
  const close = (): void => {
    server.close();
    rmSync(socketFile(options.store), { force: true });
  };
  return {
    /** True if a command of another process is under way, or waits for its turn. */
    isWorking: () => commands.isWorking(),
    /** Takes no more commands, and waits for those that are under way. */
    finish() {
      close();
      return commands.done();
    },
    /** Takes no more commands, and ends those that are under way. */
    stop() {
      close();
      commands.interrupt();
      return commands.done();
    },
  };
}

/** The commands of other processes, from the first line of each to its exit code. */
class Commands {
  readonly #options: ListenOptions;
  readonly #callers = new Set<Socket>();
  /** Commands that wait or run, by their ids. */
  readonly #orders = new Map<string, AbortController>();
  readonly #working = new Set<Promise<unknown>>();
  #isLeaving = false;
  /** The last one that changes the store. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: ListenOptions) {
    this.#options = options;
  }

  isWorking(): boolean {
    return this.#working.size > 0;
  }

  /** Waits for what is under way; what comes from now on is for who opens the store next. */
  async done(): Promise<void> {
    this.#isLeaving = true;
    await Promise.all(this.#working);
  }

  interrupt(): void {
    for (const caller of this.#callers) caller.destroy();
  }

  takeFrom(socket: Socket): void {
    this.#callers.add(socket);
    const interrupt = new AbortController();
    socket.on('error', () => undefined); // a caller that has gone
    socket.once('close', () => {
      this.#callers.delete(socket);
      interrupt.abort();
    });
    let order: Order | undefined;
    const taken = () => order;
    const stdin = new Readable({ read: () => void socket.resume() });
    const take = lines((line) => {
      const said = JSON.parse(line) as Order | Cancellation;
      if ('cancel' in said) this.#orders.get(said.cancel)?.abort();
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
      if (this.#isLeaving) {
        void sendTo(socket, { refused: true }).then(() => socket.end());
        return;
      }
      if (end + 1 < chunk.length) stdin.push(chunk.subarray(end + 1));
      this.#begin(given, { socket, stdin, interrupt });
    });
    socket.on('end', () => {
      stdin.push(null);
      if (order === undefined) socket.end();
    });
  }

  #begin(order: Order, { socket, stdin, interrupt }: { socket: Socket; stdin: Readable; interrupt: AbortController }): void {
    this.#orders.set(order.id, interrupt);
    const withdraw = () => {
      void sendTo(socket, { withdrawn: true });
      socket.end();
      this.#orders.delete(order.id);
    };
    interrupt.signal.addEventListener('abort', withdraw, { once: true });
    const done = (order.isChange ? this.#turn : Promise.resolve())
      .then(() => {
        interrupt.signal.removeEventListener('abort', withdraw);
        return interrupt.signal.aborted ? undefined : this.#work(order, { socket, stdin, interrupt: interrupt.signal });
      })
      .catch((error: unknown) => this.#options.log.error({ error: { message: String(error) } }, 'a command for the store'))
      .finally(() => this.#working.delete(done));
    this.#working.add(done);
    if (order.isChange) this.#turn = done;
  }

  async #work(order: Order, { socket, stdin, interrupt }: { socket: Socket; stdin: Readable; interrupt: AbortSignal }): Promise<void> {
    const { io, log, runCommand } = this.#options;
    const send = (reply: Reply): Promise<void> => sendTo(socket, reply);
    const refusal = refusalOf(order);
    try {
      if (refusal !== undefined) {
        await send({ err: Buffer.from(refusal).toString('base64') });
        await send({ exit: 2 });
        return;
      }
      log.info({ command: commandWords(order.argv)[0]?.replace('__agent', 'mcp'), cwd: order.cwd }, 'a command for the store');
      await send({ exit: await runCommand(order.argv, ioOf(order, { stdin, io, send, interrupt }), order.isChange) });
    } finally {
      this.#orders.delete(order.id);
      socket.end();
    }
  }
}

/** Resolves once the reply has left, so that a slow reader holds up what is printed. */
const sendTo = (socket: Socket, reply: Reply): Promise<void> =>
  new Promise((sent) => {
    if (socket.writable) socket.write(`${JSON.stringify(reply)}\n`, () => sent());
    else sent();
  });

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
    return `error[config]: the process that uses the store is quern ${packageVersion()}, and this is quern ${version}\n   = hint: restart it, or stop it first\n`;
  }
  return undefined;
}

interface Ends {
  readonly stdin: Readable;
  /** The server's own. */
  readonly io: Io;
  readonly send: (reply: Reply) => Promise<void>;
  /** Aborts when the caller has pressed Ctrl-C, or has gone. */
  readonly interrupt: AbortSignal;
}

function ioOf({ cwd, env, terminals, isTyped }: Order, { stdin, io, send, interrupt }: Ends): Io {
  const output = (name: 'out' | 'err', columns: number | undefined): Output => ({
    isTerminal: columns !== undefined,
    columns,
    write: (data) => {
      const text = Buffer.from(data).toString('base64');
      return send(name === 'out' ? { out: text } : { err: text });
    },
  });
  return {
    stdin: Object.assign(stdin, { isTTY: isTyped }),
    stdout: output('out', terminals.stdout),
    stderr: output('err', terminals.stderr),
    env,
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
