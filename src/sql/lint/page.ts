// docs/dialect.md, made from the tables that translate.

import { ABSENT_FUNCTIONS } from '../functions/absent.ts';
import { findFunction } from '../functions/index.ts';
import { CLAUSES } from './clauses.ts';
import { dialectFunctions } from './function-list.ts';

const KINDS = [
  ['function', 'Functions'],
  ['aggregate', 'Aggregate functions'],
  ['window', 'Window functions'],
] as const;

const DIFFERENCES: readonly string[] = [
  'A NULL array in a result is an empty array, as in BigQuery. An array column of a ClickHouse table is never NULL; whether an array in a record is NULL, or one in a STRUCT that was made of a NULL array, is not told: a query that asks is refused.',
  'Arrays with NULL elements are computed with, and fail the query where they would be returned, as in BigQuery; arrays of a table come as they are.',
  'DATE, DATETIME and TIMESTAMP reach from 0001-01-01 to 9999-12-31, as in BigQuery; on ClickHouse before 26.7 from 1900-01-01 to 2299-12-31, and what is outside fails the query. A Date32 column of ClickHouse 26.7 and older holds the latter only.',
  'TIMESTAMP, DATETIME and TIME have microseconds, as in BigQuery.',
  'FLOAT64 sums and averages add in another order, so the last digits may differ.',
  'Time zones are those of the engine’s own time zone database.',
  'CURRENT_TIMESTAMP(), CURRENT_DATE() and their kin are one instant for the whole query; `--as-of` sets it.',
  'A record of a log event that is read as a path must be one record, or an array of one, unless its source says `records: several`.',
  'Records are unnested, counted with ARRAY_LENGTH, passed on and shown as they are; comparing them, grouping by them, and making arrays or JSON of them are refused.',
  'A query nests at most 512 parentheses and 1000 levels; what would grow beyond reason when written for ClickHouse is refused.',
  'What BigQuery reports as an error fails here too, in other words, when it is translated or when it runs; exceptions stand with their functions below.',
];

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const row = (...cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
const table = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(...header), `|${' --- |'.repeat(header.length)}`, ...rows.map((cells) => row(...cells))].join('\n');

/** The page as Markdown. */
export function dialectPage(): string {
  const all = dialectFunctions();
  const functions = KINDS.map(([kind, title]) => {
    const rows = all
      .filter((one) => one.kind === kind)
      .map(({ name, signatures, differs }) => {
        const written = signatures.map((signature) => `\`${signature}\``).join('<br>');
        return [`\`${name}\``, written, differs === undefined ? 'exact' : `differs: ${differs}`];
      });
    return `## ${title}\n\n${table(['name', 'arguments → result', 'rows'], rows)}`;
  });
  const absent = ABSENT_FUNCTIONS.map(
    ({ reason, instead = '', names: all }) => [all.filter((name) => findFunction(name) === undefined), reason, instead] as const,
  )
    .filter(([left]) => left.length > 0)
    .map(([left, reason, instead]) => [left.map((name) => `\`${name}\``).join(', '), reason, instead.replaceAll('|', '\\|')]);
  return `${[
    '# The BigQuery dialect',
    'What quern translates of the BigQuery dialect (GoogleSQL), and how. Whatever is not listed is refused with an error that says where and why: no text reaches ClickHouse that quern has not understood. This page is made from the translator’s tables by `npm run docs`.',
    '## Known differences',
    DIFFERENCES.map((line) => `- ${line}`).join('\n'),
    '## Query syntax',
    table(
      ['construct', 'rows', 'note'],
      CLAUSES.map(({ name, state, note }) => [name, state, note ?? '']),
    ),
    'In signatures `T` and `U` are any type, the same wherever they stand; `[…]` may be left out; `...` repeats; `PART` is a date part; `TEXT` is a STRING or what CAST makes one (numbers, booleans, dates, times, intervals). `IF`, `CAST`, `SAFE_CAST`, `EXTRACT`, `ARRAY(subquery)`, `CURRENT_DATE`, `CURRENT_DATETIME`, `CURRENT_TIME` and `CURRENT_TIMESTAMP` are part of the syntax.',
    ...functions,
    '## Functions that are refused',
    table(['name', 'reason', 'instead'], absent),
  ].join('\n\n')}\n`;
}
