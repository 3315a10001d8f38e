// Plans as a long-lived process holds them: made when first needed, the same object for all who ask, made again when the data have changed.
import type { Plan } from '../execution/plan.ts';

export interface PlanSlot {
  /** At once where the plan is at hand. A failure is not remembered. */
  plan(): Plan | Promise<Plan>;
}

export interface PlanSlots {
  slot(make: () => Promise<Plan>): PlanSlot;
  /** A plan instead of one that no longer fits the data; every slot's plan knows the way to its successor. */
  replan(plan: Plan): Promise<Plan>;
}

interface Slot extends PlanSlot {
  readonly held: Plan | undefined;
  renew(): Promise<Plan>;
}

export function createPlanSlots(): PlanSlots {
  const slots = new WeakMap<Plan, Slot>();

  const slotFor = (make: () => Promise<Plan>): Slot => {
    let held: Plan | undefined;
    let making: Promise<Plan> | undefined;
    const renew = (): Promise<Plan> => {
      making ??= make()
        .then((plan) => {
          slots.set(plan, slot);
          held = plan;
          return plan;
        })
        .finally(() => {
          making = undefined;
        });
      return making;
    };
    const slot: Slot = {
      get held() {
        return held;
      },
      plan: () => held ?? renew(),
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
      return slot.held === plan || slot.held === undefined ? slot.renew() : slot.held;
    },
  };
}
