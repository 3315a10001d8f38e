// The sources that queries can read, as a list for people.
import { QuernError } from '../base/errors.ts';
import type { Snapshot } from '../execution/snapshot.ts';
import { placeOfSource } from '../sources/bigquery-name.ts';
import type { ListedTable } from '../sources/information-schema/list-tables.ts';
import { type ListedSource, listSource, listSources } from '../sources/listing.ts';
import { findLogSource } from '../sources/log/log-sources.ts';
import type { Connection } from './connection.ts';

/** The sources with their rows and bytes, those that are no log sources first. `refresh` asks the engine again. */
export async function sourcesOf(connection: Connection, { refresh }: { readonly refresh: boolean }): Promise<readonly ListedSource[]> {
  if (refresh) await (await connection.snapshot()).forgetSources();
  const { sources, files } = await connection.snapshot();
  const all = listSources(await sources.resolveAll());
  const tables = await sizedTables(sources);
  const listed = all.map((source) => {
    const found = files?.listed(source.name);
    const { size, isHidden } = tables.get(placeText(placeOfSource(source.name))) ?? {};
    return {
      ...source,
      ...(found === undefined ? {} : { table: found.patterns.join(' '), files: found }),
      ...(size === undefined ? {} : { rows: size.rows, bytes: size.bytes }),
      ...(isHidden === true && isLog(source) ? { isHidden } : {}),
    };
  });
  return [...listed.filter((source) => !isLog(source)), ...listed.filter(isLog)];
}

const isLog = ({ name }: ListedSource): boolean => findLogSource(name) !== undefined;

const placeText = ({ dataset, table }: { readonly dataset: string; readonly table: string }): string => `${dataset}.${table}`.toLowerCase();

/** Returns the tables by their places. A login that may not count rows still reads them. */
async function sizedTables({ listTables }: Snapshot['sources']): Promise<ReadonlyMap<string, ListedTable>> {
  try {
    const tables = (await listTables?.({ sizes: true, namesOnly: true })) ?? [];
    return new Map(tables.map((one) => [placeText(one), one]));
  } catch (error) {
    if (error instanceof QuernError && error.code !== 'interrupted') return new Map();
    throw error;
  }
}

/** Finds a table that is in no list because a rule of `names:` or a wildcard source leads to it; undefined where nothing does. */
export async function sourceNamed(connection: Connection, name: string): Promise<ListedSource | undefined> {
  const { sources } = await connection.snapshot();
  return listSource(await sources.resolve([name]), name);
}
