// Prepared queries as a long-lived process holds them: made when first needed, the same object for all who ask, made again when the data have changed.
import { createSingleFlight } from '../../cache/single-flight.ts';
import type { PreparedQuery } from '../../execution/prepared-query.ts';
import { type Span, within } from '../observe/span.ts';
import { BACKGROUND, createParties, type Party, type Tenant } from './tenant.ts';

/** Who wants a prepared query, until the signal aborts. */
interface Asker {
  readonly tenant: Tenant;
  readonly signal?: AbortSignal;
  /** What waits for it. */
  readonly span?: Span | undefined;
}

export interface PreparedSlot {
  /** A failure is not remembered. */
  prepared(asker?: Asker): Promise<PreparedQuery>;
  /** Whether that is what is given now. */
  gives(prepared: PreparedQuery): boolean;
}

export interface PreparedSlots {
  /** A prepared query is made once for all who want it meanwhile: `make` is told who they are, and when none of them is left. */
  slot(make: Make): PreparedSlot;
  /** A prepared query instead of one that no longer fits the data; every slot's prepared query knows the way to its successor. */
  replan(prepared: PreparedQuery): Promise<PreparedQuery>;
}

type Make = (party: Party, signal: AbortSignal) => Promise<PreparedQuery>;

interface Slot extends PreparedSlot {
  readonly held: PreparedQuery | undefined;
  renew(asker: Asker): Promise<PreparedQuery>;
}

/** No caller waits. */
const NOBODY: Asker = { tenant: BACKGROUND };

export function createPreparedSlots(): PreparedSlots {
  const slots = new WeakMap<PreparedQuery, Slot>();

  const slotFor = (make: Make): Slot => {
    const flights = createSingleFlight<PreparedQuery>();
    const parties = createParties();
    let held: PreparedQuery | undefined;

    const makeFor: Make = async (party, signal) => {
      const prepared = await make(party, signal);
      slots.set(prepared, slot);
      held = prepared;
      return prepared;
    };
    const renew = ({ tenant, signal, span }: Asker): Promise<PreparedQuery> =>
      within(span, 'translate', () => flights.share('', parties.join('', tenant, makeFor), signal));
    const slot: Slot = {
      get held() {
        return held;
      },
      prepared: async (asker = NOBODY) => held ?? renew(asker),
      gives: (prepared) => held === prepared,
      renew,
    };
    return slot;
  };

  return {
    slot: slotFor,
    async replan(prepared) {
      const slot = slots.get(prepared);
      if (slot === undefined) return prepared;
      // Others may have found it outdated before.
      return slot.held === prepared || slot.held === undefined ? slot.renew(NOBODY) : slot.held;
    },
  };
}
