// quern load: files into the embedded store, logs into log sources and others into tables of the user's own.
import { basename, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { nearest, QuernError } from '../../../base/errors.ts';
import { formatCount } from '../../../base/quantity.ts';
import { addFileFlags } from '../../arguments/file-flags.ts';
import { withValues } from '../../arguments/flags.ts';
import { wholeNumber } from '../../arguments/whole-number.ts';
import type { Parts } from '../../parts.ts';
import { loadTable, showBadLines, TABLE_FORMATS, type TableFlags, tableFlags } from './load-table.ts';
import { progressBar } from './progress.ts';

const LOG_FORMATS = ['ndjson', 'csv', 'parquet', 'combined'] as const;
type LogFormat = (typeof LOG_FORMATS)[number];
const FORMATS = [...new Set([...TABLE_FORMATS, ...LOG_FORMATS])];

interface Flags extends TableFlags {
  readonly format?: string;
  readonly project?: string;
  readonly logFormat?: string;
  readonly again?: true;
  /** A number, or `all`. */
  readonly skipBadLines?: string;
}

export function register(command: Command, parts: Parts): void {
  command
    .argument(
      '<source>',
      'a log source (edge_logs, postgres_logs, …), or any other name for a table of your own, which is created if it does not exist',
    )
    .argument('<file...>', 'files, plain or compressed (.gz, .zst, .xz, .bz2, .lz4, .br), or - for standard input')
    .addOption(
      withValues(new Option('--format <format>', `${FORMATS.join(', ')}; by default detected from the name and the contents`), FORMATS),
    )
    .option('--again', 'load content again that was loaded before')
    .option('--skip-bad-lines [n]', 'leave out lines that cannot be loaded: all of them, or with --skip-bad-lines=N at most N')
    .option(
      '--schema <schema>',
      'tables: types of columns, as name:TYPE,… or a file with the output of `bq show --schema`; others are inferred',
    )
    .option('--replace', 'tables: replace the contents of the table, once all files are loaded')
    .option('--order-by <columns>', 'new tables: the sorting key; by default the first column of dates or times')
    .option('--partition-by <column>', 'new tables: a column of dates or times (created, created:month), or of other values')
    .option('--ignore-unknown-fields', 'tables: leave out JSON fields that the table does not have, and columns that no table can have');
  addFileFlags(command, 'tables, ')
    .option('--project <project>', 'log sources: the project of events that do not name one')
    .option('--log-format <text>', "edge_logs: nginx's log_format or Apache's LogFormat, copied from the server's configuration")
    .addHelpText(
      'after',
      `
Examples:
  quern load orders orders.csv                                  a table of your own, with types found in the file
  quern load shop.orders data/*.parquet --replace
  quern load zips zips.tsv --no-header --schema zip:STRING,city:STRING
  quern load notes - --format ndjson --schema id:INT64,total:NUMERIC,note:JSON < notes.ndjson
  quern load edge_logs access.log.gz --project shop             an access log of nginx or Apache
  quern load edge_logs access.log --log-format '$remote_addr [$time_local] "$request" $status $request_time'

A load succeeds as a whole or not at all; \`quern loads\` lists loads and undoes them. Lines that cannot be read are shown, and then nothing
is loaded, unless --skip-bad-lines leaves them out.`,
    )
    .action(async (source: string, files: readonly string[], flags: Flags) => {
      await load(parts, source, files, flags);
    });
}

async function load(parts: Parts, source: string, files: readonly string[], flags: Flags): Promise<void> {
  const { findLogSource, LOG_SOURCES } = await import('../../../sources/log/log-sources.ts');
  const known = findLogSource(source);
  const mostBadLines = readSkipBadLines(flags.skipBadLines);
  if (known === undefined) {
    for (const flag of ['project', 'logFormat'] as const) {
      if (flags[flag] === undefined) continue;
      const written = flag === 'project' ? '--project' : '--log-format';
      throw new QuernError('usage', `${written} is only for log sources, and ${source} is not one`, {
        hint: `the log sources are ${LOG_SOURCES.map(({ name }) => name).join(', ')}`,
      });
    }
    const format = flags.format === undefined ? undefined : formatNamed(flags.format, TABLE_FORMATS, 'a table');
    const logSources = LOG_SOURCES.map(({ name }) => name);
    const wanted = { table: source, files, format, again: flags.again === true, mostBadLines, logSources, flags };
    const { bad, schema } = await loadTable(parts, wanted);
    if (bad > mostBadLines) throw tooManyBad(bad, mostBadLines, 'nothing was loaded', schema);
    return;
  }
  for (const [name, written] of Object.entries(tableFlags(flags))) {
    if (!Object.hasOwn(flags, name)) continue;
    throw new QuernError('usage', `${written} is only for tables of your own, and ${source} is a log source, whose columns are fixed`, {
      hint: 'leave out the flag, or load into a table',
    });
  }
  const format = flags.format === undefined ? undefined : formatNamed(flags.format, LOG_FORMATS, 'a log source');
  // Each file of a log source is a load of its own: those before the one with too many bad lines are in the store.
  let left = mostBadLines;
  for (const [i, file] of files.entries()) {
    const bad = await loadFile(parts, source, file, { ...flags, format, mostBadLines: left });
    if (bad > left) {
      const before = i === 0 ? 'nothing was loaded' : `nothing of ${file} was loaded; the ${i === 1 ? 'file' : `${i} files`} before it`;
      throw tooManyBad(bad, left, i === 0 ? before : `${before} ${i === 1 ? 'is' : 'are'} in the store`);
    }
    left -= bad;
  }
}

function readSkipBadLines(text: string | undefined): number {
  if (text === undefined) return 0;
  return text === 'all' ? Number.POSITIVE_INFINITY : wholeNumber('--skip-bad-lines', text, { least: 0 });
}

function tooManyBad(bad: number, most: number, what: string, schema?: string): QuernError {
  const allowed = most === 0 ? '' : `, more than the ${most} that --skip-bad-lines allows`;
  const [fix, leave] = bad === 1 ? ['that line', 'it'] : ['those lines', 'them'];
  return new QuernError('load', `${formatCount(bad, 'line')} cannot be loaded${allowed}: ${what}`, {
    hint: `fix ${fix} and load the file again, ${schema === undefined ? '' : `declare the column with --schema ${schema}, `}or leave ${leave} out with --skip-bad-lines`,
  });
}

/** Loads one file, reports it on standard error, and gives the number of bad lines. */
async function loadFile(
  { io, signal, store: open, terminal }: Parts,
  source: string,
  file: string,
  { format, mostBadLines, ...flags }: Omit<Flags, 'format'> & { readonly format: LogFormat | undefined; readonly mostBadLines: number },
): Promise<number> {
  const store = await open();
  const name = file === '-' ? 'standard input' : basename(file);
  const bar = await progressBar(terminal, name);
  try {
    const report = await store.load(source, file === '-' ? io.stdin : resolve(io.cwd, file), {
      format,
      project: flags.project,
      logFormat: flags.logFormat,
      again: flags.again === true,
      mostBadLines,
      signal,
      onProgress: bar.update,
    });
    bar.stop();
    const { count: bad } = report.badLines;
    await showBadLines(terminal, name, report.badLines);
    if (bad > mostBadLines) return bad;
    const span = report.firstTimestamp === undefined ? '' : `, ${short(report.firstTimestamp)} to ${short(report.lastTimestamp ?? '')}`;
    const kept = bad === 0 ? '' : `, ${formatCount(bad, 'bad line')} skipped`;
    await terminal.note(
      `${name}: ${formatCount(report.rows, 'event')} into ${report.source} (${report.format}, ${(report.elapsedMs / 1000).toFixed(1)} s)${span}${kept}`,
    );
    return bad;
  } finally {
    bar.stop();
  }
}

function formatNamed<T extends string>(name: string, formats: readonly T[], what: string): T {
  const found = formats.find((format) => format === name);
  if (found !== undefined) return found;
  const near = nearest(name, formats);
  throw new QuernError('usage', `${name} is not a format that can be loaded into ${what}`, {
    hint: `${near === undefined ? 'the' : `did you mean ${near}? The`} formats are ${formats.join(', ')}`,
  });
}

const short = (timestamp: string): string => timestamp.replace('.000000Z', 'Z');
