// The table of endpoints: every saved query by its name and its UUID. A new table takes the place of the old one whole.
import type { ErrorCode, QuernError } from '../../base/errors.ts';
import type { PreparedQuery } from '../../execution/prepared-query.ts';
import type { CatalogListing } from '../../queries/catalog.ts';
import { isUuid } from '../../queries/header/text.ts';
import type { SavedQuery } from '../../queries/saved-query.ts';
import { asServerError } from '../http/failure.ts';
import type { PreparedSlot, PreparedSlots } from './prepared-slot.ts';

export interface Endpoint extends PreparedSlot {
  readonly query: SavedQuery;
}

/** A saved query that cannot be served as its file says; an older text of it may be. */
interface BrokenQuery {
  readonly name: string;
  readonly error: QuernError;
  readonly served: 'not at all' | 'as it was before' | 'once its source can be read';
}

/** Undefined while the engine cannot be asked what its tables hold. */
export async function preparedIfAny(endpoint: Endpoint): Promise<PreparedQuery | undefined> {
  try {
    return await endpoint.prepared();
  } catch {
    return undefined;
  }
}

export interface EndpointTable {
  /** By name. */
  readonly endpoints: readonly Endpoint[];
  readonly broken: readonly BrokenQuery[];
  /** By name or UUID. Throws the QuernError of a query that is broken and was never whole, if `mayKnow` is true of its name. */
  find(reference: string, mayKnow: (name: string) => boolean): Endpoint | undefined;
}

interface EndpointsDependencies {
  list(): Promise<CatalogListing>;
  /** Returns whether the files of which a prepared query was made are as they were. */
  isCurrent(prepared: PreparedQuery): boolean;
  prepared(query: SavedQuery): Promise<PreparedQuery>;
  readonly slots: PreparedSlots;
}

export interface Reload {
  readonly table: EndpointTable;
  /** Names; a query that is broken now is in none of them. */
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** Those that were not broken before, or were broken in another way. */
  readonly newlyBroken: readonly BrokenQuery[];
  /** Names of those that were broken before, and are whole again. */
  readonly mended: readonly string[];
}

export const NO_ENDPOINTS: EndpointTable = { endpoints: [], broken: [], find: () => undefined };

/** Failures that say nothing about the saved query itself. */
const PASSING: ReadonlySet<ErrorCode> = new Set(['unreachable', 'timeout', 'busy', 'interrupted', 'engine', 'limit']);

/** A query whose source cannot be read is listed as broken, and still tried for each caller: the source may be back by then. */
const isOfSource = ({ error }: Pick<BrokenQuery, 'error'>): boolean => error.details.ofSource === true;

/**
 * The table for the files as they are now. An endpoint whose file, and the files it reads, are as they were in `before` stays the same
 * object; one whose file is broken stays as it was. Throws when the folders cannot be read.
 */
export async function reloadEndpoints(before: EndpointTable, deps: EndpointsDependencies): Promise<Reload> {
  const listing = await deps.list();
  const broken = new Map(listing.broken.map(({ name, error }) => [name, error]));
  const old = new Map(before.endpoints.map((endpoint) => [endpoint.query.name, endpoint]));
  const unreadable = new Set(before.broken.filter(isOfSource).map(({ name }) => name));
  const found: Endpoint[] = [];
  const made: Endpoint[] = [];
  for (const query of listing.queries) {
    if (broken.has(query.name)) continue;
    const known = old.get(query.name);
    const isSame = known !== undefined && !unreadable.has(query.name) && known.query.source.text === query.source.text;
    if (isSame && !(await usesChanged(known, deps))) found.push(known);
    else made.push({ query, ...deps.slots.slot(() => deps.prepared(query)) });
  }
  const troubles = await withPatience(made.map(trouble));
  for (const [i, endpoint] of made.entries()) {
    const error = troubles[i];
    if (error !== undefined) broken.set(endpoint.query.name, error);
    if (error === undefined || isOfSource({ error })) found.push(endpoint);
  }
  const isFound = new Set(found.map(({ query }) => query.name));
  const kept = [...broken.keys()].flatMap((name) => (isFound.has(name) ? [] : (old.get(name) ?? [])));
  const servedAs = (name: string): BrokenQuery['served'] => {
    if (isFound.has(name)) return 'once its source can be read';
    return old.has(name) ? 'as it was before' : 'not at all';
  };
  const endpoints = [...found, ...kept].sort((a, b) => (a.query.name < b.query.name ? -1 : 1));
  const table = tableOf(
    endpoints,
    [...broken].map(([name, error]) => ({ name, error, served: servedAs(name) })),
  );
  const present = new Set([...endpoints.map(({ query }) => query.name), ...broken.keys()]);
  return {
    table,
    added: found.flatMap(({ query }) => (old.has(query.name) ? [] : [query.name])),
    changed: found.flatMap((endpoint) => {
      const known = old.get(endpoint.query.name);
      return known === undefined || known === endpoint ? [] : [endpoint.query.name];
    }),
    removed: [...old.keys()].filter((name) => !present.has(name)),
    mended: before.broken.flatMap(({ name }) => (present.has(name) && !broken.has(name) ? [name] : [])),
    newlyBroken: table.broken.filter(
      ({ name, error }) => !before.broken.some((one) => one.name === name && one.error.message === error.message),
    ),
  };
}

function tableOf(endpoints: readonly Endpoint[], broken: readonly BrokenQuery[]): EndpointTable {
  const byReference = new Map(endpoints.flatMap((endpoint) => [endpoint.query.name, endpoint.query.id].map((key) => [key, endpoint])));
  return {
    endpoints,
    broken,
    find(reference, mayKnow) {
      const endpoint = byReference.get(isUuid(reference) ? reference.toLowerCase() : reference);
      if (endpoint !== undefined) return endpoint;
      const never = broken.find(({ name }) => name === reference && mayKnow(name));
      if (never !== undefined) throw never.error;
      return undefined;
    },
  };
}

/** Returns the error of the endpoint's query, as far as preparing it shows one. */
async function trouble(endpoint: Endpoint): Promise<QuernError | undefined> {
  try {
    await endpoint.prepared();
    return undefined;
  } catch (cause) {
    // A fault of the translator's is one of this query, and must not keep the others from being served.
    const error = asServerError(cause);
    return PASSING.has(error.code) ? undefined : error;
  }
}

/** A source may be at an address that is silent for long. */
const PATIENCE_MS = 1000;

/** Returns the results of the works. Once none has ended for a while, the result of each that is not done is undefined. */
async function withPatience<T>(works: readonly Promise<T>[]): Promise<readonly (T | undefined)[]> {
  const done: (T | undefined)[] = works.map(() => undefined);
  let lastMs = performance.now();
  const all = Promise.all(
    works.map(async (work, i) => {
      done[i] = await work;
      lastMs = performance.now();
    }),
  ).then(() => true);
  for (;;) {
    const leftMs = lastMs + PATIENCE_MS - performance.now();
    let timer: NodeJS.Timeout | undefined;
    const pause = new Promise<false>((resume) => {
      timer = setTimeout(resume, Math.max(leftMs, 0), false);
    });
    const isDone = await Promise.race([all, pause]).finally(() => clearTimeout(timer));
    if (isDone || leftMs <= 0) return [...done];
  }
}

async function usesChanged(endpoint: Endpoint, deps: EndpointsDependencies): Promise<boolean> {
  const prepared = await preparedIfAny(endpoint);
  return prepared !== undefined && !deps.isCurrent(prepared);
}
