// Queries in a folder: `.sql` files, with or without a header of ours, and JSON exports of endpoints.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { QuernError } from '../errors.ts';
import { headerSpan, idInHeader } from '../queries/header/text.ts';
import { type Endpoint, readEndpoint, type Unreadable } from './endpoint.ts';

/** A saved query already, which is taken as it is. */
interface Headed {
  readonly kind: 'headed';
  readonly name: string;
  readonly text: string;
  readonly id?: string | undefined;
}

export type Found = Endpoint | Headed | Unreadable;

/** A longer file is no query. */
const MAX_BYTES = 64 * 2 ** 20;

/** What is in the folder, by file name; folders in it are left alone. Throws `usage` when it cannot be read, or holds no such file. */
export function readFolder(folder: string): readonly Found[] {
  const files = namesIn(folder).filter((name) => /\.(sql|json)$/i.test(name));
  if (files.length === 0)
    throw new QuernError('usage', `${folder} holds no queries`, { hint: 'name a folder with .sql files, or JSON exports of endpoints' });
  return files.sort().flatMap((name) => {
    const text = readText(join(folder, name));
    if (typeof text !== 'string') return [{ kind: 'unreadable', name, reason: text.reason }];
    return /\.json$/i.test(name) ? readExport(text, name) : [readSql(text, name)];
  });
}

function readSql(text: string, file: string): Found {
  const name = basename(file).replace(/\.sql$/i, '');
  if (text.trim() === '') return { kind: 'unreadable', name: file, reason: 'it is empty' };
  if (headerSpan(text) === undefined) return { kind: 'endpoint', name, sql: text, language: 'bq_sql', sources: {}, notes: [] };
  const id = idInHeader(text);
  return { kind: 'headed', name, text, id };
}

/** A list of endpoints, or one; with its name from the file if it has none. */
function readExport(text: string, file: string): readonly Found[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return [{ kind: 'unreadable', name: file, reason: `it is not JSON: ${error instanceof Error ? error.message : String(error)}` }];
  }
  const stem = basename(file).replace(/\.json$/i, '');
  if (!Array.isArray(value)) return [named(readEndpoint(value, file), stem)];
  return value.map((one, i) => readEndpoint(one, `${file}, number ${i + 1}`));
}

const named = (found: Endpoint | Unreadable, name: string): Found =>
  found.kind === 'endpoint' && found.name === '' ? { ...found, name } : found;

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [] : [entry.name]));
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException; // readdirSync throws these
    const message =
      code === 'ENOENT'
        ? `there is no folder ${folder}`
        : code === 'ENOTDIR'
          ? `${folder} is not a folder`
          : `${folder} cannot be read (${code})`;
    throw new QuernError('usage', message, { hint: 'name a folder with .sql files, or JSON exports of endpoints', cause });
  }
}

function readText(path: string): string | { readonly reason: string } {
  try {
    const about = statSync(path);
    if (!about.isFile()) return { reason: 'it is not a file' };
    if (about.size > MAX_BYTES) return { reason: `it is longer than ${MAX_BYTES / 2 ** 20} MiB` };
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    if (error instanceof TypeError) return { reason: 'it is not UTF-8 text' };
    return { reason: `it cannot be read (${(error as NodeJS.ErrnoException).code})` }; // the file system throws these
  }
}
