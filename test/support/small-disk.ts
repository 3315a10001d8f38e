// A disk of a few megabytes that can be filled. Only root can have one.
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  readonly path: string;
  /** Leaves no room for anything. */
  fill(): void;
  /** Makes room again. */
  empty(): void;
  remove(): void;
}

/** Undefined where no disk can be mounted. */
export function smallDisk(megabytes: number): SmallDisk | undefined {
  const path = mkdtempSync(join(tmpdir(), 'quern-disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'quern-test', path]).status === 0;
  if (!mounted) {
    rmSync(path, { recursive: true });
    return undefined;
  }
  const filler = join(path, 'filler');
  return {
    path,
    fill() {
      for (const bytes of [1 << 20, 4096]) {
        try {
          for (;;) appendFileSync(filler, Buffer.alloc(bytes));
        } catch (cause) {
          if ((cause as NodeJS.ErrnoException).code !== 'ENOSPC') throw cause; // appendFileSync throws system errors only
        }
      }
    },
    empty: () => rmSync(filler, { force: true }),
    remove() {
      spawnSync('umount', ['-l', path]);
      rmSync(path, { recursive: true, force: true });
    },
  };
}
