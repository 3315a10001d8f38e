// The files that `quern init` and `quern new` write.
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { QuernError } from '../../../base/errors.ts';
import { SETTINGS_VERSION, VERSION_KEY } from '../../../config/file-version.ts';
import { SETTINGS, type SettingName } from '../../../config/settings.ts';
import { makeFolder } from '../../../files/make-folder.ts';
import { isQueryName, type QueryCatalog } from '../../../queries/catalog.ts';
import { SCHEMAS } from '../schemas.ts';
import type { DataFile, FirstQuery } from './first-query.ts';
import { workflowFile } from './starter-ci.ts';

const SCHEMA_FILE = 'quern.schema.json';
const PROJECT_FILE = 'quern.yaml';

/** Settings that projects tend to set, with a value to begin with. */
const SUGGESTED: readonly (readonly [SettingName, string])[] = [
  ['store', '.quern/store'],
  ['timeout', '30s'],
  ['max_memory', '4GiB'],
  ['cache_size', '256MB'],
  ['format', 'table'],
];

const projectText = (files: readonly DataFile[]): string => `# yaml-language-server: $schema=./${SCHEMA_FILE}
# Settings of this project. Every setting, and where its value comes from: quern config list

# The version of this file's format: a quern that is too old for it says so.
${VERSION_KEY}: ${SETTINGS_VERSION}

# ${SETTINGS.queries.help}
queries: queries

${SUGGESTED.map(([name, value]) => `# ${SETTINGS[name].help}\n# ${name}: ${value}\n`).join('\n')}
# Servers that queries can run on instead: quern run NAME --profile production. Passwords do not belong here; a command
# that prints one is run once you trust this file: quern trust
# profiles:
#   production:
#     url: https://clickhouse.example.com:8443
#     user: reader
#     password_command: pass show clickhouse

${sourcesText(files)}`;

const sourcesText = (files: readonly DataFile[]): string =>
  files.length === 0
    ? `# Which of your tables hold the sources that queries name.
# sources:
#   edge_logs:
#     table: logs.edge
`
    : `# The files that queries read by name. Each run reads them as they are.
sources:
${files.map(({ name, file }) => `  ${yamlKey(name)}: { file: ${JSON.stringify(file)} }\n`).join('')}`;

const yamlKey = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));

/** The text of a saved query; the description is YAML. */
export const queryText = ({ rest }: Pick<FirstQuery, 'rest'>, description: string): string => `/*---\ndescription: ${description}\n${rest}`;

const checksText = ({ name, checks }: FirstQuery): string =>
  `# What must be true of the rows of saved queries. To try it: quern check\nchecks:\n  - query: ${name}\n${checks}`;

interface NewProject {
  readonly folder: string;
  /** They become sources. */
  readonly files: readonly DataFile[];
  readonly first: FirstQuery;
  /** Overwrites existing files. */
  readonly force: boolean;
  /** Writes a job for GitHub Actions as well; in an existing project, only that. */
  readonly workflow: boolean;
}

/** Writes a project into `folder`; returns the files. Throws `usage` when one exists, unless `force`, and then nothing is written. */
export function writeProject({ folder, files: data, first, force, workflow }: NewProject): readonly string[] {
  const started = workflow && !force && existsSync(join(folder, PROJECT_FILE));
  const files: readonly (readonly [string, string])[] = [
    ...(started
      ? []
      : ([
          [PROJECT_FILE, projectText(data)],
          [SCHEMA_FILE, `${JSON.stringify(SCHEMAS.project(), null, 2)}\n`],
          [join('queries', `${first.name}.sql`), queryText(first, quotedYaml(first.description))],
          [join('checks', `${first.name}.yaml`), checksText(first)],
        ] as const)),
    ...(workflow ? [workflowFile(folder)] : []),
  ];
  const there = files.map(([name]) => name).filter((name) => existsSync(join(folder, name)));
  if (there.length > 0 && !force)
    throw new QuernError('usage', `${there.join(', ')} ${there.length === 1 ? 'already exists' : 'already exist'}`, {
      hint: 'nothing was written; --force overwrites existing files',
    });
  for (const [name, text] of files) {
    const path = join(folder, name);
    attempt(path, () => {
      makeFolder(dirname(path));
      writeFileSync(path, text);
    });
  }
  return files.map(([name]) => name);
}

interface NewQuery {
  readonly name: string;
  /** Folders of the user's own queries; the file goes to the first. */
  readonly folders: readonly string[];
  readonly catalog: QueryCatalog;
  readonly description?: string | undefined;
  /** Makes the text of the file from the description as YAML. */
  readonly text: (description: string) => string;
}

/** Writes a saved query to begin with, and returns its path. Throws `usage` when the name is taken, is no name, or there is no folder. */
export function writeQuery({ name, folders, catalog, description = 'what the query answers', text }: NewQuery): string {
  if (!isQueryName(name))
    throw new QuernError('usage', `${JSON.stringify(name)} is not a valid name for a saved query`, {
      hint: name.endsWith('.sql') ? `write it without .sql: ${name.slice(0, -4)}` : 'use letters, digits, dots, - and _',
    });
  const [folder] = folders;
  if (folder === undefined)
    throw new QuernError('usage', 'there is no folder for your own saved queries', {
      hint: 'create a project with `quern init`, or name a folder with --queries',
    });
  attempt(folder, () => makeFolder(folder));
  const twin = catalog.named(name);
  if (twin !== undefined)
    throw new QuernError('usage', `the saved query ${name} already exists: ${twin.source.name}`, { hint: 'choose another name' });
  const path = join(folder, `${name}.sql`);
  // The flag refuses a file that another process has made meanwhile.
  attempt(path, () => writeFileSync(path, text(quotedYaml(description)), { flag: 'wx' }));
  return path;
}

/** Prints a text as a YAML value. */
const quotedYaml = (text: string): string => (/^[A-Za-z][\w ,().-]*$/.test(text) ? text : JSON.stringify(text).replaceAll('*/', '*\\/'));

function attempt(path: string, action: () => void): void {
  try {
    action();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException; // the file system throws these
    throw new QuernError('usage', `${path} cannot be written (${code})`, { hint: 'check its permissions, and those of its folder', cause });
  }
}
