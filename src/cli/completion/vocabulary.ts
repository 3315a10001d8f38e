// The names that a user may type, for completion, found without the engine.

import { basename } from 'node:path';
import { formatCount } from '../../base/quantity.ts';
import { SETTING_NAMES, SETTINGS, type Setting } from '../../config/settings.ts';
import { namesOfQueries } from '../../queries/catalog.ts';
import type { Services } from '../../services.ts';
import type { Candidate } from './words.ts';

export type Vocabulary = ReturnType<typeof createVocabulary>;

export function createVocabulary({
  io,
  settings,
  queryFolders,
  manifest,
}: Pick<Services, 'io' | 'settings' | 'queryFolders' | 'manifest'>) {
  const named = (value: string): Candidate => ({ value });
  const tablesWithRows = async () =>
    Object.values((await manifest()).tables).map(({ name, rows }) => ({ value: name, help: formatCount(rows, 'row') }));
  return {
    /** Names of saved queries. */
    queries: async () => namesOfQueries(await queryFolders()),
    /** Sources and tables of the user's own, and log sources after them; with `loadable` only those of the embedded store. */
    async sources({ loadable }: { readonly loadable: boolean }) {
      const { LOG_SOURCES } = await import('../../sources/log/log-sources.ts');
      const { sections, values } = await settings();
      const own = loadable ? [] : Object.keys(Object(sections.sources?.value));
      const tables = await tablesWithRows().catch(() => []);
      const filled = await manifest().catch(() => undefined);
      const isOffered = (name: string): boolean => loadable || values.url !== undefined || filled?.sources[name] !== undefined;
      const logs = LOG_SOURCES.map(({ name }) => name).filter((name) => isOffered(name) && !own.includes(name));
      return [...own.map(named), ...tables, ...logs.map(named)];
    },
    /** Tables of the user's own in the embedded store, each with its rows. */
    tables: tablesWithRows,
    /** Numbers of loads that can be undone, the last first, each with its files. */
    async loads() {
      const { loads } = await manifest();
      const numbers = [...new Set(loads.flatMap(({ number }) => number ?? []))].reverse();
      return numbers.map((number) => {
        const of = loads.filter((load) => load.number === number);
        const rows = of.reduce((sum, load) => sum + load.rows, 0);
        return {
          value: String(number),
          help: `${of[0]?.source}: ${formatCount(rows, 'row')} of ${of.map(({ file }) => basename(file)).join(', ')}`,
        };
      });
    },
    async profiles() {
      const [{ namesOfProfiles }, { openProjectFile }] = await Promise.all([
        import('../../config/fields.ts'),
        import('../../config/project-file.ts'),
      ]);
      return namesOfProfiles(await openProjectFile(io));
    },
    settings: () => SETTING_NAMES,
    /** The values of a setting, where they are a list. */
    valuesOfSetting(name: string) {
      const known = SETTING_NAMES.find((one) => one === name);
      const setting: Setting<unknown> | undefined = known === undefined ? undefined : SETTINGS[known];
      return setting?.kind.values ?? [];
    },
    /** The values of a setting's flag, where they are a list. */
    valuesOf(flag: string) {
      const rows: readonly Setting<unknown>[] = SETTING_NAMES.map((name) => SETTINGS[name]);
      return rows.find((setting) => setting.flag === flag)?.kind.values;
    },
  };
}
