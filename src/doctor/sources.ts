// The sources: whether each table is there, what its records look like, and how old its newest row is.
import type { ListedSource } from '../catalog/listing.ts';
import { type Finding, failure, note, ok } from './finding.ts';

/** Rows of a query of quern's own. */
type Ask = (sql: string) => Promise<readonly (readonly unknown[])[]>;

export async function* checkSources(sources: readonly ListedSource[], ask: Ask): AsyncIterable<Finding> {
  const missing = sources.filter(({ problem }) => problem?.code === 'unknown-source');
  for (const source of sources) {
    if (missing.includes(source)) continue;
    yield source.problem === undefined ? await checkTable(source, ask) : failure(`source ${source.name}`, source.problem);
  }
  if (missing.length > 0) {
    const names = missing.map(({ name }) => name).join(', ');
    yield note('sources', `no table is known for ${names}`, 'map the ones you need under `sources:` in quern.yaml');
  }
}

async function checkTable({ name, table, layout, columns }: ListedSource, ask: Ask): Promise<Finding> {
  const subject = `source ${name}`;
  const timestamp = columns.find((column) => column.name === 'timestamp')?.stored;
  const what = `${table}${layout === '' ? '' : `, records as ${layout}`}`;
  try {
    // One row says that the login may read the columns; a count over all rows could take long.
    const [row] = await ask(`SELECT ${timestamp === undefined ? '1' : `toString(${timestamp})`} FROM ${table} LIMIT 1`);
    if (row === undefined)
      return note(subject, `${what}: no rows`, 'if that is expected, there is nothing to do; otherwise check the table under `sources:`');
    return layout === '' && columns.some((column) => column.name === 'metadata')
      ? note(subject, `${what}: metadata is not a record`, 'name its layout under `sources:`, such as `layout: text`')
      : ok(subject, what);
  } catch (error) {
    return failure(subject, error);
  }
}
