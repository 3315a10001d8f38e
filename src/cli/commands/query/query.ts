// quern query: runs SQL that is not saved, and prints its rows.
import type { Command } from 'commander';
import { QuernError } from '../../../base/errors.ts';
import { parseDuration } from '../../../base/quantity.ts';
import { addFileFlags, assertApplied, type FileFlags, readFileFlags } from '../../arguments/file-flags.ts';
import { collect } from '../../arguments/flags.ts';
import type { Parts } from '../../parts.ts';
import { addDrawFlags } from '../run/draw-flags.ts';
import { AS_OF, addRowOptions, PARAMETER, readMaxRows } from '../run/row-options.ts';
import { type RowFlags, readRowFlags } from '../run/run-rows.ts';

interface Flags extends RowFlags, FileFlags {
  readonly parameter?: readonly string[];
  readonly asOf?: string;
  readonly cache?: string;
  readonly maxRows?: string;
  readonly stats?: true;
}

export function register(command: Command, parts: Parts): void {
  command
    .argument(
      '[sql]',
      'a query in the BigQuery dialect, a .sql file with one, or the name of a saved query; - or nothing for standard input',
    )
    .option(...PARAMETER, collect)
    .option(...AS_OF)
    .option('--cache <duration>', 'cache the result, and accept one up to this age, such as 5m; by default nothing is cached');
  addRowOptions(command, 'the most rows to print; by default 1000 on a terminal, and all in a file or a pipe');
  addFileFlags(addDrawFlags(command), 'paths in FROM, ')
    .addHelpText(
      'after',
      `
Examples:
  quern query 'select count(*) as events from edge_logs'
  quern query 'select project, count(*) as n from edge_logs group by project order by n desc' --output projects.csv
  quern query 'select * from \`projects.csv\` where n > @least order by n desc' -p least:INT64:100
  quern query 'select * from \`prices.csv\`' --delimiter ';' --encoding ISO-8859-1
  echo 'select @since as since, id from unnest(@ids) as id' | quern query -p since:TIMESTAMP:2026-01-31 -p 'ids:ARRAY<INT64>:[1,2]'
  quern query 'select @day as day' -p day:DATE:2026-01-31 --scalar

A path between backticks in FROM, relative to the working directory, reads the file: Parquet, CSV, TSV, NDJSON, JSON, Arrow, ORC, Avro.
Parameters are name:type:value; types are STRING (or nothing), INT64, FLOAT64, BOOL, TIMESTAMP, DATE, NUMERIC, BIGNUMERIC, DATETIME,
TIME, BYTES (as base64), JSON, ARRAY<…> of these and STRUCT<name type, …>, whose values are JSON: ids:ARRAY<INT64>:[1,2]. The value NULL
means no value. To save the query: quern new NAME --from-last`,
    )
    .action(async (sql: string | undefined, flags: Flags) => {
      const { io, settings } = parts;
      if ((sql === undefined || sql === '-') && io.stdin.isTTY === true)
        throw new QuernError('usage', 'there is no SQL', { hint: "write it after the command, such as quern query 'select 1 as one'" });
      const rowOptions = readRowFlags(flags, (await settings()).values.format, io.stdout);
      const { readGivenSql } = await import('./given-sql.ts');
      const text = await readGivenSql(sql, parts);
      const maxRows = readMaxRows(flags.maxRows);
      const files = readFileFlags(flags);
      const { runOneOff } = await import('./run-one-off.ts');
      await runOneOff(
        parts,
        {
          text,
          parameters: flags.parameter ?? [],
          maxRows,
          ttlSeconds: flags.cache === undefined ? undefined : seconds(flags.cache),
          asOf: flags.asOf,
          stats: flags.stats,
          files,
          onFiles: (found) => assertApplied(files, found),
        },
        rowOptions,
      );
    });
}

function seconds(text: string): number {
  const parsed = parseDuration(text);
  if (parsed !== undefined) return parsed;
  throw new QuernError('usage', `--cache ${JSON.stringify(text)} is not a duration`, { hint: 'write it like 30s, 15m or 1h' });
}
