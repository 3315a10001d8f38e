// Prepared queries of a long-lived process: made when first needed, the same object for all requests, made again when the data have changed.
import { createSingleFlight } from '../../cache/single-flight.ts';
import type { PreparedQuery } from '../../execution/prepared-query.ts';
import { type Span, within } from '../observe/span.ts';
import { BACKGROUND, createSharedWork, type Tenant, type Waiters } from './tenant.ts';

/** A request that waits for a prepared query, until the signal aborts. */
interface Asker {
  readonly tenant: Tenant;
  readonly signal?: AbortSignal;
  /** Of the request. */
  readonly span?: Span | undefined;
}

export interface PreparedSlot {
  /** Returns the current prepared query, and makes it if there is none. A failure is not remembered. */
  prepared(asker?: Asker): Promise<PreparedQuery>;
  /** Returns whether that is the current prepared query. */
  gives(prepared: PreparedQuery): boolean;
}

type Make = (waiters: Waiters, signal: AbortSignal) => Promise<PreparedQuery>;

interface Slot extends PreparedSlot {
  readonly current: PreparedQuery | undefined;
  renew(asker: Asker): Promise<PreparedQuery>;
}

/** No caller waits. */
const NOBODY: Asker = { tenant: BACKGROUND };

export type PreparedSlots = ReturnType<typeof createPreparedSlots>;

export function createPreparedSlots() {
  const slots = new WeakMap<PreparedQuery, Slot>();

  const slotFor = (make: Make): Slot => {
    const flights = createSingleFlight<PreparedQuery>();
    const shared = createSharedWork();
    let current: PreparedQuery | undefined;

    const makeFor: Make = async (waiters, signal) => {
      const prepared = await make(waiters, signal);
      slots.set(prepared, slot);
      current = prepared;
      return prepared;
    };
    const renew = ({ tenant, signal, span }: Asker): Promise<PreparedQuery> =>
      within(span, 'translate', () => flights.share('', shared.join('', tenant, makeFor), signal));
    const slot: Slot = {
      get current() {
        return current;
      },
      prepared: async (asker = NOBODY) => current ?? renew(asker),
      gives: (prepared) => current === prepared,
      renew,
    };
    return slot;
  };

  return {
    /** Returns a slot that makes its prepared query once for all who want it meanwhile: `make` gets these tenants, and a signal that none of them is left. */
    slot: slotFor,
    /** Returns the prepared query that replaces one that no longer fits the data. */
    async prepareAgain(prepared: PreparedQuery) {
      const slot = slots.get(prepared);
      if (slot === undefined) return prepared;
      // Another run may have replaced it before.
      return slot.current === prepared || slot.current === undefined ? slot.renew(NOBODY) : slot.current;
    },
  };
}
