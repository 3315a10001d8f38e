// Finds the value of every setting: flag > environment > quern.yaml > the user's settings > default.
import { dirname } from 'node:path';
import { nearest, type Problem, QuernError } from '../errors.ts';
import { positionAt, type SourceText, type Span } from '../source-text.ts';
import { defaultPaths, type Environment } from './paths.ts';
import { type FileEntry, findProjectFile, readProjectFile, type SettingsFile } from './project-file.ts';
import { SETTING_NAMES, SETTINGS, type Setting, type SettingName, type SettingValues } from './settings.ts';
import { readUserFile } from './user-file.ts';

export interface Origin {
  readonly from: 'flag' | 'environment' | 'project' | 'user' | 'default';
  /** `--store`, `QUERN_STORE`, or the path of the file; '' for a default. */
  readonly where: string;
}

export interface Settings {
  readonly values: SettingValues;
  readonly origins: Readonly<Record<SettingName, Origin>>;
  /** Path of the `quern.yaml` in force. */
  readonly projectFile?: string;
  /** Its `sources:`, not looked into yet. */
  readonly sources?: ProjectSection;
}

/** A part of the project file that is no setting: its value, and where the value at a path of keys stands. */
export interface ProjectSection {
  readonly value: unknown;
  readonly source?: SourceText;
  spanAt?(path: readonly string[]): Span | undefined;
}

export interface SettingsRequest {
  /** What the command line gave, by setting name; undefined and absent mean the same. */
  readonly flags: Partial<Readonly<Record<SettingName, unknown>>>;
  readonly env: Environment;
  readonly cwd: string;
  readonly platform?: NodeJS.Platform;
}

interface Found {
  readonly value: unknown;
  readonly origin: Origin;
}

/**
 * The value and origin of every setting. Throws QuernError: `usage` for a flag that does not fit, `config` for the environment and for
 * files, with every problem of a file at once.
 */
export async function loadSettings({ flags, env, cwd, platform }: SettingsRequest): Promise<Settings> {
  const paths = defaultPaths(env, platform);
  const projectPath = findProjectFile(cwd);
  const projectFile = projectPath === undefined ? undefined : await readProjectFile(projectPath);
  const project = projectFile === undefined ? undefined : fileValues(projectFile, 'project');
  const sources = projectFile === undefined ? undefined : sourcesOf(projectFile);
  const userFile = await readUserFile(paths.config);
  const user = userFile === undefined ? undefined : fileValues(userFile, 'user');

  const find = (name: SettingName): Found => {
    const setting = row(name);
    return (
      fromFlag(setting, flags[name], cwd) ??
      fromEnvironment(setting, env[setting.env], cwd) ??
      project?.get(name) ??
      user?.get(name) ?? { value: setting.fallback(paths), origin: { from: 'default', where: '' } }
    );
  };
  const found = SETTING_NAMES.map((name) => [name, find(name)] as const);
  return {
    // Each value was read by its own row's kind, or is that row's fallback.
    values: Object.fromEntries(found.map(([name, { value }]) => [name, value])) as unknown as SettingValues,
    origins: Object.fromEntries(found.map(([name, { origin }]) => [name, origin])) as Record<SettingName, Origin>,
    ...(projectPath === undefined ? {} : { projectFile: projectPath }),
    ...(sources === undefined ? {} : { sources }),
  };
}

const SOURCES = 'sources';

function sourcesOf({ entries, source, spanAt }: SettingsFile): ProjectSection | undefined {
  const entry = entries.find(({ key }) => key === SOURCES);
  if (entry === undefined) return undefined;
  return {
    value: entry.value,
    ...(source === undefined ? {} : { source }),
    ...(spanAt === undefined ? {} : { spanAt: (path: readonly string[]) => spanAt([SOURCES, ...path]) ?? entry.keySpan }),
  };
}

