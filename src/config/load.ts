// Finds the value of every setting: flag > environment > profile > quern.yaml > the user's settings > default.
import { QuernError } from '../base/errors.ts';
import type { Section } from '../fields/value-at.ts';
import type { FoundSettings, Origin } from './fields.ts';
import { defaultPaths } from './paths.ts';
import { openProjectFile, type ProjectPlace } from './project-file.ts';
import { SETTING_NAMES, SETTINGS, type Setting, type SettingName, type SettingValues } from './settings.ts';
import { shownValue } from './shown-value.ts';
import { readUserFile } from './user-file.ts';

export interface Settings {
  readonly values: SettingValues;
  readonly origins: Readonly<Record<SettingName, Origin>>;
  /** Path of the `quern.yaml` in force. */
  readonly projectFile?: string | undefined;
  /** Its text, as it was read. */
  readonly projectText?: string | undefined;
  /** Its other sections, by their names, which nobody has read yet. */
  readonly sections: Readonly<Partial<Record<'sources' | 'names', Section>>>;
}

/** True if a setting comes from the project file, from its profiles too. */
export const isOfProject = ({ from }: Origin): boolean => from === 'project' || from === 'profile';

interface Found {
  readonly value: unknown;
  readonly origin: Origin;
}

export interface SettingsRequest extends ProjectPlace {
  /** The values of flags, by setting name; undefined and absent mean the same. */
  readonly flags: Partial<Readonly<Record<SettingName, unknown>>>;
  readonly platform?: NodeJS.Platform;
}

/**
 * The value and origin of every setting. Throws QuernError: `usage` for a flag that does not fit, `config` for the environment and for
 * files, with every problem of a file at once.
 */
export async function loadSettings({ flags, env, cwd, platform }: SettingsRequest): Promise<Settings> {
  const paths = defaultPaths(env, platform);
  // A start without files does without their reader.
  const reader = () => import('./fields.ts');
  const projectFile = await openProjectFile({ cwd, env });
  const project = projectFile && (await reader()).readSettings(projectFile, 'project');
  const userFile = await readUserFile(paths.config);
  const user = userFile && (await reader()).readSettings(userFile, 'user');

  const fallback = (name: SettingName): Found =>
    of(project, name) ?? of(user, name) ?? { value: row(name).fallback(paths), origin: { from: 'default', where: '' } };
  const given = (name: SettingName) => fromFlag(row(name), flags[name], cwd);
  const environment = (name: SettingName) => fromEnvironment(row(name), env[row(name).env], cwd);

  const named = given('profile') ?? environment('profile') ?? fallback('profile');
  const profile = typeof named.value === 'string' ? (await reader()).profileNamed(named.value, named.origin, projectFile) : undefined;
  // Who names a profile on the command line means it, whatever the shell has been told for other days.
  const chosen = (name: SettingName) => (named.origin.from === 'flag' ? of(profile, name) : undefined);
  const find = (name: SettingName): Found => given(name) ?? chosen(name) ?? environment(name) ?? of(profile, name) ?? fallback(name);
  const found = SETTING_NAMES.map((name) => [name, find(name)] as const);
  return {
    // Each value was read by its own row's kind, or is that row's fallback.
    values: Object.fromEntries(found.map(([name, { value }]) => [name, value])) as unknown as SettingValues,
    origins: Object.fromEntries(found.map(([name, { origin }]) => [name, origin])) as Record<SettingName, Origin>,
    projectFile: projectFile?.path,
    projectText: projectFile?.text,
    sections: projectFile === undefined ? {} : (await reader()).sourceSections(projectFile),
  };
}

function of(found: FoundSettings | undefined, name: SettingName): Found | undefined {
  const value = found?.values[name];
  return found === undefined || value === undefined ? undefined : { value, origin: found.origin };
}

function row(name: SettingName): Setting<unknown> {
  return SETTINGS[name];
}

function fromFlag(setting: Setting<unknown>, raw: unknown, cwd: string): Found | undefined {
  if (raw === undefined || setting.flag === undefined) return undefined;
  const value = setting.kind.read(raw, { folder: cwd, environment: false });
  if (value !== undefined) return { value, origin: { from: 'flag', where: `--${setting.flag}` } };
  const what = setting.sensitive === true ? `the value of --${setting.flag}` : `--${setting.flag} ${JSON.stringify(raw)}`;
  throw new QuernError('usage', `${what} is not ${setting.kind.expected}`, hintOf(setting));
}

function fromEnvironment(setting: Setting<unknown>, raw: string | undefined, cwd: string): Found | undefined {
  if (raw === undefined || raw === '') return undefined;
  const value = setting.kind.read(raw, { folder: cwd, environment: true });
  if (value !== undefined) return { value, origin: { from: 'environment', where: setting.env } };
  throw new QuernError('config', `the environment variable ${setting.env}: ${shownValue(setting, raw)} is not ${setting.kind.expected}`, {
    hint: `${hintOf(setting).hint ?? 'fix it'}, or unset ${setting.env}`,
  });
}

/** An example stands in for a value that is not shown. */
const hintOf = ({ example }: Setting<unknown>): { readonly hint: string | undefined } => ({
  hint: example === undefined ? undefined : `write it like ${example}`,
});
