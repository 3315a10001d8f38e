// Runs the queries of a group as a user would: files in a folder with a quern.yaml, on a store of their own.
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { QuernError } from '../../src/base/errors.ts';
import type { QueryResult } from '../../src/base/result.ts';
import { prepare } from '../../src/execution/prepare.ts';
import type { PreparedQuery } from '../../src/execution/prepared-query.ts';
import { run } from '../../src/execution/run.ts';
import { prepareSandbox } from '../../src/execution/sandbox.ts';
import { quietIo } from '../../src/process-io.ts';
import { openServices, type Services } from '../../src/services.ts';
import type { Store } from '../../src/store/store.ts';
import type { Reference } from '../differential/reference/service.ts';
import type { CollectedQuery, Group } from './group.ts';
import { type Ask, type Compared, compare } from './reference.ts';

export interface Outcome {
  readonly query: string;
  /** `refused` by quern before it runs; `failed` in the engine, or a fault of quern; `wrong`: other rows than those that the file names. */
  readonly kind: 'run' | 'refused' | 'failed' | 'wrong';
  readonly message: string;
  /** Of one that runs, where the reference is asked. */
  readonly compared?: Compared;
}

/** What a query may be refused for before the engine sees it. */
const REFUSALS = new Set([
  'syntax',
  'unknown-function',
  'unknown-column',
  'unknown-source',
  'type',
  'unsupported',
  'too-complex',
  'parameter',
  'config',
  'usage',
]);

export type GroupTables = Pick<Group, 'folder' | 'statements' | 'events' | 'sandbox'>;

/** The database of the tables of log sources in a store. */
export const OF_STORE = 'quern';

export interface OpenGroup {
  readonly folder: string;
  readonly services: Services;
  /** With what it takes to run a query of the group, prepared as a file or in the group's sandbox. */
  running<T>(
    sql: string,
    work: (prepared: PreparedQuery, current: Parameters<Parameters<Services['running']>[0]>[0]) => Promise<T>,
  ): Promise<T>;
  close(): Promise<void>;
}

/** The tables of a group, in a folder and a store of their own. `url` is that of a server that has them already. */
export async function openGroup(group: GroupTables, url?: string): Promise<OpenGroup> {
  const folder = mkdtempSync(join(tmpdir(), 'quern-collection-'));
  if (existsSync(join(group.folder, 'quern.yaml'))) cpSync(join(group.folder, 'quern.yaml'), join(folder, 'quern.yaml'));
  const server: Record<string, string> = url === undefined ? {} : { CLICKHOUSE_URL: url, CLICKHOUSE_DATABASE: OF_STORE };
  const io = { ...quietIo(() => undefined), cwd: folder, env: { HOME: folder, XDG_CACHE_HOME: join(folder, 'cache'), ...server } };
  const flags = () => ({ store: join(folder, 'store'), cacheDir: join(folder, 'cache') });
  const services = openServices({ io, signal: new AbortController().signal, flags });
  const close = async (): Promise<void> => {
    await services.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    if (url === undefined) await fillStore(await services.store(), group);
  } catch (error) {
    await close();
    throw error;
  }
  const file = join(folder, 'asked.sql');
  return {
    folder,
    services,
    close,
    running(sql, work) {
      writeFileSync(file, sql);
      const { sandbox } = group;
      return services.running(async (current) =>
        work(
          await (sandbox === undefined
            ? prepare({ query: file }, current)
            : prepareSandbox(sandbox, sql, current, { enabled: () => true, secret: true })),
          current,
        ),
      );
    },
  };
}

async function fillStore(store: Store, { statements, events }: GroupTables): Promise<void> {
  for (const statement of statements) await store.engine.command(statement);
  for (const [source, file] of Object.entries(events)) {
    const { badLines: bad } = await store.load(source, file, { format: 'ndjson' });
    if (bad.count > 0) throw new Error(`${file} has lines that do not load`);
  }
}

export async function runGroup(group: Group, reference?: Reference): Promise<readonly Outcome[]> {
  const opened = await openGroup(group);
  try {
    const outcomes: Outcome[] = [];
    const ask: Ask = async (sql) => {
      const { result } = await opened.running(sql, (prepared, current) =>
        run(prepared, { arguments: group.arguments, asOf: group.asOf, cache: 'none' }, current),
      );
      return result;
    };
    for (const query of group.queries) {
      const outcome = await ask(query.sql).then(
        async (result) => ({
          ...judged(query, result),
          ...(reference === undefined ? {} : { compared: await compare(query.sql, group.asOf, result, ask, reference) }),
        }),
        (error: unknown) => failed(query, error),
      );
      outcomes.push(outcome);
    }
    return outcomes;
  } finally {
    await opened.close();
  }
}

/** Rows in any order: queries that order them seldom order all. */
function judged({ name, rows }: CollectedQuery, result: QueryResult): Outcome {
  const given = JSON.stringify(result.rows, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value));
  const right = rows === undefined || inOrder(JSON.parse(given)) === inOrder(JSON.parse(rows));
  return { query: name, kind: right ? 'run' : 'wrong', message: given };
}

const inOrder = (rows: readonly unknown[]): string =>
  rows
    .map((row) => JSON.stringify(row))
    .sort()
    .join('\n');

function failed({ name }: CollectedQuery, error: unknown): Outcome {
  const known = error instanceof QuernError;
  const message = error instanceof Error ? error.message : String(error);
  const hint = known && error.details.hint !== undefined ? ` (${error.details.hint})` : '';
  return {
    query: name,
    kind: known && REFUSALS.has(error.code) ? 'refused' : 'failed',
    message: `${known ? `${error.code}: ` : ''}${message}${hint}`,
  };
}
