// Tenants, for whom queries run: a key, all callers of a server without keys, or the server itself.

export interface Tenant {
  readonly id: string;
  /** Most runs at the engine at once. */
  readonly maxConcurrent?: number;
  /** Most that its runs may cost in any 60 minutes: rows read from tables, and seconds at the engine. */
  readonly maxScanPerHour?: number;
  readonly maxTimePerHour?: number;
}

/** Refreshing and warming, which no caller waits for. No key has this id, nor the next one. */
export const BACKGROUND: Tenant = { id: 'background' };
export const EVERYBODY: Tenant = { id: 'everybody' };

/** Work of several tenants: `name` tells which they share. */
interface SharedWork {
  /** The tenant joins those who share the work under way, if there is any; else the work that is given back is begun for it. */
  join<T>(name: string, tenant: Tenant, work: (waiters: Waiters, signal: AbortSignal) => Promise<T>): (signal: AbortSignal) => Promise<T>;
}

export function createSharedWork(): SharedWork {
  const shared = new Map<string, Waiters>();
  return {
    join(name, tenant, work) {
      shared.get(name)?.join(tenant);
      return async (signal) => {
        const waiters = createWaiters(tenant);
        shared.set(name, waiters);
        try {
          return await work(waiters, signal);
        } finally {
          if (shared.get(name) === waiters) shared.delete(name);
        }
      };
    },
  };
}

/** The tenants who want the same run: it begins when the turn of any of them comes. */
export type Waiters = ReturnType<typeof createWaiters>;

export function createWaiters(first: Tenant) {
  const tenants = new Map([[first.id, first]]);
  let report: (tenant: Tenant) => void = () => undefined;
  return {
    tenants,
    join(tenant: Tenant) {
      if (tenants.has(tenant.id)) return;
      tenants.set(tenant.id, tenant);
      report(tenant);
    },
    /** Calls `joined` with each tenant who joins from now on, in place of the function that was given before. */
    watch(joined: (tenant: Tenant) => void) {
      report = joined;
    },
  };
}
