// What was found out about the project's sources, remembered on disk for a while.

import type { QuernError } from '../base/errors.ts';
import { digest, openJsonMemory } from '../cache/json-memory.ts';
import type { Section } from '../fields/value-at.ts';
import type { Sections, SourceDefinition } from './definition.ts';
import type { NameRule } from './names.ts';

export interface MemoryOptions {
  readonly sections: Sections;
  /** The cache's folder. */
  readonly folder: string;
  /** Names the engine: its tables may differ from another's. */
  readonly engine: string;
  /** Names this very build of quern: what another one remembered may have another shape. */
  readonly build: string;
  readonly ttlSeconds: number;
  /** What is remembered is good however old it is: the engine is not to be asked, and whoever would have to is told this. */
  readonly unasked?: QuernError | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** What the sections say, which takes longer to read than to remember. */
interface KnownSections {
  readonly definitions: readonly SourceDefinition[];
  readonly rules: readonly NameRule[];
  /** How often the engine was said to be asked again: what was remembered before then is forgotten. */
  readonly generation: number;
}

export interface SourceMemory {
  readonly definitions: readonly SourceDefinition[];
  /** Of `names:`. */
  readonly rules: readonly NameRule[];
  /** Returns what was found before, where that is not too old, or what is found now; that nothing was found is not remembered. */
  recall<T>(what: string, make: () => Promise<T>): Promise<T>;
  /** True when something had been found by an earlier run. */
  readonly wasUsed: boolean;
  /** Lets the engine be asked again next time. */
  forget(): Promise<void>;
}

const MAX_BYTES = 32e6;

/** Throws QuernError `config` for problems of the section. */
export async function openSourceMemory(options: MemoryOptions): Promise<SourceMemory> {
  const { sections, folder, engine, build, ttlSeconds, unasked, now } = options;
  const memory = openJsonMemory<unknown>({ folder: `${folder}/tables`, suffix: '.tables', maxBytes: MAX_BYTES, now });
  const sectionKey = `${build} ${engine} ${sectionsText(sections)}`;
  const known = async (): Promise<KnownSections> => {
    const before = (await memory.read(sectionKey)) as KnownSections | undefined;
    if (before !== undefined) return before;
    const { readDefinitions } = await import('./definition.ts');
    const definitions = readDefinitions(sourcesSection(sections));
    const rules = sections.names === undefined ? [] : (await import('./names.ts')).readNameRules(sections.names);
    const read = { definitions, rules, generation: 0 };
    await memory.write(sectionKey, read);
    return read;
  };
  const { definitions, rules, generation } = await known();
  const base = `${digest(sectionKey)} ${generation}`;
  let wasUsed = false;
  return {
    definitions,
    rules,
    async recall<T>(what: string, make: () => Promise<T>): Promise<T> {
      const key = `${base} ${what}`;
      const before = (await memory.read(key)) as { readonly storedAtMs: number; readonly value: T } | undefined;
      const ageMs = before === undefined ? Number.NaN : now() - before.storedAtMs;
      if (before !== undefined && (unasked !== undefined || (ageMs >= 0 && ageMs < ttlSeconds * 1000))) {
        wasUsed = true;
        return before.value;
      }
      if (unasked !== undefined) throw unasked;
      const made = await make();
      if (made !== undefined) await memory.write(key, { storedAtMs: now(), value: made });
      return made;
    },
    get wasUsed() {
      return wasUsed;
    },
    forget: () => memory.write(sectionKey, { definitions, rules, generation: generation + 1 }),
  };
}

/** Where nothing is said of sources, so that nothing has to be remembered. */
export const NO_MEMORY: SourceMemory = {
  definitions: [],
  rules: [],
  recall: (_, make) => make(),
  wasUsed: false,
  forget: async () => undefined,
};

/** Returns all of the sections as they were read: what a part of them means is known elsewhere, and a part that was left out here would go on with its old meaning. */
export const sectionsText = (sections: Sections): string =>
  JSON.stringify(
    Object.entries(sections)
      .map(([name, section]) => [name, section?.value])
      .sort(),
  );

export const sourcesSection = (sections: Sections): Section => sections.sources ?? { value: {} };
