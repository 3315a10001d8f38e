// The prepared query of what a caller asks: the endpoint's own, or that of their SQL if they may send it.
import type { QuernError } from '../../base/errors.ts';
import type { PreparedQuery } from '../../execution/prepared-query.ts';
import type { SavedQuery } from '../../queries/saved-query.ts';
import type { Waiter } from '../answers/answer.ts';
import type { Endpoint } from '../answers/endpoints.ts';
import type { PreparedSlot } from '../answers/prepared-slot.ts';
import { ANYBODY, type Caller, tenantOf } from '../keys/authentication.ts';
import { barredFromSql } from '../keys/pinned-arguments.ts';

/** The slot of the caller's SQL for a saved query; the same one for the same text. `secret`: see SandboxRules. */
export type Sandboxed = (query: SavedQuery, sql: string, secret: boolean) => PreparedSlot;

/** Throws what preparing throws, and QuernError `parameter` for SQL that the key does not allow. */
export async function preparedFor(
  { endpoint, sql, caller }: { readonly endpoint: Endpoint; readonly sql: string | undefined; readonly caller: Caller },
  { signal, span }: Pick<Waiter, 'signal' | 'span'>,
  sandboxed: Sandboxed,
): Promise<{ readonly slot: PreparedSlot; readonly prepared: PreparedQuery }> {
  const asker = { tenant: tenantOf(caller), signal, span };
  if (sql === undefined) return { slot: endpoint, prepared: await endpoint.prepared(asker) };
  // A query whose header takes SQL says before the caller's text is read whether it is filtered.
  orThrow(barredFrom(caller, await endpoint.prepared()));
  const slot = sandboxed(endpoint.query, sql, caller !== ANYBODY && Object.keys(caller.pins).length > 0);
  const prepared = await slot.prepared(asker);
  // By what is going to run: a saved query that is read as a table may have changed since the endpoint was planned.
  if (caller !== ANYBODY) orThrow(barredFromSql(caller, prepared));
  return { slot, prepared };
}

/**
 * Why the caller may send no SQL of their own for a query that takes it, as far as its own prepared query tells. Of one whose header does not
 * open it, as with Logflare's clients, only the prepared query of the caller's SQL knows what filters it.
 */
export function barredFrom(
  caller: Caller,
  query: Pick<PreparedQuery, 'name' | 'parameters' | 'sandbox' | 'filteredBy'>,
): QuernError | undefined {
  if (caller === ANYBODY || (!query.sandbox && Object.keys(caller.pins).length > 0)) return undefined;
  return barredFromSql(caller, query);
}

function orThrow(error: QuernError | undefined): void {
  if (error !== undefined) throw error;
}
