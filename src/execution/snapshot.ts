// A snapshot of the place where the rows are. A run that finds it outdated begins again with a new one.
import type { Engine } from '../engine/engine.ts';
import type { HeldFiles } from '../sources/files/file-sources.ts';
import type { Version } from '../sources/version.ts';
import type { LimitRules } from './limits.ts';
import type { PrepareDependencies } from './prepared-query.ts';

export interface Snapshot {
  readonly version: Version;
  readonly sources: PrepareDependencies['sources'];
  /** Absent where no source is files. */
  readonly files?: HeldFiles | undefined;
  readonly limits: LimitRules;
  /** Opens the engine on first use. `sources` are all that is going to be read there; absent: it may be anything. */
  engine(sources?: readonly string[]): Promise<Engine>;
  /** The next snapshot asks the engine for its tables again. */
  forgetSources(): Promise<void>;
  /** True when `error` says that this snapshot no longer holds; a new one is then worth a second try. */
  outdated(error: unknown): Promise<boolean>;
}

/** A snapshot of tables hardly grows old twice in a row, but files of a busy log come and go. */
const MOST_ATTEMPTS = 10;

/** Does work that depends on the sources and the data, and does it again if the snapshot of these turns out to be outdated. */
export async function withCurrent<S extends Pick<Snapshot, 'outdated' | 'files'>, T>(
  snapshot: () => Promise<S>,
  work: (current: S) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const current = await snapshot();
    const outdated = async (error: unknown): Promise<boolean> => attempt < MOST_ATTEMPTS && (await current.outdated(error));
    try {
      return await work({ ...current, outdated });
    } catch (error) {
      if (!(await outdated(error))) throw error;
    } finally {
      await current.files?.leave();
    }
  }
}
