// Finds what is wrong with files of saved queries and functions by preparing them as a run would.
import { basename } from 'node:path';
import type { SourceText } from '../base/source-text.ts';
import { type Finding, lintSource, lintTwins } from '../queries/lint.ts';
import type { SavedQuery } from '../queries/saved-query.ts';
import { type PrepareDependencies, prepareQuery } from './prepared-query.ts';

/** The findings of files, one after the other; then those about ids that two of them have. */
export async function lintFiles(files: readonly SourceText[], { catalog, sources }: PrepareDependencies): Promise<readonly Finding[]> {
  const prepare = (query: SavedQuery) => prepareQuery(query, { catalog, sources });
  const findings: Finding[] = [];
  for (const file of files) {
    const name = basename(file.name, '.sql');
    findings.push(...(await lintSource(file, name, { catalog, sources, prepare })));
  }
  return [...findings, ...lintTwins(files)];
}
