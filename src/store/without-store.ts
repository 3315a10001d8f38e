// The embedded engine in a folder of its own that is gone afterwards: for SQL that reads no table of a store.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type EmbeddedEngine, openEmbedded } from '../engine/embedded/embedded.ts';
import { makeFolder } from '../files/make-folder.ts';
import { removeAbandonedTemporaries, temporaryBeside } from '../files/temporary.ts';

/** Opens it below `folder`, where it also puts what does not fit into memory. Throws as openEmbedded does, and what making the folder throws. */
export async function openWithoutStore(folder: string, ownMemoryBytes: number | undefined): Promise<EmbeddedEngine> {
  makeFolder(folder);
  const name = join(folder, 'engine');
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
