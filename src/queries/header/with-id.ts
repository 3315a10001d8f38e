// Writes the id of a saved query into its header.
import { basename } from 'node:path';
import { QuernError } from '../../base/errors.ts';
import type { SourceText } from '../../base/source-text.ts';
import { derivedId } from './own-id.ts';
import { closedHeader, idInHeader } from './text.ts';

/** Returns the text with the id in its header that it has by its place in `path`; the same text where there is no header, or it has an id. */
export function withId({ name: shown, text }: SourceText, path: string): string {
  const span = closedHeader(text);
  if (span === undefined || idInHeader(text) !== undefined) return text;
  const id = derivedId(path, basename(path, '.sql'));
  const header = text.slice(span.start, span.end);
  const lines = /^[^\S\n]*\r?\n(?=\S)/.exec(header)?.[0];
  if (lines === undefined || header.trim().startsWith('{'))
    throw new QuernError('config', `${shown} has a header in a form to which no id can be added`, { hint: `write it yourself: id: ${id}` });
  const at = span.start + lines.length;
  return `${text.slice(0, at)}id: ${id}${lines.endsWith('\r\n') ? '\r\n' : '\n'}${text.slice(at)}`;
}
