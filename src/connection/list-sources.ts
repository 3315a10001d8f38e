// The sources that queries can read, as a list for people.
import { type ListedSource, listSources } from '../catalog/listing.ts';
import type { Connection } from './connection.ts';

/** `refresh` asks the engine again. */
export async function sourcesOf(connection: Connection, { refresh }: { readonly refresh: boolean }): Promise<readonly ListedSource[]> {
  if (refresh) await (await connection.snapshot()).forgetSources();
  const { sources, files } = await connection.snapshot();
  return listSources(await sources.load()).map((source) => {
    const listed = files?.listed(source.name);
    return listed === undefined ? source : { ...source, table: listed.patterns.join(' '), files: listed };
  });
}
