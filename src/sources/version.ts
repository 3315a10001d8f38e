// What rows are made of. Rows that are kept anywhere (in the cache, in buckets of time, in the memory of a server) are kept under a version, and hold as long
// as it does; a prepared query holds as long as the version that `Sources` has of the names in it, and what was read of a definition is part of both.
import type { ReadTable } from '../sql/translation.ts';
import type { HeldFiles } from './files/file-sources.ts';

/** Microseconds since 1970. */
export interface Period {
  readonly start: number;
  /** The first moment that no longer belongs to it. */
  readonly end: number;
}

/** Rows that came together and stay as they are: a part of a table, a load, or the files of a source. */
export interface Part {
  /** Another for other rows. */
  readonly content: string;
  /** When its rows may lie; undefined: at any time. */
  readonly times: Period | undefined;
  readonly rows: number;
}

export interface TableState {
  /** What makes rows of the parts. */
  readonly definition: string;
  readonly parts: readonly Part[];
}

export interface Version {
  /** Returns what changes whenever rows of these sources could, as far as it is known without asking the engine. Files among them must have been listed. */
  of(sources: readonly string[]): string;
  /** True if rows of these sources are the same as long as `of` is. */
  isExact(sources: readonly string[]): boolean;
  /** Names the place of the rows, who asks, and this build of quern, whatever the data are; absent: no rows of parts of a query are kept. */
  readonly place?: string | undefined;
  /** Returns what the rows of a table are made of; undefined where only the engine knows. */
  stateOf(table: ReadTable): TableState | undefined;
  /** Whether what `stateOf` says is still so. */
  isCurrent(): Promise<boolean>;
}

/** What a place knows of its own data without asking the engine. */
interface PlaceVersion {
  /** Names the engine and its data. */
  readonly data: string;
  /** `data` is another once any rows could be others; those of files apart. */
  readonly isExact?: boolean;
  readonly place?: string | undefined;
  readonly stateOf?: ((table: ReadTable) => TableState | undefined) | undefined;
  /** Absent where nothing can change what `stateOf` says while a run goes on. */
  readonly isCurrent?: (() => Promise<boolean>) | undefined;
}

/** The version of the rows of a place, and of files that are sources there. */
export function versionOf({ data, isExact = false, place, stateOf, isCurrent }: PlaceVersion, files?: HeldFiles): Version {
  return {
    of: (sources) => (files === undefined ? data : `${data} ${files.version(sources)}`),
    isExact: (sources) => isExact && sources.every((name) => files?.listed(name) === undefined || files.exactVersion(name) !== undefined),
    place,
    stateOf(table) {
      const known = stateOf?.(table);
      const content = known === undefined ? files?.exactVersion(table.source) : undefined;
      // The rows of files may lie at any time.
      return content === undefined ? known : { definition: 'files', parts: [{ content, times: undefined, rows: 0 }] };
    },
    isCurrent: isCurrent ?? (async () => true),
  };
}
