// The files of a source, once they have been found.
import type { SourceDefinition } from '../definition.ts';
import type { FilesDefinition } from './definition.ts';
import type { Ask } from './description.ts';
import type { FileView } from './file-view.ts';
import type { FilesPlace, ListedFile } from './list-files.ts';
import type { RemoteFiles } from './remote.ts';

/** The definition of a source that is files. */
export type FilesSource = SourceDefinition & { readonly files: FilesDefinition };

/** Files of this machine, as they lie there and as the engine reads them. */
export interface LocalFiles {
  readonly listed: readonly ListedFile[];
  readonly view: FileView;
}

export interface FoundFiles {
  readonly definition: FilesSource;
  readonly found: LocalFiles | RemoteFiles;
}

/** What describing files needs to know of the run. */
export interface DescribingOptions {
  /** Where paths begin, and what may be read beyond. */
  readonly place: FilesPlace;
  readonly ask: Ask;
  /** The engine is a server: it has no files of this machine, and reads addresses in the query itself. */
  readonly onServer: boolean;
  /** The cache's folder. */
  readonly folder: string;
  /** Names this very build of quern. */
  readonly build: string;
  /** How long what was found at an address is good for. */
  readonly ttlSeconds: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}
