// quern cache warm: runs saved queries again with the arguments of their cached results, so that the next caller need not wait.
import { QuernError } from '../../../base/errors.ts';
import type { ResultColumn, Row, Value } from '../../../base/result.ts';
import { prepare } from '../../../execution/prepare.ts';
import { run } from '../../../execution/run.ts';
import { plainJson } from '../../../output/value.ts';
import type { QueryCatalog } from '../../../queries/catalog.ts';
import { findSavedQuery } from '../../../queries/find-query.ts';
import type { SavedQuery } from '../../../queries/saved-query.ts';
import type { Parts } from '../../parts.ts';

type Arguments = Readonly<Record<string, Value>>;

interface Pair {
  readonly query: SavedQuery;
  readonly arguments: Arguments;
}

const COLUMNS: readonly ResultColumn[] = [
  { name: 'query', type: { kind: 'STRING' } },
  { name: 'arguments', type: { kind: 'JSON' } },
  { name: 'rows', type: { kind: 'INT64' } },
  { name: 'milliseconds', type: { kind: 'INT64' } },
  { name: 'error', type: { kind: 'STRING' } },
];

/** Warms the queries that `references` name, or every saved query that is cached. */
export async function warmCache(parts: Parts, references: readonly string[], flags: { readonly format?: string }): Promise<void> {
  const { running, signal, terminal } = parts;
  const catalog = await parts.catalog();
  const queries = references.length === 0 ? await cachedQueries(catalog) : references.map((one) => cachedQuery(catalog, one));
  const pairs = await pairsOf(parts, queries);
  const rows: Row[] = [];
  const errors: QuernError[] = [];
  for (const { query, arguments: values } of pairs) {
    const cells = [query.name, plainJson(values)];
    try {
      const { result } = await running(async (current) =>
        run(await prepare({ query: query.name }, current), { arguments: values, cache: 'refresh', signal }, current),
      );
      rows.push([...cells, result.rows.length, Math.round(result.statistics?.elapsedMs ?? 0), null]);
    } catch (error) {
      // Without an engine, or after Ctrl-C, the others would fare no better.
      if (!(error instanceof QuernError) || error.code === 'unreachable' || error.code === 'interrupted') throw error;
      errors.push(error);
      rows.push([...cells, null, null, error.message]);
    }
  }
  await terminal.print({ columns: COLUMNS, rows, truncated: false }, { ...flags, whole: ['query'] });
  const [first] = errors;
  if (first !== undefined) {
    throw new QuernError(first.code, `${errors.length} of ${pairs.length} results could not be refreshed`, {
      hint: 'the `error` column says why; `quern cache clear` removes entries whose arguments are no longer valid',
    });
  }
}

async function cachedQueries(catalog: QueryCatalog): Promise<readonly SavedQuery[]> {
  return (await catalog.list()).queries.filter(({ ttlSeconds }) => ttlSeconds > 0);
}

function cachedQuery(catalog: QueryCatalog, reference: string): SavedQuery {
  const query = findSavedQuery(reference, catalog);
  if (query.ttlSeconds > 0) return query;
  throw new QuernError('usage', `${query.name} is not cached`, { hint: 'add `cache: 15m` to its header' });
}

/** Returns the arguments of cached results; where there are none, the defaults, if a run needs no others. */
async function pairsOf({ cache, terminal }: Parts, queries: readonly SavedQuery[]): Promise<readonly Pair[]> {
  const entries = await (await cache()).list();
  const pairs: Pair[] = [];
  for (const query of queries) {
    const own = entries.filter((entry) => entry.query === query.name && entry.asOf === undefined);
    const known = new Map(own.map((entry) => [plainJson(entry.arguments), given(entry.arguments)]));
    for (const values of known.values()) pairs.push({ query, arguments: values });
    if (known.size > 0) continue;
    const missing = query.parameters.filter(({ required }) => required).map(({ name }) => `--${name}`);
    if (missing.length === 0) pairs.push({ query, arguments: {} });
    else await terminal.note(`note: ${query.name} needs ${missing.join(', ')}: run it once, and quern remembers its arguments`);
  }
  return pairs;
}

/** NULL stands for an argument that was left out. */
function given(values: Arguments): Arguments {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}
