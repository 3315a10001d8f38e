// One translating thread: it takes a text at a time, and is ended by one that takes too much time or memory.
import { Worker } from 'node:worker_threads';
import { QuernError } from '../../errors.ts';
import { type CallersText, errorFrom } from '../../execution/callers-text.ts';
import { formatDuration } from '../../quantity.ts';
import type { FoldableTranslation } from '../../sql/translation.ts';
import { CALLERS_TEXT } from '../failure.ts';
import { READY, type Reply } from './reply.ts';

export interface ThreadOptions {
  /** What the build makes of worker.ts. */
  readonly file: URL;
  /** For one text, once the thread has begun with it. */
  readonly timeoutMs: number;
  readonly memoryMb: number;
}

export interface Thread {
  /** It takes no more texts. */
  readonly ended: boolean;
  translate(text: CallersText): Promise<FoldableTranslation>;
  end(): Promise<void>;
}

/** The text that the thread is at. */
interface Task {
  readonly done: (reply: Reply) => void;
  readonly failed: (error: unknown) => void;
}

/** Twice that of a main thread: the translator's own bounds on depth are met first. */
const STACK_MB = 2;

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

  const ready = new Promise<void>((resolve, reject) => {
    const fail = (error: unknown): void => {
      ended = true;
      reject(error);
      task?.failed(error);
    };
    worker.on('message', (said: typeof READY | Reply) => {
      if (said === READY) resolve();
      else task?.done(said);
    });
    worker.on('error', fail).on('exit', () => fail(new QuernError('interrupted', 'the translation was interrupted')));
  });
  ready.catch(() => undefined); // it is told to whoever wants a translation

  const replyTo = (text: CallersText): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const giveUp = (): void => {
        if (task !== own) return;
        void end();
        own.failed(tooComplex(text.sql, `this SQL takes longer than ${formatDuration(timeoutMs / 1000)} to translate`));
      };
      // It may be this thread that was late: a reply that has come by now is read before.
      const timer = setTimeout(() => setImmediate(giveUp), timeoutMs);
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
    });

  return {
    get ended() {
      return ended;
    },
    async translate(text) {
      await ready;
      return translationIn(await replyTo(text));
    },
    end,
  };
}

function translationIn(reply: Reply): FoldableTranslation {
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
    hint: 'write it in fewer steps, or ask for less at once',
  });
}

const isOutOfMemory = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
