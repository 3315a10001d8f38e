// Which engine and which data answers are of, known without asking for every request.

import type { Clock } from '../clock.ts';
import type { AnswersSnapshot } from './runs.ts';

/** What keys of rows say of the data. */
export type Data = Pick<AnswersSnapshot, 'version' | 'files'>;

interface Identity {
  /** As of a moment ago; asks again behind the answer now and then. Undefined until it has been asked once, of all these sources. */
  current(sources: readonly string[]): Data | undefined;
  ask(sources: readonly string[]): Promise<Data>;
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
  /** Sources that somebody has asked for: their files are listed whenever the identity is asked for. */
  const named = new Set<string>();

  const take = async (): Promise<AnswersSnapshot> => {
    askedAtMs = clock.now();
    const taken = await snapshot();
    await taken.files?.list([...named]);
    known = { version: taken.version, files: taken.files };
    return taken;
  };

  let asking: Promise<Data> | undefined;
  const askAgain = (): Promise<Data> => {
    asking ??= take()
      .then(({ version, files }) => ({ version, files }))
      .finally(() => {
        asking = undefined;
      });
    return asking;
  };

  return {
    async ask(sources) {
      for (const source of sources) named.add(source);
      const data = await askAgain();
      await data.files?.list(sources); // the asking may have begun before
      return data;
    },
    current(sources) {
      const ageMs = clock.now() - askedAtMs;
      // A clock that was set back must not stop the asking.
      if (known !== undefined && (ageMs >= askEveryMs || ageMs < 0)) askAgain().catch(() => undefined); // the next run hears of it
      return known?.files?.isListed(sources) === false ? undefined : known;
    },
    snapshot: take,
  };
}
