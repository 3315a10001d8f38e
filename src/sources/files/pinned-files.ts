// Files of a project that may read nothing outside of its folder. What a path leads to may be a link to another file a moment after the look at it, so these
// are opened, looked at as they are open, and read as such: the engine gets paths that lead to open files, whatever lies under their names by then.
import { constants, createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, readlink, realpath, rm, stat, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { QuernError } from '../../base/errors.ts';
import { isAlive } from '../../files/lock-file.ts';
import type { FilesPlace, ListedFile } from './list-files.ts';
import { isOutside } from './outside.ts';

/** An open file. */
interface Pin {
  /** Leads to it, and to no other, until it is closed. */
  readonly path: string;
  close(): Promise<void>;
}

interface Pins {
  /** How many bytes stand before `as` in a path. */
  readonly prefix: number;
  pathOf(as: string): string;
  /** Opens the files under these paths. Throws QuernError for one that is not inside of the folder, and what the file system throws. */
  provide(files: readonly { readonly file: ListedFile; readonly as: string }[]): Promise<() => Promise<void>>;
}

const PID_DIGITS = 8;
const SERIAL_DIGITS = 8;
let made = 0;

/** `cache` is the cache's folder. Paths of all are equally long, so that a query that was prepared over others fits. */
export function openPins(cache: string, place: Pick<FilesPlace, 'folder' | 'permit'>): Pins {
  const all = join(cache, 'open');
  const serial = (made++).toString(36).padStart(SERIAL_DIGITS, '0');
  const folder = join(all, `${String(process.pid).padStart(PID_DIGITS, '0')}-${serial}`);
  const pathOf = (as: string): string => `${folder}${as}`;
  const make = async (files: Parameters<Pins['provide']>[0]): Promise<() => Promise<void>> => {
    if (serial === FIRST) await sweep(all);
    const pins: Pin[] = [];
    const end = async (): Promise<void> => {
      await Promise.all(pins.map((pin) => pin.close()));
      await rm(folder, { recursive: true, force: true });
    };
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      for (const { file, as } of files) {
        const pin = await pinned(file, place);
        pins.push(pin);
        await mkdir(dirname(pathOf(as)), { recursive: true });
        await symlink(pin.path, pathOf(as));
      }
      return end;
    } catch (error) {
      await end();
      throw error;
    }
  };
  /** They are open once for all who read them at a time. */
  let readers = 0;
  let opened: Promise<() => Promise<void>> | undefined;
  let closing: Promise<void> = Promise.resolve();
  const leave = async (): Promise<void> => {
    readers--;
    if (readers > 0 || opened === undefined) return;
    const ended = opened;
    opened = undefined;
    closing = ended.then((end) => end()).catch(() => undefined);
    await closing;
  };
  return {
    prefix: Buffer.byteLength(folder),
    pathOf,
    async provide(files) {
      readers++;
      opened ??= closing.then(() => make(files));
      try {
        await opened;
      } catch (error) {
        await leave();
        throw error;
      }
      return leave;
    },
  };
}

const FIRST = '0'.repeat(SERIAL_DIGITS);

/** Opens a file that was listed. Throws what `permit` throws where it lies outside of the folder by now, and what the file system throws. */
export async function pinned({ path }: ListedFile, { folder, permit }: Pick<FilesPlace, 'folder' | 'permit'>): Promise<Pin> {
  const root = await realpath(folder);
  // A pipe in the place of a file would wait for its writer.
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const permitted = async (real: string): Promise<void> => {
      if (isOutside(root, real)) await permit(`${path}, a link to ${real}`);
    };
    if (!(await handle.stat()).isFile()) throw changed(path);
    const link = `/proc/${process.pid}/fd/${handle.fd}`;
    const real = await readlink(link).catch(() => undefined);
    if (real === undefined) return await copied(handle, path, permitted);
    await permitted(real.replace(/ \(deleted\)$/, ''));
    return { path: link, close: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Where the system does not say which file is open: a copy, made while the path leads to that file and nowhere outside. */
async function copied(handle: FileHandle, path: string, permitted: (real: string) => Promise<void>): Promise<Pin> {
  const { tmpdir } = await import('node:os');
  const { mkdtemp } = await import('node:fs/promises');
  const folder = await mkdtemp(join(tmpdir(), 'quern-'));
  const close = async (): Promise<void> => {
    await handle.close();
    await rm(folder, { recursive: true, force: true });
  };
  const check = async (): Promise<void> => {
    const real = await realpath(path);
    await permitted(real);
    const [now, held] = [await stat(real), await handle.stat()];
    if (now.ino !== held.ino || now.dev !== held.dev) throw changed(path);
  };
  try {
    const copy = join(folder, 'copy');
    await check();
    await pipeline(createReadStream('', { fd: handle.fd, autoClose: false, start: 0 }), createWriteStream(copy, { mode: 0o600 }));
    await check();
    return { path: copy, close };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

const changed = (path: string): QuernError =>
  new QuernError('data', `${path} was changed while it was read`, { hint: 'run the query again', ofSource: true });

/** Removes what processes that died have left. */
async function sweep(all: string): Promise<void> {
  for (const name of await readdir(all).catch(() => [])) {
    const pid = Number.parseInt(name, 10);
    if (!Number.isNaN(pid) && pid !== process.pid && !isAlive(pid)) await rm(join(all, name), { recursive: true, force: true });
  }
}
