// The `profiles:` of quern.yaml: named sets of settings, such as the address and the limits of one ClickHouse server.
import { nearest, QuernError } from '../base/errors.ts';
import { type Found, fileValues, type Origin } from './file-values.ts';
import { PROFILES } from './project-file.ts';
import type { SettingName } from './settings.ts';
import type { FileEntry, SettingsFile } from './settings-file.ts';

/**
 * The values of the profile `name`, which `origin` asked for. Throws QuernError `config` or `usage` when there is no such profile, or when
 * any profile of the file has a problem.
 */
export function profileValues(name: string, origin: Origin, file: SettingsFile | undefined): ReadonlyMap<SettingName, Found> {
  const profiles = file === undefined ? new Map<string, ReadonlyMap<SettingName, Found>>() : profilesOf(file);
  const found = profiles.get(name);
  if (found !== undefined) return found;
  const near = nearest(name, profiles.keys());
  const others = profiles.size > 0 ? `the profiles are ${[...profiles.keys()].join(', ')}` : `add it under ${PROFILES}: in quern.yaml`;
  const hint = near === undefined ? others : `did you mean ${near}?`;
  const asked = origin.from === 'flag' ? '--profile' : origin.where;
  throw new QuernError(origin.from === 'flag' ? 'usage' : 'config', `${asked}: there is no profile ${JSON.stringify(name)}`, { hint });
}

/** The values of every profile, by its name. Throws QuernError `config` when one has a problem. */
export function profilesOf(file: SettingsFile): ReadonlyMap<string, ReadonlyMap<SettingName, Found>> {
  const section = file.entries.find(({ key }) => key === PROFILES);
  const profiles = new Map<string, ReadonlyMap<SettingName, Found>>();
  for (const [name, value] of Object.entries(
    mapping(file, section, section?.value, 'profiles: one `name:` each, with settings below it'),
  )) {
    const values = mapping(file, section, value, `${PROFILES}.${name} must contain settings`);
    const entries = Object.entries(values).map(([key, setting]): FileEntry => {
      const keySpan = file.spanAt?.([PROFILES, name, key], 'key');
      const valueSpan = file.spanAt?.([PROFILES, name, key]);
      return {
        key,
        value: setting,
        keySpan,
        valueSpan,
      };
    });
    profiles.set(name, fileValues({ ...file, entries }, 'profile', { where: `${file.path}, profile ${name}` }));
  }
  return profiles;
}

function mapping(file: SettingsFile, section: FileEntry | undefined, value: unknown, expected: string): Readonly<Record<string, unknown>> {
  if (value === undefined || value === null) return {};
  if (typeof value === 'object' && !Array.isArray(value)) return value as Readonly<Record<string, unknown>>; // any object has named values
  const place = file.source === undefined || section?.keySpan === undefined ? {} : { source: file.source, span: section.keySpan };
  throw new QuernError('config', `${file.path}: ${expected}`, place);
}
