// The user's own settings, kept by `conf` in the user's configuration folder.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { QuernError } from '../base/errors.ts';
import { ofKnownVersion, SETTINGS_VERSION, type SettingsFile, VERSION_KEY } from './file-version.ts';

/** Returns the path of the user's settings, whether or not they exist. */
export function userFilePath(configFolder: string): string {
  return join(configFolder, 'config.json');
}

/**
 * Reads the user's settings; undefined when there are none, and then `conf` is not even loaded: it costs more than a cached run.
 * Throws QuernError `config` when the file is not JSON, or of a version that is not known.
 */
export async function readUserFile(configFolder: string): Promise<SettingsFile | undefined> {
  const path = userFilePath(configFolder);
  if (!existsSync(path)) return undefined;
  return ofKnownVersion({ path, value: (await openUserFile(configFolder)).store });
}

interface UserFile {
  readonly store: Readonly<Record<string, unknown>>;
  has(name: string): boolean;
  /** Writes the whole file anew, in one step. */
  set(name: string, value: unknown): void;
  delete(name: string): void;
}

/** Opens the user's settings for reading and writing. Throws QuernError `config` when the file is not JSON, of a version that is not known, or cannot be written. */
export async function openUserFile(configFolder: string): Promise<UserFile> {
  const path = userFilePath(configFolder);
  const { default: Conf } = await import('conf');
  const explained = <T>(action: () => T, message: string, hint: string): T => {
    try {
      return action();
    } catch (cause) {
      // The parser quotes a text that is no JSON, secrets too.
      throw new QuernError('config', `${path} ${message}`, { ...(cause instanceof SyntaxError ? {} : { cause }), hint });
    }
  };
  const read = () => new Conf<Record<string, unknown>>({ projectName: 'quern', cwd: configFolder, configName: 'config' });
  const correct = 'fix it, or remove it to start afresh';
  const conf = explained(read, 'is not a settings file', correct);
  const store = explained(() => conf.store, 'is not a settings file', correct);
  ofKnownVersion({ path, value: store }); // what a newer quern wrote must not be written over
  const write = (action: () => void) => explained(action, 'cannot be written', 'check its permissions, and those of its folder');
  return {
    store,
    has: (name) => Object.hasOwn(store, name),
    set: (name, value) => write(() => conf.set({ [VERSION_KEY]: SETTINGS_VERSION, [name]: value })),
    delete: (name) => write(() => conf.delete(name)),
  };
}
