// The names that a user may type, for completion: known without the engine.

import type { Settings } from '../../config/load.ts';
import { SETTING_NAMES, SETTINGS, type Setting } from '../../config/settings.ts';
import type { Io } from '../../io.ts';
import { namesOfQueries } from '../../queries/catalog.ts';

export interface Vocabulary {
  /** Names of saved queries. */
  queries(): Promise<readonly string[]>;
  /** Names of sources; `loadable`: those of the embedded store only. */
  sources(options: { readonly loadable: boolean }): Promise<readonly string[]>;
  profiles(): Promise<readonly string[]>;
  settings(): readonly string[];
  /** The values of a setting, where they are a list. */
  valuesOfSetting(name: string): readonly string[];
  /** The values of a setting's flag, where they are a list. */
  valuesOf(flag: string): readonly string[] | undefined;
}

interface VocabularyOptions {
  readonly io: Pick<Io, 'cwd' | 'env'>;
  settings(): Promise<Settings>;
  queryFolders(): Promise<readonly string[]>;
}

export function createVocabulary({ io, settings, queryFolders }: VocabularyOptions): Vocabulary {
  return {
    queries: async () => namesOfQueries(await queryFolders()),
    async sources({ loadable }) {
      const { LOG_SOURCES } = await import('../../catalog/log-sources.ts');
      const own = loadable ? [] : Object.keys(Object((await settings()).sources?.value));
      return [...new Set([...LOG_SOURCES.map(({ name }) => name), ...own])];
    },
    async profiles() {
      const { openProjectFile, PROFILES } = await import('../../config/project-file.ts');
      const section = (await openProjectFile(io))?.entries.find(({ key }) => key === PROFILES);
      return Object.keys(Object(section?.value));
    },
    settings: () => SETTING_NAMES,
    valuesOfSetting(name) {
      const known = SETTING_NAMES.find((one) => one === name);
      const setting: Setting<unknown> | undefined = known === undefined ? undefined : SETTINGS[known];
      return setting?.kind.values ?? [];
    },
    valuesOf(flag) {
      const rows: readonly Setting<unknown>[] = SETTING_NAMES.map((name) => SETTINGS[name]);
      return rows.find((setting) => setting.flag === flag)?.kind.values;
    },
  };
}
