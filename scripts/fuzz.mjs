// Translates random and damaged queries until the time is up, and says which ones the translator does not refuse in words.
//   npm run fuzz [-- --seconds 60] [--seed 1] [--show]      --show prints the text of one seed
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { bundle } from './bundle.mjs';

/** A text that takes longer than this hangs. */
const HANG_SECONDS = 10;

if (isMainThread) await watch();
else await work();

/** Runs the fuzz in a thread of its own, which can be left when a text hangs. */
async function watch() {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const { values } = parseArgs({
    options: { seconds: { type: 'string', default: '60' }, seed: { type: 'string' }, show: { type: 'boolean', default: false } },
  });
  const first = Number(values.seed ?? Date.now() % 1_000_000_000);
  const script = await bundle(join(root, 'test/sql/fuzz/run.ts'));
  const folder = join(root, 'queries');
  const corpus = readdirSync(folder)
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8'));
  if (values.show) {
    const { textOf } = await import(pathToFileURL(script).href);
    console.log(textOf(first, corpus));
    return;
  }
  console.log(`seeds from ${first}, ${values.seconds} s`);
  /** Seed being checked, so that the watcher knows where it hangs. */
  const at = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(fileURLToPath(import.meta.url), { workerData: { script, corpus, first, seconds: Number(values.seconds), at } });
  let last = -1;
  let since = Date.now();
  const timer = setInterval(() => {
    const seed = Atomics.load(at, 0);
    if (seed !== last) {
      last = seed;
      since = Date.now();
    } else if (Date.now() - since > HANG_SECONDS * 1000) {
      console.error(`seed ${seed} hangs: npm run fuzz -- --seed ${seed} --show`);
      process.exit(1);
    }
  }, 500);
  worker.on('message', ({ problems, checked }) => {
    clearInterval(timer);
    for (const { seed, problem, text } of problems.slice(0, 20)) console.error(`\nseed ${seed}: ${problem}\n${text}`);
    console.log(`${checked} texts, ${problems.length} problems`);
    process.exitCode = problems.length === 0 ? 0 : 1;
  });
}

async function work() {
  const { script, corpus, first, seconds, at } = workerData;
  const { fuzz } = await import(pathToFileURL(script).href);
  const stop = Date.now() + seconds * 1000;
  let checked = 0;
  const problems = fuzz(first, corpus, (count) => {
    checked = count;
    Atomics.store(at, 0, (first + count) | 0);
    return Date.now() < stop;
  });
  parentPort.postMessage({ problems, checked });
}
