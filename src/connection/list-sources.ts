// The sources that queries can read, as a list for people.
import { type ListedSource, listSource, listSources } from '../sources/listing.ts';
import type { Connection } from './connection.ts';

/** `refresh` asks the engine again. */
export async function sourcesOf(connection: Connection, { refresh }: { readonly refresh: boolean }): Promise<readonly ListedSource[]> {
  if (refresh) await (await connection.snapshot()).forgetSources();
  const { sources, files } = await connection.snapshot();
  return listSources(await sources.resolveAll()).map((source) => {
    const listed = files?.listed(source.name);
    return listed === undefined ? source : { ...source, table: listed.patterns.join(' '), files: listed };
  });
}

/** A table that is in no list, since a rule of `names:` or a wildcard source leads to it; undefined where nothing does. */
export async function sourceNamed(connection: Connection, name: string): Promise<ListedSource | undefined> {
  const { sources } = await connection.snapshot();
  return listSource(await sources.resolve([name]), name);
}
