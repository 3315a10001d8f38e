// The sources: whether each table is there, what its records look like, and how old its newest row is.
import { formatCount, roundSize } from '../base/quantity.ts';
import type { ListedSource } from '../sources/listing.ts';
import { type Finding, failure, note, ok } from './finding.ts';

/** Rows of a query of quern's own. */
type Ask = (sql: string) => Promise<readonly (readonly unknown[])[]>;

/** Log sources that nobody has filled or defined are nothing that a set-up lacks. */
export async function* checkSources(all: readonly ListedSource[], ask: Ask): AsyncIterable<Finding> {
  const sources = all.filter(({ isHidden }) => isHidden !== true);
  if (sources.length === 0)
    yield note(
      'sources',
      'there is nothing to query yet',
      'load files with `quern load TABLE FILE`, or name your tables under `sources:` in quern.yaml',
    );
  const missing = sources.filter(({ problem }) => problem?.code === 'unknown-source');
  const empty: string[] = [];
  for (const source of sources) {
    if (missing.includes(source)) continue;
    const finding = source.problem === undefined ? await checkTable(source, ask) : failure(`source ${source.name}`, source.problem);
    if (finding === undefined) empty.push(source.name);
    else yield finding;
  }
  if (empty.length > 0)
    yield note(
      'sources',
      `no rows in ${empty.join(', ')}`,
      'if some should have rows, load them with `quern load`, or check their tables under `sources:` in quern.yaml',
    );
  if (missing.length > 0) {
    const names = missing.map(({ name }) => name).join(', ');
    yield note('sources', `no table is known for ${names}`, 'map the ones you need under `sources:` in quern.yaml');
  }
}

/** undefined where the table has no rows. */
async function checkTable({ name, table, files, layout, columns, rows, bytes = 0 }: ListedSource, ask: Ask): Promise<Finding | undefined> {
  const subject = `source ${name}`;
  // Their columns have been read: what is wrong with files is a problem by now.
  if (files !== undefined) return ok(subject, table);
  const timestamp = columns.find((column) => column.name === 'timestamp')?.stored;
  const counted = rows === undefined ? '' : `, ${formatCount(rows, 'row')}${bytes === 0 ? '' : `, ${roundSize(bytes)}`}`;
  const what = `${table}${layout === '' ? '' : `, records as ${layout}`}${counted}`;
  try {
    // One row says that the login may read the columns; a count over all rows could take long.
    const [row] = await ask(`SELECT ${timestamp === undefined ? '1' : `toString(${timestamp})`} FROM ${table} LIMIT 1`);
    if (row === undefined) return undefined;
    return layout === '' && columns.some((column) => column.name === 'metadata')
      ? note(subject, `${what}: metadata is not a record`, 'name its layout under `sources:`, such as `layout: text`')
      : ok(subject, what);
  } catch (error) {
    return failure(subject, error);
  }
}
