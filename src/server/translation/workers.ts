// A pool of translating threads, shared in turns between callers.
import { availableParallelism } from 'node:os';
import { QuernError } from '../../base/errors.ts';
import { Admission, type BusyWords } from '../answers/admission.ts';
import { systemClock } from '../clock.ts';
import { startThread, type Thread, type ThreadOptions } from './thread.ts';
import type { Translator } from './translator.ts';

interface WorkersOptions extends Pick<ThreadOptions, 'file' | 'timeoutMs'> {
  /** Returns whether one tenant leaves a thread to others even while they want none. */
  readonly spare: () => boolean;
  readonly threads?: number;
  /** Texts that may wait for their turn. */
  readonly waiting?: number;
  readonly memoryMb?: number;
}

const MOST_THREADS = 4;
const MOST_WAITING = 64;
/** Of one thread: a hundred times what large queries take. */
const MEMORY_MB = 256;
/** Longer than all who wait take if each of them takes as long as it may. */
const WAIT_MS = 60_000;

const WORDS: BusyWords = {
  full: (mostWaiting) => `too much SQL from callers is waiting to be translated (${mostWaiting})`,
  displaced: 'too much SQL from callers is waiting to be translated, and this SQL gave up its place to a caller with less',
  late: (seconds) => `this SQL could not be translated within ${seconds} s`,
};

export function inWorkers({
  file,
  timeoutMs,
  spare,
  threads: size = Math.min(Math.max(1, availableParallelism() - 1), MOST_THREADS),
  waiting = MOST_WAITING,
  memoryMb = MEMORY_MB,
}: WorkersOptions): Translator {
  const admission = new Admission({ atOnce: size, waiting, waitMs: WAIT_MS, spare, clock: systemClock, words: WORDS });
  const threads = new Set<Thread>();
  const idle: Thread[] = [];
  let closed = false;

  const start = (): Thread => {
    const thread = startThread({ file, timeoutMs, memoryMb });
    threads.add(thread);
    return thread;
  };

  /** Those that were ended in their idle time are replaced, too. */
  const take = (): Thread => {
    for (let thread = idle.shift(); thread !== undefined; thread = idle.shift()) {
      if (!thread.ended) return thread;
      threads.delete(thread);
    }
    return start();
  };

  const giveBack = (thread: Thread): void => {
    if (thread.ended) threads.delete(thread);
    if (!closed) idle.push(thread.ended ? start() : thread);
  };

  return {
    start() {
      while (!closed && threads.size < size) idle.push(start());
    },
    async translate(text, waiters, signal) {
      const turn = await admission.admit(waiters, signal);
      try {
        if (closed) throw new QuernError('interrupted', 'the server is stopping');
        const thread = take();
        try {
          return await thread.translate(text);
        } finally {
          giveBack(thread);
        }
      } finally {
        turn.end();
      }
    },
    async close() {
      closed = true;
      await Promise.all([...threads].map((thread) => thread.end()));
    },
  };
}
