// The caller's side of handing over: the process that has the store open, if there is one, does a command that needs the store.
import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { QuernError } from '../../base/errors.ts';
import type { Io } from '../../base/io.ts';
import { StoreElsewhere } from '../../mcp/elsewhere.ts';
import { packageVersion } from '../../package-file.ts';
import { HandedOver } from './commands.ts';
import type { RepeatableInput } from './input.ts';
import { type Cancellation, lines, type Order, type Reply, withAddress } from './protocol.ts';

interface Caller {
  readonly argv: readonly string[];
  readonly io: Pick<Io, 'stdin' | 'stdout' | 'stderr' | 'env' | 'cwd'>;
  readonly input: RepeatableInput;
  /** True for a command that changes the store. It is done as a whole or not at all. */
  readonly isChange: boolean;
  /** Folder of the store. */
  readonly store: string;
  readonly signal: AbortSignal;
  readonly note: (text: string) => Promise<void>;
  /** Called with the error for a user who leaves before the other process has answered, and with undefined once it has. */
  readonly onUnsure: (error: QuernError | undefined) => void;
}

/** After Ctrl-C, what is being waited for is said after this time. */
const PATIENCE_MS = 500;

const UNSURE = new QuernError('interrupted', 'interrupted before the server said whether the command is done', {
  hint: 'it is done as a whole or not at all: `quern loads` tells which',
});

/**
 * Asks the process that listens in a store where one may. Returns when this process has to do the command itself: no other takes commands for the store, the other one is just leaving it, or it ended before
 * it had printed anything of a command that changes nothing. Throws HandedOver when the other process has done the command, or has undone it after
 * `signal` aborted; QuernError `unreachable` when that process went away meanwhile, and `interrupted` when it had not begun yet.
 */
export async function handOver({ argv, io, input, isChange, store, signal, note, onUnsure }: Caller): Promise<void> {
  const open = () => withAddress(store, connected);
  const socket = await open();
  if (socket === undefined) return;
  const id = randomUUID();
  const isTyped = io.stdin.isTTY === true;
  let waiting: NodeJS.Timeout | undefined;
  const cancel = () => {
    if (isChange) {
      onUnsure(UNSURE);
      waiting = setTimeout(() => void note('waiting for the server to take the command back; Ctrl-C again leaves at once'), PATIENCE_MS);
    }
    const order: Cancellation = { cancel: id };
    // If the process is gone, the first connection ends and says so.
    open().then(
      (second) => second?.end(`${JSON.stringify(order)}\n`),
      () => undefined,
    );
  };
  try {
    signal.throwIfAborted();
    const order: Order = {
      version: packageVersion(),
      argv: ['--store', store, ...argv],
      cwd: io.cwd,
      env: io.env,
      terminals: { ...columnsOf('stdout', io), ...columnsOf('stderr', io) },
      isTyped,
      isChange,
      id,
    };
    socket.write(`${JSON.stringify(order)}\n`);
    if (!isTyped && (argv.includes('-') || input.isBegun())) input.again().pipe(socket, { end: true });
    else if (!isTyped) socket.end();
    signal.addEventListener('abort', cancel, { once: true });
    const { end, printed } = await replies(socket, io);
    if (end === 'withdrawn') throw new QuernError('interrupted', 'interrupted before its turn came', { hint: 'nothing was done' });
    if (end === 'refused') return;
    if (end === undefined) {
      if (!isChange && !printed && !signal.aborted) return;
      throw gone(store, isChange);
    }
    if (isChange && signal.aborted && end === 0) await note('the command was already being completed when Ctrl-C came, and is done');
    throw new HandedOver(end);
  } finally {
    clearTimeout(waiting);
    onUnsure(undefined);
    signal.removeEventListener('abort', cancel);
    socket.destroy();
  }
}

/** Throws StoreElsewhere if a process on this machine takes commands for the store, in which one may listen. */
export async function mustBeHere(store: string): Promise<void> {
  const socket = await withAddress(store, connected);
  socket?.destroy();
  if (socket !== undefined) throw new StoreElsewhere(store);
}

const columnsOf = (name: 'stdout' | 'stderr', io: Caller['io']) => (io[name].isTerminal ? { [name]: io[name].columns ?? 80 } : {});

const gone = (store: string, isChange: boolean): QuernError =>
  isChange
    ? new QuernError('unreachable', `the server that uses the store in ${store} ended before the command did`, {
        hint: 'a load is done as a whole or not at all: see `quern loads`, and try again',
      })
    : new QuernError('unreachable', `the quern process that uses the store in ${store} ended before the command did`, {
        hint: 'what was printed is not all: try again',
      });

/** Returns undefined where nobody listens: a process that was killed leaves its socket behind. */
const connected = (address: string): Promise<Socket | undefined> =>
  new Promise((resolve) => {
    const socket = connect({ path: address, allowHalfOpen: true });
    socket.once('connect', () => resolve(socket));
    socket.once('error', () => resolve(undefined));
  });

interface Replies {
  /** The exit code, or undefined when the process has gone without one. */
  readonly end: number | 'withdrawn' | 'refused' | undefined;
  /** True once some output has come. */
  readonly printed: boolean;
}

/** Prints the output of the other process until the connection ends. */
function replies(socket: Socket, { stdout, stderr }: Caller['io']): Promise<Replies> {
  return new Promise((resolve, reject) => {
    let end: number | 'withdrawn' | 'refused' | undefined;
    let hasOutput = false;
    let printed = Promise.resolve();
    const take = lines((line) => {
      const reply = JSON.parse(line) as Reply; // from a process of the same version
      if ('exit' in reply) end = reply.exit;
      else if ('withdrawn' in reply) end = 'withdrawn';
      else if ('refused' in reply) end = 'refused';
      else {
        hasOutput = true;
        printed = printed.then(() =>
          'out' in reply ? stdout.write(Buffer.from(reply.out, 'base64')) : stderr.write(Buffer.from(reply.err, 'base64').toString()),
        );
        // A reader that is slow holds up the other process, not memory here.
        socket.pause();
        printed.then(() => socket.resume(), reject);
      }
    });
    socket.setEncoding('utf8').on('data', take);
    socket.on('error', () => undefined); // the missing exit code reports it
    const ended = () => void printed.then(() => resolve({ end, printed: hasOutput }), reject);
    // Standard input that the other process has not read keeps the connection open.
    socket.once('end', ended).once('close', ended);
  });
}
