// Chooses one of the queries of a text, each of which is translated by itself.
import { QuernError } from '../../base/errors.ts';
import type { Script } from '../syntax/ast.ts';
import { parseScript } from '../syntax/parser/parse-script.ts';
import type { TranslateOptions, Translation } from '../translation.ts';

/**
 * Returns the script of the query that `result` chooses, by default of the last, and the number of queries where there are several. Throws what parsing
 * throws, and QuernError `usage` where there is no such query.
 */
export function wantedScript(
  text: string,
  { result }: Pick<TranslateOptions, 'result'>,
): { readonly script: Script; readonly results: Pick<Translation, 'results'> } {
  const last = parseScript(text);
  const all = [...(last.earlier ?? []), last];
  const script = result === undefined ? last : all[result];
  if (script === undefined) throw new QuernError('usage', `the text has no query ${(result ?? 0) + 1}: it has ${all.length}`);
  return { script, results: all.length === 1 ? {} : { results: all.length } };
}
