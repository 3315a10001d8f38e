// A file of settings, whatever it is written in.
import type { SourceText, Span } from '../base/source-text.ts';

export interface FileEntry {
  readonly key: string;
  readonly value: unknown;
  readonly keySpan?: Span | undefined;
  readonly valueSpan?: Span | undefined;
}

/** A file of settings, before anything is checked. */
export interface SettingsFile {
  readonly path: string;
  readonly entries: readonly FileEntry[];
  /** Present when the entries' spans point into it; secrets are blank in it. */
  readonly source?: SourceText;
  /** Where the value at a path of keys stands in the source; with `of`, where the last of the keys does. */
  spanAt?(path: readonly string[], of?: 'key'): Span | undefined;
}
