// The sources that queries can read, as a list for people.
import { type ListedSource, listSources } from '../catalog/listing.ts';
import type { Connection } from './connection.ts';

/** `refresh` asks the engine again. */
export async function sourcesOf(connection: Connection, { refresh }: { readonly refresh: boolean }): Promise<readonly ListedSource[]> {
  if (refresh) await (await connection.snapshot()).forgetSources();
  return listSources(await (await connection.snapshot()).sources.load());
}
