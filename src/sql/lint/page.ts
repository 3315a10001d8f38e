// Writes docs/dialect.md from the translator's own tables.

import { ABSENT_FUNCTIONS } from '../functions/absent.ts';
import { findFunction } from '../functions/index.ts';
import { CLAUSES } from './clauses.ts';
import { dialectFunctions } from './function-list.ts';

const KINDS = { function: 'function', aggregate: 'aggregate', window: 'window function' } as const;

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
  const functions = dialectFunctions().map(({ kind, name, signatures, differs }) => {
    const written = signatures.map((signature) => `\`${signature}\``).join('<br>');
    return [`\`${name}\``, KINDS[kind], written, differs === undefined ? 'exact' : `differs: ${differs}`] as const;
  });
  const absent = ABSENT_FUNCTIONS.flatMap(({ reason, instead, names }) =>
    names
      .filter((name) => findFunction(name) === undefined)
      .map((name) => [`\`${name}\``, '', instead === undefined ? '' : `instead: ${instead}`, `refused: ${reason}`] as const),
  );
  const counted = (state: string): string => String(CLAUSES.filter((clause) => clause.state === state).length);
  const differing = functions.filter(([, , , rows]) => rows !== 'exact').length;
  return `${[
    '# The BigQuery dialect',
    'Every construct and function of the BigQuery dialect (GoogleSQL) is a row of one of two tables: [syntax](#query-syntax) and [functions](#functions), in the order of their names. Search this page for the name. `exact` are BigQuery’s rows, `differs` says in which cases they are not, and `refused` what to write instead. What has no row is refused, too, with an error that says where and why: nothing reaches ClickHouse that quern has not understood.',
    table(
      ['', 'exact', 'differs', 'refused'],
      [
        ['[syntax](#query-syntax)', counted('exact'), counted('differs'), counted('refused')],
        ['[functions](#functions)', String(functions.length - differing), String(differing), 'all others'],
      ],
    ),
    'To ask about a query instead: `quern translate FILE` shows its ClickHouse SQL, or the first thing in it that is refused, and the [playground](playground.md) does so as you type. `quern import` looks through [a folder of queries](migration.md).',
    '## Known differences',
    DIFFERENCES.map((line) => `- ${line}`).join('\n'),
    '## Query syntax',
    table(
      ['construct', 'rows', 'note'],
      CLAUSES.map(({ name, state, note }) => [name, state, note ?? '']),
    ),
    '## Functions',
    'In signatures, `T` and `U` are any type, the same one in every place; `[…]` is optional; `...` repeats; `PART` is a date part; `TEXT` is a STRING, or a number, boolean, date, time or interval, which is cast to one. `IF`, `CAST`, `SAFE_CAST`, `EXTRACT`, `ARRAY(subquery)`, `CURRENT_DATE`, `CURRENT_DATETIME`, `CURRENT_TIME` and `CURRENT_TIMESTAMP` are part of the syntax. A name that ends with `*` stands for all that begin so and have no row of their own.',
    table(['name', 'kind', 'arguments → result', 'rows'], [...functions, ...absent].sort(byName)),
    '`npm run docs` makes this page from the translator’s own tables.',
  ].join('\n\n')}\n`;
}

const nameIn = ([cell = '']: readonly string[]): string => cell.replaceAll('`', '');
const byName = (a: readonly string[], b: readonly string[]): number => (nameIn(a) < nameIn(b) ? -1 : 1);
