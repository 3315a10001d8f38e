// What `quern import` needs of the app: where queries come from, and where they go.
import { relative, resolve } from 'node:path';
import type { Settings } from '../config/load.ts';
import type { Connection } from '../connection/connection.ts';
import { QuernError } from '../errors.ts';
import type { Io } from '../io.ts';
import type { Found } from '../migrate/folder.ts';
import { importQueries } from '../migrate/import.ts';
import type { ImportReport } from '../migrate/report.ts';
import type { QueryCatalog } from '../saved-query/catalog.ts';

export interface ImportRequest {
  /** A folder, or a Logflare, whose URL and token are by default in the environment. */
  readonly from: { readonly folder: string } | { readonly url: string | undefined; readonly token: string | undefined };
  /** Folder for the queries; by default the first of the project. */
  readonly out: string | undefined;
  readonly force: boolean;
  readonly dryRun: boolean;
}

interface ImportDependencies {
  readonly io: Io;
  readonly signal: AbortSignal;
  settings(): Promise<Settings>;
  catalog(): Promise<QueryCatalog>;
  connection(): Promise<Connection>;
}

export async function runImport({ from, out, force, dryRun }: ImportRequest, deps: ImportDependencies): Promise<ImportReport> {
  const { io } = deps;
  const { values } = await deps.settings();
  const target = out === undefined ? values.queries[0] : resolve(io.cwd, out);
  if (target === undefined)
    throw new QuernError('usage', 'there is no folder for your own saved queries', {
      hint: 'name one with --out, or make a project with `quern init`',
    });
  const found = await find(from, values.timeout, deps);
  const { sources } = await (await deps.connection()).snapshot();
  const options = { folder: target, shown: relative(io.cwd, target) || '.', force, dryRun };
  return importQueries(found, options, { catalog: await deps.catalog(), sources: await sources.load() });
}

async function find(from: ImportRequest['from'], timeoutSeconds: number, { io, signal }: ImportDependencies): Promise<readonly Found[]> {
  if ('folder' in from) {
    const { readFolder } = await import('../migrate/folder.ts');
    return readFolder(resolve(io.cwd, from.folder));
  }
  const url = from.url ?? given(io.env['LOGFLARE_URL']);
  if (url === undefined) throw new QuernError('usage', 'no Logflare is named', { hint: 'name it with --url, or in LOGFLARE_URL' });
  const token = from.token ?? given(io.env['QUERN_LOGFLARE_TOKEN']) ?? given(io.env['LOGFLARE_TOKEN']);
  if (token === undefined)
    throw new QuernError('usage', 'there is no token for Logflare', { hint: 'set LOGFLARE_TOKEN to a private access token' });
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new QuernError('usage', 'the token for Logflare holds characters that no token has', { hint: 'check LOGFLARE_TOKEN' });
  const { fetchEndpoints } = await import('../migrate/logflare-api.ts');
  return fetchEndpoints({ url, token, timeoutSeconds, signal });
}

const given = (value: string | undefined): string | undefined => (value === undefined || value === '' ? undefined : value);
