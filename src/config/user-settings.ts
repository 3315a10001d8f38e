// Changes the user's own settings: read, modified, written whole by `conf`, with fields that this version does not know left as they are.
import { didYouMean, QuernError } from '../base/errors.ts';
import { defaultPaths } from './paths.ts';
import type { ProjectPlace } from './project-file.ts';
import { SETTING_NAMES, SETTINGS, type Setting, type SettingName } from './settings.ts';
import { openUserFile, userFilePath } from './user-file.ts';

/** The setting of that name. Throws `usage` when there is none. */
export function settingNamed(name: string): SettingName {
  const spelled = name.replaceAll('-', '_');
  const found = SETTING_NAMES.find((candidate) => candidate === spelled);
  if (found !== undefined) return found;
  throw new QuernError('usage', `${name} is not a setting`, {
    hint: didYouMean(spelled, SETTING_NAMES) ?? 'list them with `quern config list`',
  });
}

/**
 * Sets a setting of the user's; several values make a list. Paths start from the working directory. Gives the file's path. Throws
 * `usage` for secrets, and for values that do not fit.
 */
export async function setUserSetting(name: string, words: readonly string[], { env, cwd }: ProjectPlace): Promise<string> {
  const known = settingNamed(name);
  const row: Setting<unknown> = SETTINGS[known];
  if (row.secret === true)
    throw new QuernError('usage', `${known} is a secret, which does not belong in a file`, {
      hint: `set the environment variable ${row.env}${known === 'password' ? ', or the setting password_command' : ''}`,
    });
  const raw: unknown = words.length === 1 ? words[0] : words;
  const text = words.length === 1 ? (words[0] ?? '') : undefined;
  // A value is read as that of a flag; a mapping also as the environment takes it, as JSON.
  const value =
    row.kind.read(raw, { folder: cwd, environment: false }) ??
    (text?.startsWith('{') ? row.kind.read(text, { folder: cwd, environment: true }) : undefined);
  if (value === undefined)
    throw new QuernError(
      'usage',
      `${known}: ${row.sensitive === true ? 'its value' : words.map((word) => JSON.stringify(word)).join(' ')} is not ${row.kind.expected}`,
      {
        hint: `see its description with \`quern config list\``,
      },
    );
  const folder = defaultPaths(env).config;
  // Durations and sizes stay as they were written; paths have become absolute, switches true or false.
  const kept = typeof value === 'number' && Number.isNaN(Number(text)) ? text : value;
  (await openUserFile(folder)).set(known, kept);
  return userFilePath(folder);
}

/** Removes a setting from the user's own. Gives the file's path, and whether it was there. */
export async function unsetUserSetting(
  name: string,
  { env }: Pick<ProjectPlace, 'env'>,
): Promise<{ readonly path: string; readonly was: boolean }> {
  const known = settingNamed(name);
  const folder = defaultPaths(env).config;
  const file = await openUserFile(folder);
  const was = file.has(known);
  if (was) file.delete(known);
  return { path: userFilePath(folder), was };
}
