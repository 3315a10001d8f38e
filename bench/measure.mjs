// Times processes against each other: in turns, so that what else the machine does hits both, and by their medians.
import { spawnSync } from 'node:child_process';

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** Milliseconds that `node …args` takes from start to end. */
export function processMs(args, options = {}) {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'], ...options });
  const took = performance.now() - start;
  if (status !== 0) throw new Error(`node ${args.join(' ').slice(0, 200)} failed: ${stderr}`);
  return took;
}

/** Medians of `rounds` rounds, each running every one of `runs` once. */
export function inTurns(runs, rounds) {
  const times = Object.fromEntries(Object.keys(runs).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) for (const [name, run] of Object.entries(runs)) times[name].push(run());
  return Object.fromEntries(Object.entries(times).map(([name, values]) => [name, median(values)]));
}
