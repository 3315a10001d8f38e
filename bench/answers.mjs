// The answers of a server without HTTP: what one out of memory costs, that identical misses share a run, and that memory stays flat over
// many answers of every kind. Run by itself: node --expose-gc bench/answers.mjs [answers]
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importTypeScript } from '../scripts/bundle.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const ANSWERS = Number(process.argv[2] ?? 200_000);
const HITS = 1_000_000;
const IDENTICAL = 1000;
/** Of the heap, from a tenth of the way to the end. */
const MOST_GROWTH = 1.1;

const QUERY = `/*---
id: 4c1f0000-0000-4000-8000-000000000001
cache: 5s
cache_warming: 3s
params: { rows: { type: integer, required: true } }
---*/
select n, concat('row ', cast(n as string)) as name from unnest(generate_array(1, @rows)) as n order by n
`;

const folder = mkdtempSync(join(root, 'node_modules/.quern-bench-'));
const quern = await importTypeScript('bench/answers-parts.ts');
mkdirSync(join(folder, 'queries'));
writeFileSync(join(folder, 'queries', 'rows.sql'), QUERY);
const prepared = await quern.prepare(
  { query: 'rows' },
  {
    catalog: quern.openCatalog([join(folder, 'queries')]),
    sources: quern.fixedSources(() => ({ names: [], find: () => undefined })),
  },
);

const engine = await quern.openEmbedded({ path: join(folder, 'data') });
let runs = 0;
const counted = { ...engine, execute: (query) => ++runs && engine.execute(query) };
const clock = { now: Date.now, after: (ms, action) => clearTimeout.bind(undefined, setTimeout(action, ms)) };
const answers = new quern.Answers({
  cache: new quern.Cache({ folder: join(folder, 'cache'), maxBytes: 5e6, now: Date.now, onNote: console.error }),
  snapshot: async () => ({ version: quern.fixedVersion('bench'), limits: {}, engine: async () => counted, outdated: async () => false }),
  prepareAgain: async (outdated) => outdated,
  redact: (result) => result,
  clock,
  random: Math.random,
  onEvent: ({ kind, error }) => console.error(kind, error.message),
  limits: { memoryBytes: 4e5, staleSeconds: 1, staleIfErrorSeconds: 10, queries: 3, waiting: 1000, waitMs: 60_000 },
});
const RENDERERS = ['json', 'csv', 'lines'].map((id) => ({
  id,
  contentType: 'text/plain',
  print: ({ rows }) => [`${id}${JSON.stringify(rows)}`],
}));

const argumentsOf = (rows) => quern.readArguments(prepared.parameters, { rows: String(rows) }, prepared.name);
const call = (rows, changes = {}) => ({
  prepared,
  arguments: argumentsOf(rows),
  render: RENDERERS[0],
  redact: false,
  fresh: false,
  requestId: 'bench',
  signal: new AbortController().signal,
  ...changes,
});

const answer = (both) => answers.answer(both, both);

await Promise.all(Array.from({ length: IDENTICAL }, () => answer(call(500))));
console.log(`${IDENTICAL} identical misses: ${runs} run`);

const same = call(500);
const startedAt = performance.now();
let hits = 0;
for (let n = 0; n < HITS; n++) if (!(answer(same) instanceof Promise)) hits++;
console.log(`an answer out of memory: ${(((performance.now() - startedAt) / HITS) * 1e6).toFixed(0)} ns (${hits} of ${HITS})`);

/** A hit, a miss, another shape, a fresh run, a caller who leaves, compressed bodies. */
async function one(n) {
  const controller = new AbortController();
  const answered = answer(
    call(1 + ((n * 7919) % 150), {
      render: RENDERERS[n % 3],
      redact: n % 5 === 0,
      fresh: n % 997 === 0,
      requestId: `request ${n % 50}`,
      signal: controller.signal,
      ...(n % 11 === 0 ? { maxRows: 20 } : {}),
    }),
  );
  if (n % 501 === 0) controller.abort();
  const found = await Promise.resolve(answered).catch((error) => error);
  if (found instanceof Error && found.code !== 'interrupted') throw found;
  if (!(found instanceof Error) && n % 13 === 0) await found.body(n % 2 === 0 ? 'gzip' : 'br');
}

const used = [];
for (let done = 0, next = ANSWERS / 10; done < ANSWERS; done += 50) {
  await Promise.all(Array.from({ length: 50 }, (_, n) => one(done + n)));
  if (done + 50 < next) continue;
  next += ANSWERS / 10;
  // Compressed bodies and files under way are freed in their own time.
  for (let turn = 0; turn < 5; turn++) {
    await new Promise((resume) => setTimeout(resume, 20));
    globalThis.gc?.();
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  used.push(heapUsed + external);
  const { bodies, bytes } = answers.stats();
  const mb = (size) => (size / 1e6).toFixed(1);
  console.log(
    `${done + 50} answers: ${runs} runs, ${bodies} bodies of ${mb(bytes)} MB, heap ${mb(heapUsed)}, external ${mb(external)}, RSS ${mb(rss)} MB`,
  );
}
await answers.drain();
await engine.close();
rmSync(folder, { recursive: true, force: true });
const growth = Math.max(...used.slice(1)) / used[0];
console.log(`growth ${growth.toFixed(2)}`);
process.exit(runs > 0 && growth <= MOST_GROWTH ? 0 : 1);
