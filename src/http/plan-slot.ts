// Plans as a long-lived process holds them: made when first needed, the same object for all who ask, made again when the data have changed.
import { createSingleFlight } from '../cache/single-flight.ts';
import type { Plan } from '../execution/plan.ts';
import { BACKGROUND, createParty, type Party, type Tenant } from './answers/tenant.ts';

/** Who wants a plan, until the signal aborts. */
interface Asker {
  readonly tenant: Tenant;
  readonly signal?: AbortSignal;
}

export interface PlanSlot {
  /** At once where the plan is at hand. A failure is not remembered. */
  plan(asker?: Asker): Plan | Promise<Plan>;
}

export interface PlanSlots {
  /** A plan is made once for all who want it meanwhile: `make` is told who they are, and when none of them is left. */
  slot(make: Make): PlanSlot;
  /** A plan instead of one that no longer fits the data; every slot's plan knows the way to its successor. */
  replan(plan: Plan): Promise<Plan>;
}

type Make = (party: Party, signal: AbortSignal) => Promise<Plan>;

interface Slot extends PlanSlot {
  readonly held: Plan | undefined;
  renew(asker: Asker): Promise<Plan>;
}

/** No caller waits. */
const NOBODY: Asker = { tenant: BACKGROUND };

export function createPlanSlots(): PlanSlots {
  const slots = new WeakMap<Plan, Slot>();

  const slotFor = (make: Make): Slot => {
    const flights = createSingleFlight<Plan>();
    let held: Plan | undefined;
    let party: Party | undefined;

    const makeFor = async (those: Party, signal: AbortSignal): Promise<Plan> => {
      party = those;
      try {
        const plan = await make(those, signal);
        slots.set(plan, slot);
        held = plan;
        return plan;
      } finally {
        if (party === those) party = undefined;
      }
    };
    const renew = ({ tenant, signal }: Asker): Promise<Plan> => {
      party?.join(tenant);
      return flights.share('', (left) => makeFor(createParty(tenant), left), signal);
    };
    const slot: Slot = {
      get held() {
        return held;
      },
      plan: (asker = NOBODY) => held ?? renew(asker),
      renew,
    };
    return slot;
  };

  return {
    slot: slotFor,
    async replan(plan) {
      const slot = slots.get(plan);
      if (slot === undefined) return plan;
      // Others may have found it outdated before.
      return slot.held === plan || slot.held === undefined ? slot.renew(NOBODY) : slot.held;
    },
  };
}
