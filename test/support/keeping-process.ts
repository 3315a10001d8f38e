// Run as a process of its own: asks a server for prepared queries without end, and keeps their buckets in a cache that it shares. Each line of its standard
// input is the instant from then on.

import { readFileSync } from 'node:fs';
import { Cache } from '../../src/cache/cache.ts';
import { openServer } from '../../src/engine/server/server.ts';
import { executeKeeping } from '../../src/execution/run.ts';
import { fixedVersion } from './fixed-sources.ts';

const [url = '', folder = '', file = '', first = ''] = process.argv.slice(2);
const { prepared, calls } = JSON.parse(readFileSync(file, 'utf8'));
let instant = first;
process.stdin.on('data', (text) => {
  instant = String(text).trim().split('\n').at(-1) ?? instant;
});
process.stdin.on('end', () => process.exit());
const engine = openServer({ url });
for (let i = 0; ; i++) {
  const cache = new Cache({ folder, maxBytes: 1e9, now: Date.now, onNote: () => {} });
  const [name, given] = calls[Math.floor(Math.random() * calls.length)];
  const deps = { limits: {}, engine: async () => engine, version: fixedVersion('here', { place: 'here' }), cache, fastMs: 0 };
  // Its table may be away.
  await executeKeeping(prepared[name], { arguments: given, instant }, deps).catch(() => undefined);
  if (i === 0) process.stdout.write('runs\n');
}
