// Checks that results can be cached: the folder can be written to, and its disk has room.
import { randomUUID } from 'node:crypto';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatNumber } from '../base/quantity.ts';
import { makeFolder } from '../files/make-folder.ts';
import { type Finding, note, ok } from './finding.ts';

const ADVICE = 'choose another folder with --cache-dir; until then every query runs on the engine';

export async function* checkCacheFolder(folder: string, maxBytes: number): AsyncIterable<Finding> {
  const subject = 'cache folder';
  const probe = join(folder, `.doctor-${randomUUID()}`);
  try {
    await makeFolder(folder);
    try {
      await writeFile(probe, 'x');
    } finally {
      await rm(probe, { force: true }); // a full disk leaves it empty
    }
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    yield note(subject, `${folder} cannot be written to (${reason})`, ADVICE);
    return;
  }
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free < maxBytes) {
    yield note(
      subject,
      `${folder} has ${megabytes(free)} free, but may grow to ${megabytes(maxBytes)}`,
      'free some space, or lower cache_size',
    );
    return;
  }
  yield ok(subject, folder);
}

const megabytes = (bytes: number): string => `${formatNumber(Math.round(bytes / 1e6))} MB`;
