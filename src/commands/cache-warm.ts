// quern cache warm: runs saved queries again with the arguments that cached results have, so that the next who asks need not wait.
import type { App } from '../app.ts';
import { QuernError } from '../errors.ts';
import { plainJson } from '../output/value.ts';
import type { ResultColumn, Row, Value } from '../result.ts';
import type { SavedQuery } from '../saved-query/saved-query.ts';

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

/** Warms what `references` name, or every saved query that is cached. */
export async function warmCache(app: App, references: readonly string[], flags: { readonly format?: string }): Promise<void> {
  const queries = references.length === 0 ? await cachedQueries(app) : await Promise.all(references.map((one) => cachedQuery(app, one)));
  const pairs = await pairsOf(app, queries);
  const rows: Row[] = [];
  const errors: QuernError[] = [];
  for (const { query, arguments: values } of pairs) {
    const cells = [query.name, plainJson(values)];
    try {
      const { result } = await app.run({ reference: query.name, arguments: values, cache: 'refresh' });
      rows.push([...cells, result.rows.length, Math.round(result.statistics?.elapsedMs ?? 0), null]);
    } catch (error) {
      // Without an engine, or after Ctrl-C, the others would fare no better.
      if (!(error instanceof QuernError) || error.code === 'unreachable' || error.code === 'interrupted') throw error;
      errors.push(error);
      rows.push([...cells, null, null, error.message]);
    }
  }
  await app.print({ columns: COLUMNS, rows, truncated: false }, { ...flags, whole: ['query'] });
  const [first] = errors;
  if (first !== undefined) {
    throw new QuernError(first.code, `${errors.length} of ${pairs.length} results could not be made new`, {
      hint: 'the column `error` says why; `quern cache clear` forgets arguments that no longer fit',
    });
  }
}

async function cachedQueries(app: App): Promise<readonly SavedQuery[]> {
  return (await app.savedQueries()).queries.filter(({ ttlSeconds }) => ttlSeconds > 0);
}

async function cachedQuery(app: App, reference: string): Promise<SavedQuery> {
  const query = await app.savedQuery(reference);
  if (query.ttlSeconds > 0) return query;
  throw new QuernError('usage', `${query.name} is not cached`, { hint: 'write `cache: 15m` in its header' });
}

/** The arguments of cached results; where there are none, the defaults, if they are enough for a run. */
async function pairsOf(app: App, queries: readonly SavedQuery[]): Promise<readonly Pair[]> {
  const entries = await (await app.cache()).list();
  const pairs: Pair[] = [];
  for (const query of queries) {
    const own = entries.filter((entry) => entry.query === query.name && entry.asOf === undefined);
    const known = new Map(own.map((entry) => [plainJson(entry.arguments), given(entry.arguments)]));
    for (const values of known.values()) pairs.push({ query, arguments: values });
    if (known.size > 0) continue;
    const missing = query.parameters.filter(({ required }) => required).map(({ name }) => `--${name}`);
    if (missing.length === 0) pairs.push({ query, arguments: {} });
    else await app.note(`note: ${query.name} needs ${missing.join(', ')}: run it once, and its arguments are known`);
  }
  return pairs;
}

/** NULL stands for what was not given. */
function given(values: Arguments): Arguments {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}
