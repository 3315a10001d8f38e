// Notices that files in the folders of saved queries, and of boards, have changed: at once where the system tells, else within seconds.
import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from './clock.ts';

interface WatchOptions {
  readonly folders: readonly string[];
  readonly clock: Pick<Clock, 'after'>;
  readonly onChange: () => void;
}

const WATCHED = /\.(?:sql|ya?ml)$/i;
/** Editors write a file in several steps. */
const SETTLE_MS = 100;
/** Network drives and some containers tell nothing. */
const LOOK_EVERY_MS = 2000;

/** Calls `onChange` after a `.sql` file, or a YAML file, was added, changed or removed; gives a function that stops it. */
export function watchFolders({ folders, clock, onChange }: WatchOptions): () => void {
  let seen = signature(folders);
  let stopSettling: (() => void) | undefined;
  let stopLooking: () => void = () => undefined;

  const look = (): void => {
    const now = signature(folders);
    if (now === seen) return;
    seen = now;
    onChange();
  };
  const settle = (): void => {
    stopSettling?.();
    stopSettling = clock.after(SETTLE_MS, look);
  };
  const lookAgain = (): void => {
    stopLooking = clock.after(LOOK_EVERY_MS, () => {
      look();
      lookAgain();
    });
  };
  const watchers = folders.flatMap((folder): FSWatcher[] => {
    try {
      // Watching that breaks off is made up for by looking.
      return [watch(folder, { persistent: false }, settle).on('error', () => undefined)];
    } catch {
      return [];
    }
  });
  lookAgain();
  return () => {
    stopSettling?.();
    stopLooking();
    for (const watcher of watchers) watcher.close();
  };
}

/** Changes with every such file; a folder that cannot be read has one of its own. */
function signature(folders: readonly string[]): string {
  return folders
    .flatMap((folder) => {
      try {
        return readdirSync(folder)
          .filter((file) => WATCHED.test(file))
          .map((file) => fileSignature(join(folder, file)));
      } catch {
        return [`${folder} cannot be read`];
      }
    })
    .join('\n');
}

function fileSignature(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? path : `${path} ${stat.ino} ${stat.size} ${stat.mtimeMs}`;
}
