// The user's own settings, kept by `conf` in the user's configuration folder.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { QuernError } from '../errors.ts';
import type { SettingsFile } from './project-file.ts';

/** Where the user's settings are, whether or not they exist. */
export function userFilePath(configFolder: string): string {
  return join(configFolder, 'config.json');
}

/**
 * Reads the user's settings; undefined when there are none, and then `conf` is not even loaded: it costs more than a cached run.
 * Throws QuernError `config` when the file is not JSON.
 */
export async function readUserFile(configFolder: string): Promise<SettingsFile | undefined> {
  const path = userFilePath(configFolder);
  if (!existsSync(path)) return undefined;
  const { default: Conf } = await import('conf');
  try {
    const store = new Conf<Record<string, unknown>>({ projectName: 'quern', cwd: configFolder, configName: 'config' }).store;
    return { path, entries: Object.entries(store).map(([key, value]) => ({ key, value })) };
  } catch (cause) {
    throw new QuernError('config', `${path} is not a file of settings`, { cause, hint: 'correct it, or remove it to start afresh' });
  }
}
