// A store that several processes have in common in front of the files of each: texts for a while, and turns that one of them has at a time.

type SharedKind = 'results' | 'buckets';

/** Nothing of it rejects but waiting that is called off: a store that is away holds nothing and takes nothing. */
export interface SharedStore {
  read(kind: SharedKind, name: string): Promise<string | undefined>;
  /** For so long, and while old rows may be given. Nothing is kept of what is too large. */
  write(kind: SharedKind, name: string, text: string | Buffer, ttlSeconds: number): Promise<void>;
  remove(kind: SharedKind, name: string): Promise<void>;
  /**
   * Resolves when this process is to do the work of this name: it is the only one that does, or can wait no longer for the one that does; or when
   * another has done it. Rejects with the signal's reason.
   */
  turn(name: string, signal: AbortSignal): Promise<SharedTurn>;
}

export interface SharedTurn {
  /** Where the rows of another process are to be found. */
  readonly key?: string;
  /** `key`: where those who wait find the rows; absent: there are none for them. */
  end(key?: string): Promise<void>;
}
