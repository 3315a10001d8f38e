// quern demo: the three queries that ship, on a sample that is generated and loaded once.
import { homedir } from 'node:os';
import type { Command } from 'commander';
import type { App } from '../app.ts';
import { loadSample, missingSources, SAMPLE_INSTANT } from '../demo/sample.ts';
import { QuernError } from '../errors.ts';

interface Step {
  readonly title: string;
  readonly reference: string;
  readonly arguments: Readonly<Record<string, string>>;
  readonly chart: boolean;
}

const steps: readonly Step[] = [
  {
    title: 'Requests per API area of the project "demo", by day',
    reference: 'usage.api-counts',
    arguments: { project: 'demo', interval: 'daily' },
    chart: true,
  },
  {
    title: 'How long its functions took, by hour of the last day',
    reference: 'functions.invocation-stats',
    arguments: { project: 'demo', interval: '1day' },
    chart: true,
  },
  {
    title: 'Its newest requests',
    reference: 'logs.all',
    arguments: { project: 'demo', iso_timestamp_start: '2026-01-15T11:58:00Z' },
    chart: false,
  },
];

/** On a narrow terminal a few rows show what they look like. */
const mostBlocks = 3;
/** Where no terminal says how wide it is. */
const pageWidth = 120;

export function register(command: Command, app: App): void {
  command
    .addHelpText('after', '\nExamples:\n  quern demo\n\nThe sample lives in a store of its own: it does not touch the logs you load.')
    .action(async () => {
      const demo = await app.demo();
      await prepare(demo);
      for (const step of steps) await show(demo, step);
      await app.io.stdout.write(next(quern(app)));
    });
}

async function prepare(demo: App): Promise<void> {
  const missing = missingSources((await demo.manifest()).sources);
  if (missing.length === 0) return;
  const startedAt = performance.now();
  await demo.note(`Generating a week of sample logs and loading them into ${(await demo.settings()).values.store}`);
  const store = await demo.store();
  let events = 0;
  for (const source of missing) {
    await loadSample(store, source, demo.signal).catch(explainInterrupt);
    events += source.count;
  }
  await demo.note(
    `${events.toLocaleString('en')} events of ${missing.length} log sources in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`,
  );
}

function explainInterrupt(error: unknown): never {
  if (!(error instanceof QuernError) || error.code !== 'interrupted') throw error;
  throw new QuernError('interrupted', 'the demo was interrupted while it loaded its sample', {
    hint: 'start it again: it goes on with the sources that are missing',
    cause: error,
  });
}

async function show(demo: App, { title, reference, arguments: given, chart }: Step): Promise<void> {
  const { store } = (await demo.settings()).values;
  const flags = Object.entries(given).map(([name, value]) => `--${name.replaceAll('_', '-')} ${value}`);
  await demo.io.stdout.write(`\n${title}:\n\n`);
  await demo.io.stdout.write(
    `$ ${[quern(demo), 'run', reference, ...flags, '--as-of', SAMPLE_INSTANT, '--store', shellPath(store)].join(' ')}\n`,
  );
  const { result } = await demo.run({ reference, arguments: given, asOf: SAMPLE_INSTANT, cache: 'use' });
  await demo.print(result, { format: 'table', pageWidth, mostBlocks });
  if (chart) await demo.print(result, { format: 'chart', pageWidth });
}

/** As the reader would type it. */
const quern = (app: App): string => (app.io.env['npm_command'] === 'exec' ? 'npx quern' : 'quern');

function shellPath(path: string): string {
  const home = homedir();
  const short = path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
  return /^[\w~./-]+$/.test(short) ? short : `'${path.replaceAll("'", "'\\''")}'`;
}

const next = (name: string): string => `
Next:
  ${name} explain usage.api-counts                            the ClickHouse SQL it became
  ${name} load edge_logs access.log --project mysite          your own nginx or Apache log
  ${name} run usage.api-counts --project . --interval daily   and its requests per day
  ${name} show usage.api-counts --sql > mine.sql              begin a query of your own
  ${name} run ./mine.sql --project . --interval daily         and run it
  ${name} --help
`;
