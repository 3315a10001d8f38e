// quern load: log files into the embedded store.
import { basename, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { nearest, QuernError } from '../../errors.ts';
import type { Parts } from '../parts.ts';
import { withValues } from './flags.ts';
import { progressBar } from './progress.ts';

const loadFormats = ['ndjson', 'csv', 'parquet', 'combined'] as const;
type LoadFormat = (typeof loadFormats)[number];

interface Flags {
  readonly format?: string;
  readonly project?: string;
  readonly again?: true;
  readonly skipBadLines?: true;
}

export function register(command: Command, parts: Parts): void {
  command
    .argument('<source>', 'log source: edge_logs, function_edge_logs, postgres_logs, …')
    .argument('<file...>', 'files, plain, .gz or .zst; - is standard input')
    .addOption(
      withValues(new Option('--format <format>', `${loadFormats.join(', ')}; found by name and contents when absent`), loadFormats),
    )
    .option('--project <project>', 'project of the events that do not name theirs')
    .option('--again', 'load the same content again')
    .option('--skip-bad-lines', 'succeed even when some lines could not be loaded')
    .addHelpText(
      'after',
      `
Examples:
  quern load edge_logs access.log.gz --project shop     an access log of nginx or Apache
  quern load function_edge_logs events.ndjson
  zcat *.json.gz | quern load auth_logs -

A file is loaded whole or not at all. Lines that cannot be read are kept out, counted and shown; the exit code is 1 then.`,
    )
    .action(async (source: string, files: readonly string[], flags: Flags) => {
      const format = flags.format === undefined ? undefined : loadFormat(flags.format);
      let badLines = 0;
      for (const file of files) badLines += await loadFile(parts, source, file, flags, format);
      if (badLines > 0 && flags.skipBadLines !== true) {
        throw new QuernError('load', `${count(badLines, 'line')} could not be loaded; the others are in the store`, {
          hint: 'fix the lines and load them by themselves; with --skip-bad-lines such a load exits with 0',
        });
      }
    });
}

/** Loads one file, reports it on standard error, and gives the number of bad lines. */
async function loadFile(
  { io, signal, store: open, terminal }: Parts,
  source: string,
  file: string,
  flags: Flags,
  format: LoadFormat | undefined,
): Promise<number> {
  const store = await open();
  const name = file === '-' ? 'standard input' : basename(file);
  const bar = await progressBar(terminal, name);
  try {
    const report = await store.load(source, file === '-' ? io.stdin : resolve(io.cwd, file), {
      format,
      project: flags.project,
      again: flags.again === true,
      signal: signal,
      onProgress: bar.update,
    });
    bar.stop();
    const { count: bad, first } = report.badLines;
    for (const line of first) await terminal.warn(`${name}:${line.line}: ${line.reason}${line.text === '' ? '' : `: ${line.text}`}`);
    if (bad > first.length) await terminal.warn(`${name}: and ${bad - first.length} more bad lines`);
    const span = report.firstTimestamp === undefined ? '' : `, ${short(report.firstTimestamp)} to ${short(report.lastTimestamp ?? '')}`;
    const kept = bad === 0 ? '' : `, ${count(bad, 'bad line')} kept out`;
    await terminal.note(
      `${name}: ${count(report.rows, 'event')} into ${report.source} (${report.format}, ${(report.elapsedMs / 1000).toFixed(1)} s)${span}${kept}`,
    );
    return bad;
  } finally {
    bar.stop();
  }
}

function loadFormat(name: string): LoadFormat {
  const found = loadFormats.find((format) => format === name);
  if (found !== undefined) return found;
  const near = nearest(name, loadFormats);
  throw new QuernError('usage', `${name} is not a format that can be loaded`, {
    hint: `${near === undefined ? '' : `did you mean ${near}? `}formats: ${loadFormats.join(', ')}`,
  });
}

const count = (n: number, noun: string): string => `${n.toLocaleString('en')} ${noun}${n === 1 ? '' : 's'}`;

const short = (timestamp: string): string => timestamp.replace('.000000Z', 'Z');
