// One translating thread: it takes a text at a time, and is ended by one that takes too much time or memory.
import { Worker } from 'node:worker_threads';
import { QuernError } from '../../base/errors.ts';
import { formatDuration } from '../../base/quantity.ts';
import { type CallersText, errorFrom } from '../../execution/callers-text.ts';
import type { SpecializableTranslation } from '../../sql/translation.ts';
import { CALLERS_TEXT } from '../http/failure.ts';
import { processorMs } from './processor-time.ts';
import type { Ready, Reply } from './reply.ts';

export interface ThreadOptions {
  /** The file that the build makes of worker.ts. */
  readonly file: URL;
  /** For one text, once the thread has begun with it: of a processor, where that is known, else of the clock. */
  readonly timeoutMs: number;
  readonly memoryMb: number;
}

export interface Thread {
  /** It takes no more texts. */
  readonly ended: boolean;
  translate(text: CallersText): Promise<SpecializableTranslation>;
  end(): Promise<void>;
}

/** The text that the thread is at. */
interface Task {
  readonly done: (reply: Reply) => void;
  readonly failed: (error: unknown) => void;
}

/** Twice that of a main thread: the translator's own bounds on depth are met first. */
const STACK_MB = 2;
/** So many times the limit may pass by the clock, however little of it the thread got of a processor. */
const MOST_BY_CLOCK = 4;
/** Below that the processor's time is not known. */
const LOOK_EVERY_MS = 10;

export function startThread({ file, timeoutMs, memoryMb }: ThreadOptions): Thread {
  // It is given nothing of this process: neither its environment, which may hold secrets, nor its flags.
  const worker = new Worker(file, {
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, stackSizeMb: STACK_MB },
  });
  worker.unref();
  let ended = false;
  let task: Task | undefined;

  const end = async (): Promise<void> => {
    ended = true;
    await worker.terminate();
  };

  const ready = new Promise<string | undefined>((resolve, reject) => {
    const fail = (error: unknown): void => {
      ended = true;
      reject(error);
      task?.failed(error);
    };
    worker.on('message', (said: Ready | Reply) => {
      if ('ready' in said) resolve(said.ready);
      else task?.done(said);
    });
    worker.on('error', fail).on('exit', () => fail(new QuernError('interrupted', 'the translation was interrupted')));
  });
  ready.catch(() => undefined); // whoever wants a translation gets it

  const replyTo = (text: CallersText, name: string | undefined): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const from = performance.now();
      const before = processorMs(name) ?? 0;
      /** Until the time is up, if the thread goes on at work. */
      const leftMs = (): number => {
        const byClock = performance.now() - from;
        const worked = processorMs(name);
        return Math.min(timeoutMs - (worked === undefined ? byClock : worked - before), MOST_BY_CLOCK * timeoutMs - byClock);
      };
      let timer: NodeJS.Timeout | undefined;
      const giveUp = (): void => {
        if (task !== own) return;
        const left = leftMs();
        if (left > 0) {
          wait(Math.max(left, LOOK_EVERY_MS));
          return;
        }
        void end();
        own.failed(tooComplex(text.sql, `this SQL takes longer than ${formatDuration(timeoutMs / 1000)} to translate`));
      };
      // It may be this thread that was late: a reply that has come by now is read before.
      const wait = (ms: number): void => {
        timer = setTimeout(() => setImmediate(giveUp), ms);
      };
      const leave = (): void => {
        clearTimeout(timer);
        task = undefined;
      };
      const own: Task = {
        done(reply) {
          leave();
          resolve(reply);
        },
        failed(error) {
          leave();
          reject(isOutOfMemory(error) ? tooComplex(text.sql, `this SQL takes more than ${memoryMb} MB of memory to translate`) : error);
        },
      };
      task = own;
      worker.postMessage(text);
      wait(timeoutMs);
    });

  return {
    get ended() {
      return ended;
    },
    async translate(text) {
      return translationIn(await replyTo(text, await ready));
    },
    end,
  };
}

function translationIn(reply: Reply): SpecializableTranslation {
  if ('translation' in reply) return reply.translation;
  if ('error' in reply) throw errorFrom(reply.error);
  const fault = new Error(reply.fault.message);
  if (reply.fault.stack !== undefined) fault.stack = reply.fault.stack;
  throw fault;
}

function tooComplex(sql: string, message: string): QuernError {
  return new QuernError('too-complex', message, {
    source: { name: CALLERS_TEXT, text: sql },
    span: { start: 0, end: sql.length },
    hint: 'write it with fewer steps, or ask for less at once',
  });
}

const isOutOfMemory = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
