// What was found out about a definition of the project, as something that a name leads to.

import { type ErrorCode, QuernError } from '../base/errors.ts';
import { digest } from '../cache/json-memory.ts';
import type { Section } from '../fields/value-at.ts';
import type { SourceDefinition } from './definition.ts';
import type { SourceFacts } from './facts.ts';
import type { Found } from './kind.ts';
import { sourcesSection } from './memory.ts';
import type { Place } from './place.ts';
import { problemOf } from './source-problem.ts';

/** Looks at the source of a definition. What is wrong with it is told to whoever reads it, with its place in the project file. */
export async function describedBy<T extends SourceFacts | undefined>(
  definition: SourceDefinition,
  { sections, unasked }: Pick<Place, 'sections' | 'unasked'>,
  look: () => Promise<T>,
): Promise<T extends undefined ? Found | undefined : Found> {
  const facts = await look().catch((error: unknown): SourceFacts => {
    if (error === unasked) throw error;
    return { problem: problemOf(error) };
  });
  return facts && foundFacts(definition, facts, sourcesSection(sections));
}

/** What may be wrong with a name, and not with the engine. */
const OF_THE_NAME: readonly ErrorCode[] = ['unknown-source', 'config'];

/** Returns what `look` finds under a name. What is wrong with the name is told to whoever reads what it leads to. */
export async function foundBy({ unasked }: Pick<Place, 'unasked'>, look: () => Promise<Found | undefined>): Promise<Found | undefined> {
  try {
    return await look();
  } catch (error) {
    if (error === unasked || !(error instanceof QuernError) || !OF_THE_NAME.includes(error.code)) throw error;
    return { read: () => Promise.reject(error) };
  }
}

const foundFacts = (definition: SourceDefinition, facts: SourceFacts, section: Section): Found => ({
  digest: digest(JSON.stringify('problem' in facts ? facts.problem.message : facts)),
  async read() {
    const { sourceOfFacts } = await import('./facts.ts');
    return sourceOfFacts(definition, section, facts);
  },
});