/** A setting's value as it may be printed: secrets, and passwords inside addresses, are hidden. */
export function printableValue(name: SettingName, value: unknown): string {
  if (value === undefined || value === '') return '';
  if (row(name).secret) return '(hidden)';
  if (name === 'url') return String(value).replace(/(\/\/[^/@:]*):[^/@]*@/, '$1:(hidden)@');
  return Array.isArray(value) ? value.join(', ') : String(value);
}

function row(name: SettingName): Setting<unknown> {
  return SETTINGS[name];
}

function fromFlag(setting: Setting<unknown>, raw: unknown, cwd: string): Found | undefined {
  if (raw === undefined || setting.flag === undefined) return undefined;
  const value = setting.kind.read(raw, { folder: cwd, environment: false });
  if (value !== undefined) return { value, origin: { from: 'flag', where: `--${setting.flag}` } };
  throw new QuernError('usage', `--${setting.flag} ${JSON.stringify(raw)} is not ${setting.kind.expected}`, {});
}

function fromEnvironment(setting: Setting<unknown>, raw: string | undefined, cwd: string): Found | undefined {
  if (raw === undefined || raw === '') return undefined;
  const value = setting.kind.read(raw, { folder: cwd, environment: true });
  if (value !== undefined) return { value, origin: { from: 'environment', where: setting.env } };
  const shown = setting.secret ? 'its value' : JSON.stringify(raw);
  throw new QuernError('config', `the environment variable ${setting.env}: ${shown} is not ${setting.kind.expected}`, {
    hint: `correct it, or unset ${setting.env}`,
  });
}

function fileValues(file: SettingsFile, from: 'project' | 'user'): ReadonlyMap<SettingName, Found> {
  const values = new Map<SettingName, Found>();
  const problems: { readonly entry: FileEntry; readonly problem: Problem; readonly atKey: boolean; readonly hint?: string }[] = [];
  for (const entry of file.entries) {
    if (from === 'project' && entry.key === SOURCES) continue;
    const name = SETTING_NAMES.find((candidate) => candidate === entry.key);
    if (name === undefined) {
      const suggestion = nearest(entry.key, SETTING_NAMES);
      const hint = suggestion === undefined ? `settings are: ${SETTING_NAMES.join(', ')}` : `did you mean ${suggestion}?`;
      problems.push({ entry, atKey: true, hint, problem: { kind: 'unknown', name: entry.key, message: 'is not a setting' } });
      continue;
    }
    const setting = row(name);
    const value = setting.secret ? undefined : setting.kind.read(entry.value, { folder: dirname(file.path), environment: false });
    if (value !== undefined) {
      values.set(name, { value, origin: { from, where: file.path } });
    } else if (setting.secret) {
      const hint = `set the environment variable ${setting.env} instead`;
      problems.push({ entry, atKey: true, hint, problem: { kind: 'secret', name, message: 'does not belong in a file' } });
    } else {
      const message = `${JSON.stringify(entry.value)} is not ${setting.kind.expected}`;
      problems.push({ entry, atKey: false, problem: { kind: 'unfit', name, message } });
    }
  }
  const first = problems[0];
  if (first === undefined) return values;
  const { source } = file;
  const span = first.atKey ? first.entry.keySpan : first.entry.valueSpan;
  const place = source === undefined || span === undefined ? {} : { source, span };
  if (problems.length === 1) {
    const { name, message } = first.problem;
    const hint = first.hint === undefined ? {} : { hint: first.hint };
    throw new QuernError('config', `${file.path}: ${name}${first.problem.kind === 'unfit' ? ':' : ''} ${message}`, { ...place, ...hint });
  }
  throw new QuernError('config', `${file.path} has ${problems.length} problems`, {
    ...place,
    problems: problems.map(({ entry, problem, hint }) => ({
      ...problem,
      message: [
        source === undefined || entry.keySpan === undefined ? '' : `line ${positionAt(source.text, entry.keySpan.start).line}: `,
        problem.message,
        hint === undefined ? '' : ` (${hint})`,
      ].join(''),
    })),
  });
}
