// Parts of quern/translate that are loaded when a text needs them: scripts/translator.mjs says which. Anywhere else everything is there from the start.

/** Thrown where work needs a part that is not loaded. Once it is, the same work is done again from its beginning. */
export class NotLoaded extends Error {
  readonly load: () => Promise<void>;

  constructor(load: () => Promise<void>) {
    super('a part of the translator is not loaded');
    this.load = load;
  }
}

/** What `work` gives, once every part is loaded that it turns out to need. */
export async function withParts<T>(work: () => T | Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof NotLoaded)) throw error;
      await error.load();
    }
  }
}
