// The id of a saved query whose header gives none: the same wherever a project of that name lies, and another in every other project.
import { createHash } from 'node:crypto';
import { basename, dirname, resolve } from 'node:path';
import type { SourceText } from '../../base/source-text.ts';
import { closedHeader, idInHeader } from './text.ts';

/** A namespace of quern's own, as RFC 9562 asks for: https://www.rfc-editor.org/rfc/rfc9562#section-5.5 */
const NAMESPACE = Buffer.from('b7b6a3b25f0e4c3c9f0a3d1c8e5a7d42', 'hex');

/** Returns the UUID for the name of a saved query in the file `path`. Its project is called like the folder around that of the saved queries. */
export function derivedId(path: string, name: string): string {
  const project = basename(dirname(dirname(resolve(path))));
  const hash = createHash('sha1').update(NAMESPACE).update(`${project}/${name}`).digest().subarray(0, 16);
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50; // version 5
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  return hash.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Returns the id that the file of a saved query gives itself, or has by its place; undefined for a file without a header. */
export function idOf({ name: path, text }: SourceText, name: string): string | undefined {
  return idInHeader(text) ?? (closedHeader(text) && derivedId(path, name));
}
