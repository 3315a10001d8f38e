// The boards of a server while their files change.
import { join } from 'node:path';
import { type Boards, readBoards } from '../../queries/boards/boards.ts';
import type { QueryCatalog } from '../../queries/catalog.ts';
import type { Logger } from '../observe/log.ts';

export interface LiveBoardsOptions {
  readonly catalog: QueryCatalog;
  readonly boardsFolder?: string | undefined;
  readonly log: Logger;
}

export class LiveBoards {
  current: Boards = { boards: [], broken: [] };
  readonly #options: LiveBoardsOptions;

  constructor(options: LiveBoardsOptions) {
    this.#options = options;
  }

  /** Reads the files, and reports those that are wrong in another way than before. */
  read(): void {
    const { catalog, boardsFolder: folder, log } = this.#options;
    if (folder === undefined) return;
    const known = new Set(this.current.broken.map(({ error }) => error.message));
    this.current = readBoards(folder, catalog, (file) => join(folder, file));
    for (const { name, error } of this.current.broken) {
      if (!known.has(error.message))
        log.error({ board: name, error: { code: error.code, message: error.message } }, 'a board has errors: it is not shown');
    }
  }
}
