// quern run: runs a saved query and prints its rows.
import type { Command } from 'commander';
import { QuernError } from '../../../base/errors.ts';
import { parseDuration } from '../../../base/quantity.ts';
import type { SourceText } from '../../../base/source-text.ts';
import type { QueryRequest } from '../../../execution/request.ts';
import { collect } from '../../arguments/flags.ts';
import { acceptArguments, explainFlags, type Given, isSql, readGivenQuery } from '../../arguments/given.ts';
import type { Parts } from '../../parts.ts';
import { addDrawFlags } from './draw-flags.ts';
import { AS_OF, addRowOptions, PARAMETER, readMaxRows } from './row-options.ts';
import { type RowFlags, type RowOptions, readRowFlags, rowsWanted, runAndPrint } from './run-rows.ts';

interface Flags extends RowFlags {
  readonly params?: string;
  readonly asOf?: string;
  readonly parameter?: readonly string[];
  readonly sql?: string;
  /** False after `--no-cache`. */
  readonly cache: boolean;
  readonly refresh?: true;
  readonly maxAge?: string;
  readonly maxRows?: string;
  readonly stats?: true;
  readonly watch?: string;
}

export function register(command: Command, parts: Parts): void {
  acceptArguments(command)
    .usage('<name|uuid|file.sql|SQL|-> [--<parameter> <value>]... [flags]')
    .option(...AS_OF)
    .option(PARAMETER[0], 'a parameter of SQL, such as least:INT64:5; may be repeated', collect)
    .option(
      '--sql <text>',
      'for a query with sandbox: enabled: SQL over its WITH tables that replaces its SELECT; @FILE, or - for standard input',
    )
    .option('--no-cache', 'neither read nor write the cache')
    .option('--refresh', 'run, and replace the cached result')
    .option('--max-age <duration>', 'accept a cached result only up to this age, such as 30s');
  addRowOptions(command, "return fewer rows than the query's own max_rows; all, which is the default, is as many as that");
  addDrawFlags(command)
    .option('--watch <duration>', 'run at this interval, such as 30s, and redraw the rows in place; Ctrl-C stops it')
    .addHelpText(
      'after',
      `
Examples:
  quern run usage.api-counts --project demo --interval hourly
  quern run logs.all --project demo --iso-timestamp-start 2026-01-15T11:00:00Z --format json
  quern run ./queries/events-per-hour.sql --project demo --output events.csv.gz --columns hour,events
  echo 'select @since as since, id from unnest(@ids) as id' | quern run - -p since:TIMESTAMP:2026-01-31 -p 'ids:ARRAY<INT64>:[1,2]'
  quern run requests --project demo --sql 'select count(*) as n from requests'
  quern run usage.api-counts --project demo --interval minutely --chart line --watch 30s
  echo '{"project": "demo", "interval": "daily"}' | quern run usage.api-counts --params -

To see the parameters of a query: quern run <name> --help`,
    )
    .action(async (words: readonly string[], flags: Flags) => {
      const { io, settings, signal } = parts;
      const { sql, maxAge } = flags;
      const maxRows = readMaxRows(flags.maxRows);
      if (sql === '-' && flags.params === '-') {
        throw new QuernError('usage', 'standard input cannot be both --sql and --params', { hint: 'put one of them in a file' });
      }
      const rowOptions = readRowFlags(flags, (await settings()).values.format, io.stdout); // fails before the query runs for nothing
      const watch = flags.watch === undefined ? undefined : await import('./watch.ts');
      const everySeconds = watch?.readWatch(io, flags, rowOptions.format);
      const given = await readGivenQuery(io, words, flags);
      const isSaved = !isSql(given.query);
      if (isSaved && flags.parameter !== undefined)
        throw new QuernError('usage', '-p is for SQL: a saved query declares its parameters', {
          hint: `pass them as flags: ${asFlag(flags.parameter[0] ?? '')}`,
        });
      const request: QueryRequest = {
        ...given,
        ...(isSaved ? {} : await readSqlGiven(parts, given, flags, rowOptions)),
        sql: sql === undefined ? undefined : await readSql(sql, io),
        asOf: flags.asOf,
        ...(!isSaved || maxRows === undefined || maxRows === 'all' ? {} : { maxRows }),
        maxAgeSeconds: maxAge === undefined ? undefined : seconds(maxAge),
        cache: cacheUse(flags),
        signal,
      };
      const explained = async (error: unknown): Promise<never> => {
        if (error instanceof QuernError && error.code === 'unknown-query')
          (await import('../query/given-sql.ts')).refuseRows(given.query, io.cwd);
        throw explainFlags(error, command, given.query);
      };
      if (watch !== undefined && everySeconds !== undefined) {
        await watch.watchRows(parts, request, rowOptions, { everySeconds, now: Date.now }).catch(explained);
        return;
      }
      await runAndPrint(parts, request, { ...rowOptions, stats: flags.stats }, explained);
    });
}

const cacheUse = ({ cache, refresh }: Flags): QueryRequest['cache'] => {
  if (!cache) return 'none';
  return refresh === true ? 'refresh' : 'use';
};

/** Reads SQL in place of a saved query, from the line or from standard input, with a header or without. */
async function readSqlGiven(
  parts: Parts,
  { query, arguments: named }: Given,
  { parameter, maxRows, params, sql }: Flags,
  rowOptions: RowOptions,
): Promise<Pick<QueryRequest, 'query' | 'arguments' | 'maxRows'>> {
  if ((query === '-' && params === '-') || sql !== undefined)
    throw new QuernError(
      'usage',
      sql === undefined
        ? 'the SQL comes from standard input, so --params cannot be read from it too'
        : 'SQL is given in place of a saved query, so there is none for --sql',
      {
        hint: sql === undefined ? 'put the parameters in a file' : 'leave out --sql',
      },
    );
  const [{ sqlRequest, rememberLast }, { readGivenSql }] = await Promise.all([
    import('../query/one-off.ts'),
    import('../query/given-sql.ts'),
  ]);
  const text = await readGivenSql(query, parts);
  const parameters = parameter ?? [];
  const request = await sqlRequest({ text, parameters, ...rowsWanted(readMaxRows(maxRows), rowOptions) }, parts);
  await rememberLast({ sql: text.text, parameters }, parts);
  return { ...request, arguments: { ...named, ...request.arguments } };
}

/** Reads the text itself, that of the file after `@`, or that of standard input for `-`. Throws `usage` when it cannot be read, or is empty. */
async function readSql(given: string, io: Parts['io']): Promise<SourceText> {
  const named = given.startsWith('@') ? given.slice(1) : undefined;
  const file = given === '-' ? given : named;
  const sql =
    file === undefined ? { name: '--sql', text: given } : await (await import('../../arguments/text-file.ts')).readTextFile(file, io);
  if (sql.text.trim() !== '') return sql;
  throw new QuernError('usage', `${sql.name} contains no SQL`, { hint: 'write a query, @FILE for one in a file, or - for standard input' });
}

function seconds(text: string): number {
  const parsed = parseDuration(text);
  if (parsed !== undefined) return parsed;
  throw new QuernError('usage', `--max-age ${JSON.stringify(text)} is not a duration`, { hint: 'write it like 30s, 15m or 1h' });
}

/** `project=site` and `least:INT64:5` as the flag of a saved query's parameter. */
function asFlag(text: string): string {
  const [, name, value] = /^(\w+)(?:=|:[^:]*:)(.*)$/s.exec(text) ?? [];
  return name === undefined ? '--name value' : `--${name} ${value}`;
}
