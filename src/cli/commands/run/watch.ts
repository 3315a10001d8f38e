// quern run --watch: runs a query at an interval and redraws its rows in one place, until Ctrl-C.
import { setTimeout } from 'node:timers/promises';
import { QuernError } from '../../../base/errors.ts';
import { formatDuration, parseDuration } from '../../../base/quantity.ts';
import { prepare } from '../../../execution/prepare.ts';
import type { QueryRequest } from '../../../execution/request.ts';
import { type RunOutcome, run } from '../../../execution/run.ts';
import type { Layout } from '../../../output/format.ts';
import { loadFormat } from '../../../output/index.ts';
import { openScreen } from '../../../output/screen.ts';
import { visible } from '../../../output/visible.ts';
import type { Parts } from '../../parts.ts';
import { emptinessText, truncation } from './outcome.ts';
import { chosenRows, type RowOptions } from './run-rows.ts';

interface WatchFlags {
  readonly watch?: string | undefined;
  readonly output?: string | undefined;
  readonly scalar?: true | undefined;
  readonly failOnTruncate?: true | undefined;
  readonly stats?: true | undefined;
  readonly sql?: string | undefined;
}

const LEAST_SECONDS = 0.1;
/** The height where the terminal does not report it. */
const USUAL_LINES = 24;

/** Reads the seconds between the end of a run and the next one. Throws `usage` where there is nothing to redraw. */
export function readWatch({ stdout }: Parts['io'], { watch = '', ...flags }: WatchFlags, format: RowOptions['format']): number {
  const seconds = parseDuration(watch);
  if (seconds === undefined || seconds < LEAST_SECONDS) {
    throw new QuernError('usage', `--watch ${JSON.stringify(watch)} is not an interval`, {
      hint: `write it like 30s or 5m; the shortest is ${formatDuration(LEAST_SECONDS)}`,
    });
  }
  const clash = (
    [
      ['--output', flags.output],
      ['--scalar', flags.scalar],
      ['--fail-on-truncate', flags.failOnTruncate],
      ['--stats', flags.stats],
    ] as const
  ).find(([, value]) => value !== undefined)?.[0];
  if (clash !== undefined) {
    throw new QuernError('usage', `--watch redraws the terminal and cannot be combined with ${clash}`, { hint: 'leave one of them out' });
  }
  if (flags.sql === '-') {
    throw new QuernError('usage', '--watch reads --sql - only once', { hint: 'put the SQL in a file: --sql @FILE' });
  }
  if (!stdout.isTerminal) {
    throw new QuernError('usage', '--watch needs standard output to be a terminal', {
      hint: 'leave out --watch, and run the command from a timer or a loop',
    });
  }
  if (format !== undefined && format !== 'table' && format !== 'chart') {
    throw new QuernError('usage', `--watch draws a table or a chart, but the format is ${format}`, {
      hint: 'use --format table or --format chart',
    });
  }
  return seconds;
}

