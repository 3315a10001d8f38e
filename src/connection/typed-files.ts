// Paths that a user at a terminal writes in FROM in place of tables.

import { QuernError } from '../base/errors.ts';
import type { Io } from '../base/io.ts';
import { definitionOfPath, type SourceDefinition } from '../sources/definition.ts';
import { formatOf } from '../sources/files/formats.ts';
import type { RawFileOptions } from '../sources/files/options.ts';
import type { Connection } from './connection.ts';

/**
 * A name with a slash is a path, which may begin with `~/`; one that ends like a file is, unless a source has it. `options` say how those files are read that take them. Throws `usage` for a
 * path that cannot be a source.
 */
export async function pathsAmong(
  names: readonly string[],
  connection: Connection,
  { cwd, env }: Pick<Io, 'cwd' | 'env'>,
  options: RawFileOptions,
): Promise<readonly SourceDefinition[]> {
  const likely = [...new Set(names)].filter((name) => name.includes('/') || formatOf(name) !== undefined);
  if (likely.length === 0) return [];
  const sources = await (await connection.sources()).resolve(likely);
  const paths = likely.filter((name) => name.includes('/') || sources.find(name) === undefined);
  const [first] = paths;
  if (first !== undefined && connection.remote)
    throw new QuernError('usage', `${first}: only the embedded engine reads files, and this query runs on a server`, {
      hint: 'leave out --url and CLICKHOUSE_URL, or load the file into a table on the server',
    });
  const home = env['HOME'];
  return paths.map((path) => definitionOfPath(path, home !== undefined && path.startsWith('~/') ? home : cwd, options));
}
