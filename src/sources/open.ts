// The sources of a place: what the project says, what the engine has, and what was found out before.
import type { QuernError } from '../base/errors.ts';
import type { Sections, SourceDefinition } from './definition.ts';
import type { FileSources, FileSourcesOptions, HeldFiles } from './files/file-sources.ts';
import type { Sources } from './kind.ts';
import { type MemoryOptions, NO_MEMORY, openSourceMemory, sectionsText, sourcesSection } from './memory.ts';
import type { LoadedSources, Place } from './place.ts';
import { openSources } from './resolve.ts';

export interface PlaceOptions extends Omit<Place, 'memory' | 'sections'>, MemoryOptions {
  /** Files that the user has typed in place of a table. */
  readonly typed?: readonly SourceDefinition[] | undefined;
  /** Where the files of sources are, and how they are looked into. */
  readonly files: Pick<FileSourcesOptions, 'place' | 'onServer' | 'deadline' | 'ask'>;
}

/** The sources of a place at one moment. */
export interface PlaceSources extends Sources {
  /** Absent where no source is files. */
  readonly files?: HeldFiles | undefined;
  /** True when something that was looked at had been described by an earlier run. */
  readonly wasRemembered: boolean;
  /** Lets the engine be asked again next time. */
  forget(): Promise<void>;
}

/** Throws QuernError `config` for the sections' own problems. What is wrong with a source is told to whoever names it. */
export async function openPlaceSources({ typed = [], files: options, ...given }: PlaceOptions): Promise<PlaceSources> {
  const { sections } = given;
  const memory = Object.keys(sections).length === 0 && given.server === undefined ? NO_MEMORY : await openSourceMemory(given);
  const definitions = [...memory.definitions, ...typed];
  const place: Place = { ...given, memory };
  const files = await filesOf(definitions, { ...given, ...options });
  const sources = openSources({
    kinds: async () => (await import('./kinds.ts')).kindsOf(place, files),
    definitions,
    derive: async (name, resolver) => {
      // A name without a dot is led on by a part of a wildcard source alone.
      if (memory === NO_MEMORY && !name.includes('.')) return undefined;
      return (await import('./derived.ts')).derivedSource(name, place, resolver);
    },
    known: JSON.stringify([sectionsText(sections), typed, given.loaded && loadedText(given.loaded)]),
  });
  return {
    ...sources,
    async listTables(wanted) {
      const { listTables } = await import('./information-schema/list-tables.ts');
      return listTables(wanted, await sources.resolveAll(), place);
    },
    async listDatabases() {
      const { listDatabases } = await import('./information-schema/list-tables.ts');
      return listDatabases(place);
    },
    async informationSchema(name, wanted) {
      const { informationSchemaSource } = await import('./information-schema/schema-source.ts');
      return informationSchemaSource(name, place, sources.resolveAll, wanted);
    },
    files,
    get wasRemembered() {
      return memory.wasUsed;
    },
    forget: memory.forget,
  };
}

/** Returns undefined where no source is files: what reads them is then not loaded. */
async function filesOf(
  definitions: readonly SourceDefinition[],
  options: Omit<FileSourcesOptions, 'problem'> & { readonly sections: Sections },
): Promise<FileSources | undefined> {
  if (definitions.every((one) => one.files === undefined)) return undefined;
  const { fileSources } = await import('./files/file-sources.ts');
  const problem = async (definition: SourceDefinition, error: QuernError) =>
    (await import('./facts.ts')).placed(definition, sourcesSection(options.sections), error);
  return fileSources(definitions, { ...options, problem });
}

function loadedText({ sources, tables }: LoadedSources): string {
  const facts = Object.entries(sources).flatMap(([name, source]) => [
    ...(source?.severalElements === true ? [name] : []),
    ...(source?.referenceEverywhere === true ? [] : [`${name}?`]),
  ]);
  const shapes = Object.values(tables).map(({ name, columns }) => JSON.stringify([name, columns]));
  return [...facts.sort(), ...shapes.sort()].join(' ');
}
