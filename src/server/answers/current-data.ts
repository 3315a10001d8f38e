// The version of the data that answers are of, known without asking for every request.

import type { Clock } from '../clock.ts';
import type { AnswersSnapshot } from './runs.ts';

/** The part of a snapshot that keys of rows depend on. */
export type Data = Pick<AnswersSnapshot, 'version' | 'files'>;

interface CurrentDataOptions {
  readonly snapshot: () => Promise<AnswersSnapshot>;
  readonly clock: Clock;
  readonly askEveryMs: number;
}

export class CurrentData {
  readonly #options: CurrentDataOptions;
  #known: Data | undefined;
  #askedAtMs = Number.NEGATIVE_INFINITY;
  #asking: Promise<Data> | undefined;
  /** Sources that calls have read: their files are listed whenever the data are looked at. */
  readonly #named = new Set<string>();

  constructor(options: CurrentDataOptions) {
    this.#options = options;
  }

  /**
   * Returns the data as of a moment ago, and looks at them again behind the answer now and then. Undefined until the files of all these sources have been
   * listed once.
   */
  current(sources: readonly string[]): Data | undefined {
    const known = this.#known;
    const ageMs = this.#options.clock.now() - this.#askedAtMs;
    // A clock that was set back must not stop the asking.
    if (known !== undefined && (ageMs >= this.#options.askEveryMs || ageMs < 0)) this.#askAgain().catch(() => undefined); // the next run has the same error
    return known?.files?.isListed(sources) === false ? undefined : known;
  }

  /** Returns the data as they are now. */
  async ask(sources: readonly string[]): Promise<Data> {
    for (const source of sources) this.#named.add(source);
    const data = await this.#askAgain();
    await data.files?.list(sources); // the asking may have begun before
    return data;
  }

  /** Returns the snapshot for a run; its data are the current ones from then on. */
  readonly snapshot = async (): Promise<AnswersSnapshot> => {
    this.#askedAtMs = this.#options.clock.now();
    const taken = await this.#options.snapshot();
    const { version, files } = taken;
    await files?.list([...this.#named]);
    this.#known = { version, files };
    return taken;
  };

  #askAgain(): Promise<Data> {
    this.#asking ??= this.snapshot()
      .then(({ version, files }) => ({ version, files }))
      .finally(() => {
        this.#asking = undefined;
      });
    return this.#asking;
  }
}
