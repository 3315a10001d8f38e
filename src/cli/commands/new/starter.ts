// The files that `quern init` and `quern new` write.
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { QuernError } from '../../../base/errors.ts';
import { SETTINGS_VERSION, VERSION_KEY } from '../../../config/file-version.ts';
import { SETTINGS, type SettingName } from '../../../config/settings.ts';
import { makeFolder } from '../../../files/make-folder.ts';
import { isQueryName, type QueryCatalog } from '../../../queries/catalog.ts';
import { SCHEMAS } from '../schemas.ts';
import { workflowFile } from './starter-ci.ts';

export const SAMPLE_QUERY = 'events-per-hour';
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

const projectText = (): string => `# yaml-language-server: $schema=./${SCHEMA_FILE}
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

# Which of your tables hold the sources that queries name.
# sources:
#   edge_logs:
#     table: logs.edge
`;

/** A saved query that runs as it is. */
const queryText = (description: string): string => `/*---
description: ${description}
max_rows: 1000
cache: disabled
params:
  project: { type: string, required: true, description: project of the events }
---*/
select
  timestamp_trunc(t.timestamp, hour) as hour,
  count(*) as events
from edge_logs as t
where t.project = @project
group by hour
order by hour
`;

/** Checks of the sample query, which hold of an empty store too. */
const checksText = (): string => `# What must be true of the rows of saved queries. To try it: quern check
checks:
  - query: ${SAMPLE_QUERY}
    params: { project: demo }
    assertions:
      - events > 0
      - unique: hour
      - assert: count(*) > 0
        name: there are events
        severity: warn # error, the default, fails the run
`;

interface NewProject {
  readonly folder: string;
  /** Overwrites existing files. */
  readonly force: boolean;
  /** Writes a job for GitHub Actions as well; in an existing project, only that. */
  readonly workflow: boolean;
}

/** Writes a project into `folder`; returns the files. Throws `usage` when one exists, unless `force`, and then nothing is written. */
export function writeProject({ folder, force, workflow }: NewProject): readonly string[] {
  const started = workflow && !force && existsSync(join(folder, PROJECT_FILE));
  const files: readonly (readonly [string, string])[] = [
    ...(started
      ? []
      : ([
          [PROJECT_FILE, projectText()],
          [SCHEMA_FILE, `${JSON.stringify(SCHEMAS.project(), null, 2)}\n`],
          [join('queries', `${SAMPLE_QUERY}.sql`), queryText('Events of a project per hour')],
          [join('checks', `${SAMPLE_QUERY}.yaml`), checksText()],
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
  /** Makes the text of the file from the description as YAML; by default a query to begin with. */
  readonly text?: ((description: string) => string) | undefined;
}

/** Writes a saved query to begin with, and returns its path. Throws `usage` when the name is taken, is no name, or there is no folder. */
export function writeQuery({ name, folders, catalog, description = 'what the query answers', text = queryText }: NewQuery): string {
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
