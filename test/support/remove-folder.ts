import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Takes away a folder into which a process that is ending may still write: the retries of rmSync do not see what is new in it. */
export async function removeFolder(folder: string, tries = 50): Promise<void> {
  for (let left = tries; ; left--) {
    try {
      return rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      if (left === 0) throw error;
      await sleep(100);
    }
  }
}
