// Run as a child process by processes.test.ts: works on a shared cache folder and reports what it saw.
import { Cache } from '../../src/cache/cache.ts';
import { resultFor } from './shared-results.ts';

const [folder = '', seed = '0', roundsText = '0', maxBytes = '0'] = process.argv.slice(2);
const report = { wrong: 0, hits: 0, misses: 0, cleared: 0, notes: [] as string[] };
const cache = new Cache({ folder, maxBytes: Number(maxBytes), now: Date.now, onNote: (note) => report.notes.push(note) });

// A linear congruential generator: every process does other things in another order, the same ones on each run of the test.
let state = Number(seed) * 7919 + 1;
const random = (below: number) => {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
  return Math.floor((state / 2_147_483_648) * below);
};

for (let round = 0; round < Number(roundsText); round++) {
  const slot = random(12);
  const key = slot.toString(16).repeat(64);
  const refresh = random(3) === 0;
  const wanted = { key, query: `q${slot}`, arguments: {}, ttlSeconds: 600 };
  const entry = refresh ? undefined : await cache.lookup(key);
  const filled = entry === undefined ? await cache.fill(key, async () => ({ wanted, result: resultFor(slot, random(1000)) })) : undefined;
  await filled?.written;
  const result = entry?.result ?? filled?.result;
  const version = Number(result?.rows[0]?.[0]);
  if (JSON.stringify(result) !== JSON.stringify(resultFor(slot, version))) report.wrong++;
  if (entry !== undefined) report.hits++;
  else report.misses++;
  if (random(40) === 0) report.cleared += await cache.clear({ query: `q${random(12)}` });
  if (random(60) === 0) await cache.list();
}
process.stdout.write(JSON.stringify(report));
