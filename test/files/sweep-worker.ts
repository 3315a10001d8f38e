// Run as a child process by sweep.test.ts: writes files into a pool, four at once, until the pool is within its bound, and reports what that cost.
import { promises as fs } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { digest } from '../../src/cache/json-memory.ts';
import { FilePool } from '../../src/files/file-pool.ts';
import { processorTime } from '../support/processor-time.ts';
import { used } from './used.ts';

const [folder = '', seed = '', files = '0', maxBytes = '0'] = process.argv.slice(2);
const troubles: string[] = [];
const pool = new FilePool({
  folder,
  suffix: '.x',
  maxBytes: Number(maxBytes),
  now: Date.now,
  onTrouble: ({ message }) => troubles.push(message),
});

let steps = 0;
const { opendir } = fs;
fs.opendir = (...given) => {
  steps++;
  return opendir(...given);
};

let [worstMs, lastMs] = [0, processorTime()];
const watch = setInterval(() => {
  const nowMs = processorTime();
  [worstMs, lastMs] = [Math.max(worstMs, nowMs - lastMs), nowMs];
}, 1);

const before = process.memoryUsage.rss();
let [written, peak] = [0, before];
const write = async () => {
  while (written < Number(files)) await pool.write(digest(`${seed} ${written++}`), 'k'.repeat(1000));
};
await Promise.all([write(), write(), write(), write()]);
for (let at = 0; (await used(folder)) > Number(maxBytes); at++) {
  peak = Math.max(peak, process.memoryUsage.rss());
  // Another process may have stopped in the middle of a sweep.
  if (at % 20 === 19) await pool.write(digest(`${seed} more`), String(at));
  await pause(50);
}
clearInterval(watch);
process.stdout.write(JSON.stringify({ worstMs, grownBytes: peak - before, steps, troubles }));
