// The real process as an Io: of the command line, and of the library.
import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { QuernError } from './base/errors.ts';
import type { Io, Output } from './base/io.ts';

/** With `mayGoUnread`, output is dropped once its reader has left, and the work goes on. */
function output(stream: NodeJS.WriteStream, name: string, { mayGoUnread = false } = {}): Output {
  let unread = false;
  // A write's own callback reports its error; without a listener the stream would end the process.
  stream.on('error', () => undefined);
  return {
    isTerminal: stream.isTTY === true,
    ...(stream.isTTY ? { terminal: stream } : {}),
    get columns() {
      // Some terminals say that they have none.
      return stream.isTTY ? stream.columns || 80 : undefined;
    },
    write: (data) =>
      new Promise((resolve, reject) => {
        const written = (error?: NodeJS.ErrnoException | null): void => {
          if (mayGoUnread && error?.code === 'EPIPE') unread = true;
          if (error && !unread) reject(unwritten(error, name));
          else resolve();
        };
        if (unread) written();
        else stream.write(data, written);
      }),
  };
}

/** A reader that has gone is no error; cli/main.ts knows it by its code. */
function unwritten(cause: NodeJS.ErrnoException, name: string): Error {
  if (cause.code === 'EPIPE') return cause;
  const reason = cause.code === 'ENOSPC' ? 'the disk is full' : cause.message;
  return new QuernError('usage', `${name} cannot be written: ${reason}`, { hint: 'send it elsewhere', cause });
}

/** Streams are opened when they are first used: a pipe loads Node's sockets. */
export function processIo(): Io {
  let stdout: Output | undefined;
  let stderr: Output | undefined;
  return {
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      stdout ??= output(process.stdout, 'standard output');
      return stdout;
    },
    get stderr() {
      stderr ??= output(process.stderr, 'standard error', { mayGoUnread: true });
      return stderr;
    },
    env: process.env,
    cwd: process.cwd(),
    peakMemoryBytes: () => process.resourceUsage().maxRSS * 1024,
    onInterrupt(listener) {
      let asked = 0;
      const onSignal = () => {
        asked++;
        const last = asked > 2 ? undefined : listener(asked > 1);
        // A user who interrupts twice does not want to wait for the engine's answer.
        if (asked === 1) return;
        if (last === undefined) process.exit(130);
        const leave = () => process.exit(130);
        last.then(leave, leave);
      };
      // Listens before the engine does: closing it, and then its threads, would wait for the query that runs, and sometimes for ever. A signal
      // waits for nothing, and means the same to a shell: 130.
      const onExit = () => {
        if (asked > 1) process.removeAllListeners('SIGINT').kill(process.pid, 'SIGINT');
      };
      process.on('SIGINT', onSignal).on('SIGTERM', onSignal).on('exit', onExit);
      return () => void process.off('SIGINT', onSignal).off('SIGTERM', onSignal).off('exit', onExit);
    },
    onHangUp(listener) {
      process.on('SIGHUP', listener);
      return () => void process.off('SIGHUP', listener);
    },
    endOutput() {
      if (process.stdout.isTTY) return;
      closeSync(STDOUT);
      // What is opened next takes the number, and must be nothing that a stray line would spoil.
      openSync(devNull, 'w');
    },
  };
}

const STDOUT = 1;

/** The process as a library may use it: its environment and folder; it listens to nothing and prints nothing, but calls `onText` instead. */
export function quietIo(onText: (text: string) => void): Io {
  const silent: Output = { isTerminal: false, columns: undefined, write: async () => undefined };
  return {
    get stdin() {
      return process.stdin;
    },
    stdout: silent,
    stderr: { ...silent, write: async (data) => onText(typeof data === 'string' ? data : Buffer.from(data).toString()) },
    env: process.env,
    cwd: process.cwd(),
    peakMemoryBytes: () => process.resourceUsage().maxRSS * 1024,
    onInterrupt: () => () => undefined,
    onHangUp: () => () => undefined,
  };
}
