// Counts what code does instead of timing it: V8 counts how often each block of it is executed, which is the same on every machine, however busy.
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { bundle } from '../../scripts/bundle.mjs';

interface Counted<T> {
  readonly result: T;
  /** How many blocks of code were executed: branches, bodies of loops, functions. V8's own loops, as in `includes`, count as one. */
  readonly blocks: number;
}

interface CountedCode {
  /** Calls a function that the file exports, whose arguments and result can be copied. */
  call<T>(name: string, ...args: readonly unknown[]): Promise<Counted<T>>;
  close(): Promise<unknown>;
}

/** A thread of its own: its counting takes nothing from that of `npm run coverage`. */
const THREAD = `
const { Session } = require('node:inspector');
const { parentPort, workerData } = require('node:worker_threads');
const session = new Session();
session.connect();
const ask = (method, options) => {
  let answer;
  session.post(method, options, (error, result) => { if (error) throw error; answer = result; });
  return answer;
};
ask('Profiler.enable');
ask('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
const blocks = () => ask('Profiler.takePreciseCoverage').result
  .filter(({ url }) => url.startsWith('file:'))
  .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges.map(({ count }) => count)))
  .reduce((sum, count) => sum + count, 0);
import(workerData).then((code) => {
  parentPort.on('message', async ({ name, args }) => {
    blocks();
    const result = await code[name](...args);
    parentPort.postMessage({ result, blocks: blocks() });
  });
});
`;

/** Loads a TypeScript file, by its full path. */
export async function countedCode(file: string): Promise<CountedCode> {
  const worker = new Worker(THREAD, { eval: true, workerData: pathToFileURL(await bundle(file)).href });
  return {
    call: <T>(name: string, ...args: readonly unknown[]) =>
      new Promise<Counted<T>>((resolve, reject) => {
        worker.removeAllListeners().once('error', reject).once('message', resolve).postMessage({ name, args });
      }),
    close: () => worker.terminate(),
  };
}
