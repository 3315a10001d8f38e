// Which engine and which data answers are of, known without asking for every request.

import type { Circumstances } from '../../execution/wanted-rows.ts';
import type { Clock } from '../clock.ts';
import type { AnswersSnapshot } from './runs.ts';

/** What keys of rows say of the data. */
export type Data = Pick<Circumstances, 'engineId' | 'files'>;

interface Identity {
  /** As of a moment ago; asks again behind the answer now and then. Undefined until it has been asked once. */
  current(): Data | undefined;
  ask(): Promise<Data>;
  /** The snapshot for a run; what it says is known from then on. */
  snapshot(): Promise<AnswersSnapshot>;
}

interface IdentityOptions {
  readonly snapshot: () => Promise<AnswersSnapshot>;
  readonly clock: Clock;
  readonly askEveryMs: number;
}

export function watchIdentity({ snapshot, clock, askEveryMs }: IdentityOptions): Identity {
  let known: Data | undefined;
  let askedAtMs = Number.NEGATIVE_INFINITY;

  const take = async (): Promise<AnswersSnapshot> => {
    askedAtMs = clock.now();
    const taken = await snapshot();
    known = { engineId: taken.engineId, files: taken.files };
    return taken;
  };

  let asking: Promise<Data> | undefined;
  const ask = (): Promise<Data> => {
    asking ??= take()
      .then(({ engineId, files }) => ({ engineId, files }))
      .finally(() => {
        asking = undefined;
      });
    return asking;
  };

  return {
    ask,
    current() {
      const ageMs = clock.now() - askedAtMs;
      // A clock that was set back must not stop the asking.
      if (known !== undefined && (ageMs >= askEveryMs || ageMs < 0)) ask().catch(() => undefined); // the next run hears of it
      return known;
    },
    snapshot: take,
  };
}
