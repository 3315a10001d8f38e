// The version of a file of settings: the shape it is written in. A file without one is of the first.
import { QuernError } from '../base/errors.ts';
import type { Section } from '../fields/value-at.ts';

export const VERSION_KEY = 'version';

/** Raised when a file that was right would be read otherwise, or not at all. */
export const SETTINGS_VERSION = 1;

export const VERSION_SCHEMA = { const: SETTINGS_VERSION, description: 'the version of the format of this file; 1 if left out' };

/** Returns the file. Throws QuernError `config`, whatever else is wrong with it, when it is of a version that this quern does not know. */
export function ofKnownVersion<T extends SettingsFile>(file: T): T {
  const { [VERSION_KEY]: version = SETTINGS_VERSION } = file.value;
  if (version === SETTINGS_VERSION) return file;
  const place = { source: file.source, span: file.spanAt?.([VERSION_KEY]) };
  if (typeof version === 'number' && version > SETTINGS_VERSION) {
    throw new QuernError('config', `${file.path} is written for a newer quern (version ${version}, this quern knows ${SETTINGS_VERSION})`, {
      ...place,
      hint: file.source === undefined ? 'update quern, or move the file away' : 'update quern',
    });
  }
  throw new QuernError('config', `${file.path}: there is no version ${JSON.stringify(version)} of this file`, {
    ...place,
    hint: `write ${VERSION_KEY}: ${SETTINGS_VERSION}`,
  });
}

/** A file of settings, before anything is checked. The text of its source, if it has one, is blank where secrets are. */
export interface SettingsFile extends Section {
  readonly path: string;
  readonly value: Readonly<Record<string, unknown>>;
}
