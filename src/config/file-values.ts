// The values of the settings in a file, checked row by row of the table.
import { dirname } from 'node:path';
import { messageAbout, nearest, type Problem, QuernError } from '../base/errors.ts';
import { positionAt } from '../base/source-text.ts';
import { SETTING_NAMES, SETTINGS, type Setting, type SettingName } from './settings.ts';
import type { FileEntry, SettingsFile } from './settings-file.ts';
import { shownValue } from './shown-value.ts';

export interface Origin {
  readonly from: 'flag' | 'environment' | 'profile' | 'project' | 'user' | 'default';
  /** `--store`, `QUERN_STORE`, or the path of the file; '' for a default. */
  readonly where: string;
}

export interface Found {
  readonly value: unknown;
  readonly origin: Origin;
}

/**
 * The settings of a file, or of a part of it. Throws QuernError `config` with every problem and its place.
 * `sections` are keys that hold something else.
 */
export function fileValues(
  file: SettingsFile,
  from: Origin['from'],
  { sections = [], where = file.path }: { readonly sections?: readonly string[]; readonly where?: string } = {},
): ReadonlyMap<SettingName, Found> {
  const values = new Map<SettingName, Found>();
  const problems: { readonly entry: FileEntry; readonly problem: Problem; readonly atKey: boolean; readonly hint?: string }[] = [];
  for (const entry of file.entries) {
    if (sections.includes(entry.key)) continue;
    const name = SETTING_NAMES.find((candidate) => candidate === entry.key);
    if (name === undefined) {
      const suggestion = nearest(entry.key, [...SETTING_NAMES, ...sections]);
      const hint = suggestion === undefined ? '`quern config list` shows the settings' : `did you mean ${suggestion}?`;
      problems.push({ entry, atKey: true, hint, problem: { kind: 'unknown', name: entry.key, message: 'is not a setting' } });
      continue;
    }
    const setting: Setting<unknown> = SETTINGS[name];
    const value = setting.secret ? undefined : setting.kind.read(entry.value, { folder: dirname(file.path), environment: false });
    if (value !== undefined) {
      values.set(name, { value, origin: { from, where } });
    } else if (setting.secret) {
      const hint = `set the environment variable ${setting.env} instead`;
      problems.push({ entry, atKey: true, hint, problem: { kind: 'secret', name, message: 'does not belong in a file' } });
    } else {
      const message = `${shownValue(setting, entry.value)} is not ${setting.kind.expected}`;
      problems.push({ entry, atKey: setting.sensitive === true, problem: { kind: 'invalid', name, message } });
    }
  }
  const first = problems[0];
  if (first === undefined) return values;
  const { source } = file;
  const span = first.atKey ? first.entry.keySpan : first.entry.valueSpan;
  const place = source === undefined || span === undefined ? {} : { source, span };
  if (problems.length === 1) {
    const { name, message } = first.problem;
    throw new QuernError('config', `${where}: ${messageAbout(name, message)}`, {
      ...place,
      hint: first.hint,
    });
  }
  throw new QuernError('config', `${where} has ${problems.length} problems`, {
    ...place,
    problems: problems.map(({ entry, problem, hint }) => ({
      ...problem,
      ...(source === undefined || entry.keySpan === undefined ? {} : { kind: `line ${positionAt(source.text, entry.keySpan.start).line}` }),
      message: `${problem.message}${hint === undefined ? '' : ` (${hint})`}`,
    })),
  });
}
