// Reads a saved query. What reads YAML is loaded where there is a header: that is a tenth of the time that SQL without one takes beside the engine.
import type { SourceText } from '../base/source-text.ts';
import { headerSpan } from './header/text.ts';
import { draftOf, type SavedQuery } from './saved-query.ts';

/** Returns what parseSavedQuery does, and throws the same. */
export async function readSavedQuery(source: SourceText, name: string): Promise<SavedQuery> {
  if (headerSpan(source.text) === undefined) return draftOf(source, name);
  const { parseSavedQuery } = await import('./header/header.ts');
  return parseSavedQuery(source, name);
}
