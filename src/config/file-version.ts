// The version of a file of settings: the shape it is written in. A file without one is of the first.
import { QuernError } from '../base/errors.ts';
import type { SettingsFile } from './settings-file.ts';

export const VERSION_KEY = 'version';

/** Raised when a file that was right would be read otherwise, or not at all. */
export const SETTINGS_VERSION = 1;

/** What an editor is told. */
export const VERSION_SCHEMA = { const: SETTINGS_VERSION, description: 'the version of the format of this file; 1 if left out' };

/** The file without its version. Throws QuernError `config` when it is one that this quern does not know. */
export function withoutVersion(file: SettingsFile): SettingsFile {
  const entry = file.entries.find(({ key }) => key === VERSION_KEY);
  if (entry === undefined) return file;
  if (entry.value === SETTINGS_VERSION) return { ...file, entries: file.entries.filter((other) => other !== entry) };
  const place = {
    source: file.source,
    span: entry.valueSpan,
  };
  if (typeof entry.value === 'number' && entry.value > SETTINGS_VERSION) {
    throw new QuernError(
      'config',
      `${file.path} is written for a newer quern (version ${entry.value}, this quern knows ${SETTINGS_VERSION})`,
      { ...place, hint: file.source === undefined ? 'update quern, or move the file away' : 'update quern' },
    );
  }
  throw new QuernError('config', `${file.path}: there is no version ${JSON.stringify(entry.value)} of this file`, {
    ...place,
    hint: `write ${VERSION_KEY}: ${SETTINGS_VERSION}`,
  });
}
