// What holds now of the place where the rows are; a run that finds it outdated begins again with what holds then.
import type { Engine } from '../engine/engine.ts';
import type { HeldFiles } from '../sources/files/held-files.ts';
import type { Version } from '../sources/version.ts';
import type { LimitRules } from './limits.ts';
import type { PrepareDependencies } from './prepared-query.ts';

export interface Snapshot {
  readonly version: Version;
  readonly sources: PrepareDependencies['sources'];
  /** Absent where no source is files. */
  readonly files?: HeldFiles | undefined;
  readonly limits: LimitRules;
  /** Opens the engine on first use. */
  engine(): Promise<Engine>;
  /** The next snapshot asks the engine for its tables again. */
  forgetSources(): Promise<void>;
  /** True when `error` says that this snapshot no longer holds; a new one is then worth a second try. */
  outdated(error: unknown): Promise<boolean>;
}

/** What a run knows may grow old while it runs: hardly twice in a row where it is tables, but files of a busy log come and go. */
const MOST_ATTEMPTS = 10;

/** Does what depends on the sources and the data, and does it again when these turn out to have been those of the past. */
export async function withCurrent<S extends Pick<Snapshot, 'outdated' | 'files'>, T>(
  snapshot: () => Promise<S>,
  work: (held: S) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const held = await snapshot();
    const outdated = async (error: unknown): Promise<boolean> => attempt < MOST_ATTEMPTS && (await held.outdated(error));
    try {
      return await work({ ...held, outdated });
    } catch (error) {
      if (!(await outdated(error))) throw error;
    } finally {
      await held.files?.leave();
    }
  }
}
