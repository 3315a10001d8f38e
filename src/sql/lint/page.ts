// Writes docs/dialect.md from the translator's own tables.

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
  'A NULL array in a result is an empty array, as in BigQuery. An array column of a ClickHouse table is never NULL. For an array in a record, or in a STRUCT that was built from a NULL array, quern can’t tell NULL from empty, so a query that asks is refused.',
  'A query can compute with arrays that have NULL elements, but fails if it would return one, as in BigQuery. Arrays of a table are returned as they are.',
  'DATE, DATETIME and TIMESTAMP range from 0001-01-01 to 9999-12-31, as in BigQuery. On ClickHouse before 26.7 they range from 1900-01-01 to 2299-12-31, and a value outside fails the query; a Date32 column of ClickHouse 26.7 and older holds only that range too.',
  'TIMESTAMP, DATETIME and TIME have microseconds, as in BigQuery.',
  'FLOAT64 sums and averages are added in a different order, so the last digits may differ.',
  'Time zones come from the engine’s own time zone database.',
  'CURRENT_TIMESTAMP(), CURRENT_DATE() and the like give the same instant throughout a query; `--as-of` sets it.',
  'A record of a log event that is read by a path must be a single record, or an array of one, unless its source says `records: several`.',
  'Records can be unnested, counted with ARRAY_LENGTH, passed on and returned. Comparing them, grouping by them, and building arrays or JSON from them are refused.',
  'A query can nest 512 parentheses and 1000 levels. A query whose ClickHouse SQL would grow too large is refused.',
  'What is an error in BigQuery fails here too, with a different message, either in translation or when the query runs. Exceptions are noted with their functions below.',
];

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const row = (...cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
const table = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(...header), `|${' --- |'.repeat(header.length)}`, ...rows.map((cells) => row(...cells))].join('\n');

/** Returns the page as Markdown. */
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
    'What quern translates of the BigQuery dialect (GoogleSQL), and how. Anything that is not listed is refused, with an error that says where and why: nothing reaches ClickHouse that quern has not understood. `npm run docs` makes this page from the translator’s own tables.',
    '## Known differences',
    DIFFERENCES.map((line) => `- ${line}`).join('\n'),
    '## Query syntax',
    table(
      ['construct', 'rows', 'note'],
      CLAUSES.map(({ name, state, note }) => [name, state, note ?? '']),
    ),
    'In signatures, `T` and `U` are any type, the same one in every place; `[…]` is optional; `...` repeats; `PART` is a date part; `TEXT` is a STRING, or a number, boolean, date, time or interval, which is cast to one. `IF`, `CAST`, `SAFE_CAST`, `EXTRACT`, `ARRAY(subquery)`, `CURRENT_DATE`, `CURRENT_DATETIME`, `CURRENT_TIME` and `CURRENT_TIMESTAMP` are part of the syntax.',
    ...functions,
    '## Functions that are refused',
    table(['name', 'reason', 'instead'], absent),
  ].join('\n\n')}\n`;
}