interface Watch {
  readonly everySeconds: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

interface Picture extends RunOutcome {
  readonly at: number;
  /** The reason why there are no rows, where that is known. */
  readonly emptiness?: string | undefined;
}

/** A first run that fails ends it; when a later one fails, the last picture stays, with the reason below. Ctrl-C ends it without an error. */
export async function watchRows(parts: Parts, request: QueryRequest, rowOptions: RowOptions, { everySeconds, now }: Watch): Promise<void> {
  const { io, signal, connection, running, terminal } = parts;
  const takePicture = async (): Promise<Picture> => {
    const outcome = await running(async (current) => run(await prepare(request, current), request, current));
    const result = await chosenRows(outcome.result, rowOptions.columns);
    const { sources } = outcome.prepared;
    const unknown = result.rows.length > 0 || sources.length === 0;
    const empty = unknown ? undefined : await (await connection()).explainEmpty(sources);
    return { ...outcome, result, emptiness: empty === undefined ? undefined : emptinessText(empty), at: now() };
  };
  const colour = await terminal.colours();
  let picture = await takePicture();
  let failure: { readonly error: QuernError; readonly at: number } | undefined;
  const lines = async () => {
    const [width, height] = [io.stdout.columns ?? 80, io.stdout.terminal?.rows ?? USUAL_LINES];
    const below = failure === undefined ? [] : await failureLines(failure.error, failure.at, everySeconds, colour);
    const room = height - below.length - 1;
    return [
      statusLine(picture, everySeconds),
      ...(await pictureLines(picture, request, rowOptions, { width, height: room, colour, ascii: terminal.asciiOnly() })),
      ...below,
    ];
  };
  await lines(); // rows that cannot be drawn are reported before the screen is opened
  const screen = await openScreen(io.stdout);
  const redraw = async () => screen.show(await lines());
  const onResize = () => void redraw().catch(() => undefined); // the next redraw has the same error, and reports it
  const onAbort = () => void screen.close().catch(() => undefined);
  io.stdout.terminal?.on('resize', onResize);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    while (!signal.aborted) {
      await redraw();
      await setTimeout(everySeconds * 1000, undefined, { signal }).catch(() => undefined); // ended early by Ctrl-C only
      if (signal.aborted) return;
      try {
        picture = await takePicture();
        failure = undefined;
      } catch (error) {
        if (!(error instanceof QuernError) || error.code === 'internal') throw error;
        failure = { error, at: now() };
      }
    }
  } finally {
    io.stdout.terminal?.off('resize', onResize);
    signal.removeEventListener('abort', onAbort);
    await screen.close();
  }
}

/** Returns `19:03:05 UTC: 24 rows in 12 ms; usage.api-counts, every 30s`: the most important first, as the terminal cuts the rest. */
function statusLine({ result, cache, prepared, at }: Picture, everySeconds: number): string {
  const count = `${result.rows.length} ${result.rows.length === 1 ? 'row' : 'rows'}`;
  const elapsed = result.statistics?.elapsedMs;
  const ran = elapsed === undefined ? '' : ` in ${Math.round(elapsed)} ms`;
  const from = cache.state === 'hit' ? `, cached ${cache.ageSeconds ?? 0} s ago` : ran;
  return `${clock(at)}: ${count}${from}; ${visible(prepared.name)}, every ${formatDuration(everySeconds)}`;
}

/** Returns the picture and the notes under it, cut to the height. */
async function pictureLines(
  { result, prepared, emptiness }: Picture,
  request: QueryRequest,
  rowOptions: RowOptions,
  layout: Layout & { readonly height: number },
): Promise<readonly string[]> {
  const notes = [
    ...(result.truncated ? [truncation(prepared, request)] : []),
    ...(result.missing === undefined ? [] : [`rows are missing: ${result.missing.join(', ')} did not answer`]),
    ...(emptiness === undefined ? [] : [emptiness]),
  ];
  const draw = await loadFormat(rowOptions.format === 'chart' ? 'chart' : 'table');
  const drawing = {
    ...rowOptions.drawing,
    ...layout,
    height: layout.height - notes.length,
    onNote: (text: string) => void notes.push(text),
  };
  const lines = [...draw(result, drawing)].join('').trimEnd().split('\n');
  const room = Math.max(1, layout.height - notes.length);
  const hidden = lines.length - room + 1;
  const shown = lines.length <= room ? lines : [...lines.slice(0, room - 1), `… ${hidden} more ${hidden === 1 ? 'line' : 'lines'}`];
  return [...shown, ...notes.map((text) => `note: ${visible(text)}`)];
}

async function failureLines(failure: QuernError, at: number, everySeconds: number, colour: boolean): Promise<readonly string[]> {
  const { renderError } = await import('../../../output/error.ts');
  const text = renderError(failure, { colour, verbose: false }).trimEnd().split('\n');
  return [...text, `the last run failed at ${clock(at)}; the next run is ${formatDuration(everySeconds)} later`];
}

const clock = (at: number): string => `${new Date(at).toISOString().slice(11, 19)} UTC`;
