// A declared parameter without effect is a mistake somewhere: in the header, or in the SQL.
import { QuernError } from '../base/errors.ts';
import { headerSpan } from './header/text.ts';
import type { SavedQuery } from './saved-query.ts';

/** Throws QuernError `config` naming the first declared parameter for which `isUsed` is false. */
export function refuseUnused(query: SavedQuery, isUsed: (name: string) => boolean): void {
  const unused = query.parameters.filter(({ name }) => !isUsed(name)).map(({ name }) => name);
  const [first] = unused;
  if (first === undefined) return;
  const header = headerSpan(query.source.text);
  const start = header === undefined || header === 'unclosed' ? 0 : header.start;
  const offset = query.source.text.slice(start).search(new RegExp(`\\b${first}\\b["']?\\s*:`));
  const verb = unused.length === 1 ? 'is' : 'are';
  throw new QuernError('config', `${unused.join(', ')} ${verb} declared but never used`, {
    source: query.source,
    span: { start: start + Math.max(offset, 0), end: start + Math.max(offset, 0) + first.length },
    hint: `use @${first} in the SQL, or remove it from params:`,
  });
}
