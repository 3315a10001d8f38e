// quern demo: runs the three queries that ship, on a sample that is generated and loaded once.
import type { Command } from 'commander';
import { QuernError } from '../../base/errors.ts';
import { formatNumber } from '../../base/quantity.ts';
import { prepare } from '../../execution/prepare.ts';
import { run } from '../../execution/run.ts';
import { openServices } from '../../services.ts';
import { demoStore, SAMPLE_INSTANT, shellPath } from '../demo/place.ts';
import { loadSample, missingSources } from '../demo/sample.ts';
import type { Parts } from '../parts.ts';

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

/** On a narrow terminal a few rows are enough. */
const mostBlocks = 3;
/** The width where there is no terminal. */
const pageWidth = 120;

/** The parts of a demo on its own store, and where that is. */
interface Demo extends Parts {
  readonly folder: string;
}

export function register(command: Command, { io, signal, flags, terminal, runStoreCommand }: Parts): void {
  command
    .addHelpText('after', '\nExamples:\n  quern demo\n\nThe sample lives in a store of its own: it does not touch the logs you load.')
    .action(async () => {
      const folder = demoStore(io.env);
      const services = openServices({ io, signal, embedded: true, flags: () => ({ ...flags(), store: folder }) });
      const demo = { ...services, terminal, runStoreCommand, folder };
      try {
        await loadSources(demo);
        for (const step of steps) await show(demo, step);
      } finally {
        await services.close();
      }
      await io.stdout.write(next(quern(io), shellPath(folder)));
    });
}

async function loadSources({ store: open, manifest, signal, terminal, folder }: Demo): Promise<void> {
  const missing = missingSources((await manifest()).sources);
  if (missing.length === 0) return;
  const startedAt = performance.now();
  await terminal.note(`Generating a week of sample logs and loading them into ${folder}`);
  const store = await open();
  let events = 0;
  for (const source of missing) {
    await loadSample(store, source, signal).catch(explainInterrupt);
    events += source.count;
  }
  await terminal.note(
    `${formatNumber(events)} events of ${missing.length} log sources in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`,
  );
}

function explainInterrupt(error: unknown): never {
  if (!(error instanceof QuernError) || error.code !== 'interrupted') throw error;
  throw new QuernError('interrupted', 'the demo was interrupted while loading its sample', {
    hint: 'run it again: it continues with the sources that are missing',
    cause: error,
  });
}

async function show({ io, running, signal, terminal, folder }: Demo, { title, reference, arguments: given, chart }: Step): Promise<void> {
  const flags = Object.entries(given).map(([name, value]) => `--${name.replaceAll('_', '-')} ${value}`);
  await io.stdout.write(`\n${title}:\n\n`);
  await io.stdout.write(
    `$ ${[quern(io), 'run', reference, ...flags, '--as-of', SAMPLE_INSTANT, '--store', shellPath(folder)].join(' ')}\n`,
  );
  const { result } = await running(async (current) =>
    run(await prepare({ query: reference }, current), { arguments: given, asOf: SAMPLE_INSTANT, signal }, current),
  );
  await terminal.print(result, { format: 'table', pageWidth, mostBlocks });
  if (chart) await terminal.print(result, { format: 'chart', pageWidth });
}

/** The command as the reader would type it. */
const quern = ({ env }: Parts['io']): string => (env['npm_command'] === 'exec' ? 'npx quern' : 'quern');

/** `sample` is the folder where it is stored. */
const next = (name: string, sample: string): string => `
Next:
  ${name} serve --no-auth --store ${sample}
    the same in a browser: choose the time range of a source on the overview
  ${name} explain usage.api-counts                            the ClickHouse SQL it became
  ${name} load edge_logs access.log --project mysite          your own nginx or Apache log
  ${name} run usage.api-counts --project . --interval daily   and its requests per day
  ${name} show usage.api-counts --sql > mine.sql              start a query of your own
  ${name} run ./mine.sql --project . --interval daily         and run it
  ${name} --help
`;
