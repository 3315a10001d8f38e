// The embedded engine in a folder of its own that is gone afterwards: for SQL that reads no table of a store.
import { accessSync, constants, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedEngine, openEmbedded } from '../engine/embedded/embedded.ts';
import { makeFolder } from '../files/make-folder.ts';
import { removeAbandonedTemporaries, temporaryBeside } from '../files/temporary.ts';

/** Opens it below `folder`, where it also puts what does not fit into memory, or among the temporary files where that cannot be written to. Throws as openEmbedded does. */
export async function openWithoutStore(folder: string, ownMemoryBytes: number | undefined): Promise<EmbeddedEngine> {
  const name = join(writable(folder) ? folder : tmpdir(), 'quern-engine');
  removeAbandonedTemporaries(name);
  const path = temporaryBeside(name);
  const engine = await openEmbedded({ path, ownMemoryBytes });
  return {
    ...engine,
    async close() {
      await engine.close();
      rmSync(path, { recursive: true, force: true });
    },
  };
}

function writable(folder: string): boolean {
  try {
    makeFolder(folder);
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
