// What holds now of the place where the rows are; a run that finds it outdated begins again with what holds then.
import type { Engine } from '../engine/engine.ts';
import type { Settings } from '../engine/session-settings.ts';
import type { ReadTable } from '../sql/translation.ts';
import type { TableState } from './buckets/stamp.ts';
import type { LimitRules } from './limits.ts';
import type { PrepareDependencies } from './prepared-query.ts';

interface ListedFiles {
  readonly format: string;
  /** As the project names them. */
  readonly patterns: readonly string[];
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
}

/** The sources that are files, as they lay there when they were listed. Nothing is known of a source before it is. */
export interface HeldFiles {
  /** Keeps open what a query reads, beyond the work for which the snapshot was made, until what this gives is called. */
  hold(): () => Promise<void>;
  /** The work for which the snapshot was made is done. */
  leave(): Promise<void>;
  /** Lists the files of those of `sources` that are files, once. */
  list(sources: readonly string[]): Promise<void>;
  /** Whether files that were listed have come, gone or changed since. */
  haveChanged(): Promise<boolean>;
  /** Whether all of them have been listed. */
  isListed(sources: readonly string[]): boolean;
  /** Names, sizes and times of the files of those of `sources` that are files, as one text. */
  identity(sources: readonly string[]): string;
  /** The same of one that is files of this machine, whose rows are the same as long as this is; undefined for others. */
  exactly(source: string): string | undefined;
  /** What makes them tables of a session, see EngineQuery. Rejects with QuernError `data` where one cannot be made ready for the engine. */
  tables(sources: readonly string[]): Promise<readonly string[]>;
  /** Without which a query would not read them as they are. Throws QuernError `config` where those of one are not those of another. */
  settings(sources: readonly string[]): Promise<Settings>;
  /** True when one of them is read by the query itself, at an address. */
  inQuery(sources: readonly string[]): boolean;
  /** Where those of `sources` lie that are files elsewhere, as the project names them. */
  addresses(sources: readonly string[]): readonly string[];
  /** What a source is that is files; undefined for others. */
  listed(source: string): ListedFiles | undefined;
  /** A file's path as people know it. */
  shown(path: string): string;
}

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
