// The query that a new project or a new saved query begins with: over a file or a table that is there, or else over log events.
import { readdirSync } from 'node:fs';
import { QuernError } from '../../../base/errors.ts';
import { type FileFormat, formatOf, tableNameFor } from '../../../sources/files/formats.ts';
import type { StoredTable } from '../../../sources/loaded/stored-table.ts';
import { findLogSource } from '../../../sources/log/log-sources.ts';
import { dialectWords } from '../../../suggest/dialect-words.ts';
import type { Parts } from '../../parts.ts';

export interface FirstQuery {
  /** Of the saved query in a new project. */
  readonly name: string;
  readonly description: string;
  /** The header below the description, and the SQL. */
  readonly rest: string;
  /** The checks of its rows, as YAML; they hold of an empty table, too. */
  readonly checks: string;
  /** The flags that it needs. */
  readonly flags: string;
}

/** A file of data, and the name that it gets as a source. */
export interface DataFile {
  readonly name: string;
  readonly file: string;
}

/** JSON files are settings as often as data. */
const DATA: readonly (FileFormat | undefined)[] = ['parquet', 'csv', 'tsv', 'ndjson', 'arrow', 'orc', 'avro'];
const MOST_FILES = 20;

/** Returns the files of data in a folder by name, each name once. A folder that is not there has none. */
export function dataFilesIn(folder: string): readonly DataFile[] {
  const found = new Map<string, DataFile>();
  for (const file of filesIn(folder)) {
    if (!DATA.includes(formatOf(file))) continue;
    const name = tableNameFor(file);
    if (findLogSource(name) !== undefined || found.has(name.toLowerCase())) continue;
    found.set(name.toLowerCase(), { name, file });
  }
  return [...found.values()].slice(0, MOST_FILES);
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
      .map(({ name }) => name)
      .sort();
  } catch {
    return []; // writing there says what is wrong
  }
}

/** Returns the query over the first of the files, else over the largest table of the store, else over log events. The store is not opened. */
export async function firstQuery(
  files: readonly Pick<DataFile, 'name'>[],
  parts: Pick<Parts, 'settings' | 'manifest'>,
): Promise<FirstQuery> {
  const [file] = files;
  if (file !== undefined) return rowCount(file.name);
  const [table] = (await ownTables(parts)).toSorted((a, b) => b.rows - a.rows);
  return table === undefined ? EVENTS_PER_HOUR : (rowsPerDay(table) ?? rowCount(table.name));
}

/** Returns the sources that quern.yaml defines. */
export async function definedSources({ settings }: Pick<Parts, 'settings'>): Promise<readonly Pick<DataFile, 'name'>[]> {
  const names = Object.keys(Object((await settings()).sections.sources?.value));
  return names.filter((name) => /^[^*]+$/.test(name) && name !== 'preset' && findLogSource(name) === undefined).map((name) => ({ name }));
}

async function ownTables({ settings, manifest }: Pick<Parts, 'settings' | 'manifest'>): Promise<readonly StoredTable[]> {
  try {
    return (await settings()).values.url === undefined ? Object.values((await manifest()).tables) : [];
  } catch (error) {
    if (error instanceof QuernError) return []; // whoever needs the store is told
    throw error;
  }
}

const quoted = (name: string): string =>
  /^[A-Za-z_]\w*$/.test(name) && !dialectWords().keywords.includes(name.toUpperCase()) ? name : `\`${name}\``;
const queryName = (table: string, ending: string): string => `${table.replace(/[^A-Za-z0-9_-]+/g, '-').replace(/^-+/, '')}-${ending}`;

function rowCount(table: string): FirstQuery {
  return {
    name: queryName(table, 'count'),
    description: `How many rows ${table} has`,
    rest: `cache: disabled\n---*/\nselect count(*) as row_count\nfrom ${quoted(table)}\n`,
    checks: `    assertions:\n      - assert: row_count > 0\n        name: there are rows\n        severity: warn # error, the default, fails the run\n`,
    flags: '',
  };
}

/** Returns undefined for a table without days. */
function rowsPerDay({ name: table, columns }: Pick<StoredTable, 'name' | 'columns'>): FirstQuery | undefined {
  const column = columns.find(({ type: { kind } }) => kind === 'DATE' || kind === 'TIMESTAMP' || kind === 'DATETIME');
  if (column === undefined) return undefined;
  const { name, type } = column;
  const day = type.kind === 'DATE' ? quoted(name) : 'on_day';
  return {
    name: queryName(table, 'per-day'),
    description: `Rows of ${table} per day`,
    rest: `max_rows: 1000
cache: disabled
---*/
select
  ${type.kind === 'DATE' ? day : `date(${quoted(name)}) as ${day}`},
  count(*) as row_count
from ${quoted(table)}
group by ${day}
order by ${day}
`,
    checks: `    assertions:
      - row_count > 0
      - unique: ${JSON.stringify(type.kind === 'DATE' ? name : day)}
      - assert: count(*) > 0
        name: there are rows
        severity: warn # error, the default, fails the run
`,
    flags: '',
  };
}

const EVENTS_PER_HOUR: FirstQuery = {
  name: 'events-per-hour',
  description: 'Events of a project per hour',
  rest: `max_rows: 1000
cache: disabled
params:
  project: { type: string, required: true, description: project of the events }
---*/
select
  timestamp_trunc(t.timestamp, hour) as hour,
  count(*) as events
from edge_logs as t
where t.project = @project
group by hour
order by hour
`,
  checks: `    params: { project: demo }
    assertions:
      - events > 0
      - unique: hour
      - assert: count(*) > 0
        name: there are events
        severity: warn # error, the default, fails the run
`,
  flags: ' --project NAME',
};
