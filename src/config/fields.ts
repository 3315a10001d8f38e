// The fields of files of settings, and of profiles: one table of how each is read and what editors know of it.
import { dirname } from 'node:path';
import { didYouMean, QuernError } from '../base/errors.ts';
import { closed, type JsonSchema } from '../base/json-schema.ts';
import { type Field, mappingOf, readFields, schemasOf } from '../fields/field.ts';
import { isMapping, partOf, readSection, refuseOthers, type Section, type ValueAt } from '../fields/value-at.ts';
import { type SettingsFile, VERSION_KEY } from './file-version.ts';
import { PROFILES, SECTIONS } from './project-file.ts';
import { SETTING_NAMES, SETTING_ROWS, type Setting, type SettingName } from './settings.ts';
import { shownValue } from './shown-value.ts';

export interface Origin {
  readonly from: 'flag' | 'environment' | 'profile' | 'project' | 'user' | 'default';
  /** `--store`, `QUERN_STORE`, or the path of the file; '' for a default. */
  readonly where: string;
}

type Values = Readonly<Partial<Record<SettingName, unknown>>>;

/** The settings that were found in one place. */
export interface FoundSettings {
  readonly values: Values;
  readonly origin: Origin;
}

type Fields = Readonly<Record<string, Field<unknown>>>;

/** The fields of a file in `folder`, from which relative paths start. */
const fieldsIn = (folder: string): Fields => Object.fromEntries(SETTING_ROWS.map(([name, row]) => [name, fieldOf(row, folder)]));

const fieldOf = (setting: Setting<unknown>, folder: string): Field<unknown> => ({
  schema: { ...setting.kind.schema, description: setting.help },
  read(value) {
    const { secret, sensitive, env, kind } = setting;
    if (secret === true) return value.problem('does not belong in a file', `set the environment variable ${env} instead`, { of: 'key' });
    const known = kind.read(value.value, { folder, environment: false });
    const message = `${shownValue(setting, value.value)} is not ${kind.expected}`;
    return known ?? value.problem(message, undefined, sensitive === true ? { of: 'key' } : {});
  },
});

/** The settings of a mapping, which holds nothing else but what is `ignored`. */
function readValues(value: ValueAt, fields: Fields, ignored: readonly string[] = []): Values {
  refuseOthers(value, 'a setting', [...SETTING_NAMES, ...ignored], { list: '`quern config list` shows the settings' });
  return readFields(value, fields);
}

const profilesField = (fields: Fields): Field<Readonly<Record<string, Values>>> =>
  mappingOf(
    'names to settings',
    {
      schema: { anyOf: [closed(schemasOf(fields)), { type: 'null' }] },
      read: (value) =>
        isMapping(value.value) || value.value === null ? readValues(value, fields) : value.problem('must contain settings'),
    },
    { description: 'named sets of settings, chosen with --profile' },
  );

/** The schemas of the settings, without the secrets, and that of the profiles. */
export function settingsSchemas(): { readonly settings: Readonly<Record<string, JsonSchema>>; readonly profiles: JsonSchema } {
  const fields = Object.fromEntries(
    SETTING_ROWS.filter(([, { secret }]) => secret !== true).map(([name, row]) => [name, fieldOf(row, '')]),
  );
  return { settings: schemasOf(fields), profiles: profilesField(fields).schema };
}

/** The settings of a file, but not those of its profiles. Throws QuernError `config` with every problem and its place. */
export function readSettings(file: SettingsFile, from: 'project' | 'user'): FoundSettings {
  const ignored = from === 'project' ? [VERSION_KEY, ...SECTIONS] : [VERSION_KEY];
  const { path, source } = file;
  const names = { what: path, file: source === undefined ? path : undefined };
  const values = readSection(file, names, (value) => readValues(value, fieldsIn(dirname(path)), ignored));
  return { values, origin: { from, where: path } };
}

/** The sections that say what names in FROM are; nobody has read them yet. */
export function sourceSections(file: SettingsFile): Readonly<Partial<Record<'sources' | 'names', Section>>> {
  const [sources, names] = [partOf(file, 'sources'), partOf(file, 'names')];
  return { ...(sources && { sources }), ...(names && { names }) };
}

/** The settings of every profile, by its name. Throws QuernError `config` with every problem and its place. */
export function readProfiles(file: SettingsFile): ReadonlyMap<string, FoundSettings> {
  const section = partOf(file, PROFILES) ?? { value: null };
  const profiles = readSection(section, { what: file.path, above: [PROFILES] }, profilesField(fieldsIn(dirname(file.path))).read);
  return new Map(
    Object.entries(profiles ?? {}).map(([name, values]) => [
      name,
      { values, origin: { from: 'profile', where: `${file.path}, profile ${name}` } },
    ]),
  );
}

export const namesOfProfiles = (file: SettingsFile | undefined): readonly string[] => Object.keys(Object(file?.value[PROFILES]));

/**
 * The settings of the profile `name`, which `origin` asked for. Throws QuernError `config` or `usage` when there is no such profile, or when
 * any profile of the file has a problem.
 */
export function profileNamed(name: string, origin: Origin, file: SettingsFile | undefined): FoundSettings {
  const profiles: ReadonlyMap<string, FoundSettings> = file === undefined ? new Map() : readProfiles(file);
  const found = profiles.get(name);
  if (found !== undefined) return found;
  const others = profiles.size > 0 ? `the profiles are ${[...profiles.keys()].join(', ')}` : `add it under ${PROFILES}: in quern.yaml`;
  const asked = origin.from === 'flag' ? '--profile' : origin.where;
  throw new QuernError(origin.from === 'flag' ? 'usage' : 'config', `${asked}: there is no profile ${JSON.stringify(name)}`, {
    hint: didYouMean(name, profiles.keys()) ?? others,
  });
}
