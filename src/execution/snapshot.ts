// What holds now of the place where the rows are; a run that finds it outdated begins again with what holds then.
import type { Engine } from '../engine/engine.ts';
import type { HeldFiles } from '../sources/files/held-files.ts';
import type { ReadTable } from '../sql/translation.ts';
import type { TableState } from './buckets/stamp.ts';
import type { LimitRules } from './limits.ts';
import type { PrepareDependencies } from './prepared-query.ts';

export interface Snapshot {
  /** Identity of the engine and its data for cache keys, known without opening the engine. */
  readonly engineId: string;
  /** `engineId` is another once any rows could be others; those of files apart. */
  readonly dataInId?: true;
  /** Identity of the engine, of who asks it, and of this build of quern, whatever the data are; absent: no rows of parts of a query are kept. */
  readonly placeId?: string;
  /** What the rows of a table are made of, where that is known without asking the engine. */
  readonly stateOf?: (table: ReadTable) => TableState | undefined;
  /** Whether what `stateOf` says is still so; absent where nothing can change it while a run goes on. */
  readonly still?: () => Promise<boolean>;
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
