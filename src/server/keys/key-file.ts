// The file of keys: read as a whole or refused, replaced as a whole, its owner's alone.
import { closeSync, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { QuernError } from '../../errors.ts';
import { makeFolder } from '../../files/make-folder.ts';
import { isDiskFull, replaceFileSync } from '../../files/replace-file.ts';
import { withLock } from './file-lock.ts';
import { type KeyRecord, recordFromJson, recordToJson, versionFor } from './key-record.ts';
import { overwriteFileSync } from './overwrite-file.ts';

/** The newest; a file has the oldest that can hold its keys, so that an older quern reads it for as long as it may. */
const VERSION = 3;

/** The records of the file; none without a file. Throws QuernError `config` for a file that is damaged, or that others may read or write. */
export function readKeyFile(file: string): readonly KeyRecord[] {
  const text = readPrivately(file);
  return text === undefined ? [] : parseKeys(text, file);
}

/** Replaces the records by what `change` makes of them, alone among all processes. */
export async function updateKeyFile<T>(
  file: string,
  change: (records: readonly KeyRecord[]) => { readonly records: readonly KeyRecord[]; readonly value: T },
): Promise<T> {
  const target = resolveLinks(file);
  prepareFolder(dirname(target), file);
  return withLock(target, () => {
    const { records, value } = change(readKeyFile(target));
    writeKeys(target, records);
    return value;
  });
}

function readPrivately(file: string): string | undefined {
  let fd: number;
  try {
    fd = openSync(file, 'r');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException; // openSync throws system errors only
    if (code === 'ENOENT') return undefined;
    throw unreadable(file, cause);
  }
  try {
    const { mode } = fstatSync(fd);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new QuernError('config', `other users may read or change the keys in ${file}: its mode is ${(mode & 0o777).toString(8)}`, {
        hint: `run \`chmod 600 ${file}\`, and check with \`quern keys list\` that all keys are yours`,
      });
    }
    return readFileSync(fd, 'utf8');
  } catch (cause) {
    throw cause instanceof QuernError ? cause : unreadable(file, cause);
  } finally {
    closeSync(fd);
  }
}

function parseKeys(text: string, file: string): readonly KeyRecord[] {
  const damaged = (message: string, cause?: unknown): QuernError =>
    new QuernError('config', `${file} is damaged: ${message}`, {
      hint: 'restore it from a copy, or move it away to start without keys',
      cause,
    });
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    throw damaged('it is not JSON', cause);
  }
  const { version, keys } = (typeof content === 'object' && content !== null ? content : {}) as { version?: unknown; keys?: unknown };
  if (typeof version === 'number' && version > VERSION) {
    throw new QuernError('config', `${file} was written by a newer quern (version ${version}, this quern knows ${VERSION})`, {
      hint: 'update quern, or name another file with keys_file',
    });
  }
  if (!(typeof version === 'number' && version >= 1) || !Array.isArray(keys)) throw damaged('it does not contain keys');
  const records = keys.map((one: unknown, i) => {
    const record = recordFromJson(one);
    if (typeof record === 'string') throw damaged(`key ${i + 1} ${record}`);
    return record;
  });
  for (const property of ['id', 'name'] as const) {
    const seen = new Set<string>();
    for (const { key } of records) {
      if (seen.has(key[property])) throw damaged(`two keys have the ${property} ${key[property]}`);
      seen.add(key[property]);
    }
  }
  return records;
}

function writeKeys(file: string, records: readonly KeyRecord[]): void {
  const text = `${JSON.stringify({ version: versionFor(records), keys: records.map(recordToJson) }, null, 2)}\n`;
  try {
    replaceFileSync(file, text, 0o600);
  } catch (cause) {
    // A key that has leaked must go, also where there is no room for a second file.
    if (!isDiskFull(cause) || !overwritten(file, text)) throw unwritable(file, cause);
  }
}

function overwritten(file: string, text: string): boolean {
  try {
    return overwriteFileSync(file, text);
  } catch {
    return false; // why not is told by what could not be replaced
  }
}

/** A link to the file stays a link. */
function resolveLinks(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file; // there is none yet, or reading it tells why not
  }
}

function prepareFolder(folder: string, file: string): void {
  try {
    makeFolder(folder, 0o700);
  } catch (cause) {
    throw unwritable(file, cause);
  }
}

function unreadable(file: string, cause: unknown): QuernError {
  return new QuernError('config', `the keys in ${file} cannot be read: ${reasonOf(cause)}`, {
    hint: 'name another file with keys_file',
    cause,
  });
}

function unwritable(file: string, cause: unknown): QuernError {
  if (isDiskFull(cause)) {
    return new QuernError('config', `the keys in ${file} cannot be changed: the disk is full`, {
      hint: 'free some space on it and try again; nothing has changed',
      cause,
    });
  }
  return new QuernError('config', `keys cannot be saved in ${file}: ${reasonOf(cause)}`, {
    hint: 'name another file with keys_file',
    cause,
  });
}

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message.replace(/, \w+ '.*$/s, '') : String(cause));
