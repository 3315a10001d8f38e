// docs/configuration.md, made from the table of settings.

import { defaultPaths } from '../config/paths.ts';
import { SETTING_NAMES, SETTINGS, type Setting, type SettingName } from '../config/settings.ts';
import { SOURCE_FIELD_NAMES } from '../sources/fields.ts';

const PATHS = defaultPaths({ HOME: '~' }, 'linux');

const row = (name: SettingName): string => {
  const { kind, env, flag, secret, help, fallback }: Setting<unknown> = SETTINGS[name];
  const value = fallback(PATHS);
  return cells(
    `\`${name}\``,
    `${help}${secret ? '; a secret, never read from files' : ''}`,
    kind.expected,
    shown(value, kind.print as ((value: unknown) => string) | undefined), // each kind prints the values it reads
    `\`${env}\``,
    flag === undefined ? '' : `\`--${flag}\``,
  );
};

function shown(value: unknown, print: (value: unknown) => string = String): string {
  if (value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)) return '';
  return `\`${print(value)}\``;
}

const cells = (...texts: readonly string[]): string => `| ${texts.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`;

/** The page as Markdown. */
export function configurationPage(): string {
  return `<!-- Made from the table of settings by \`npm run docs\`. -->

# Configuration

\`quern init\` writes a \`quern.yaml\` to start with. quern looks for each setting in this order, and uses the first value that it finds:

1. the flag on the command line
2. the profile in \`--profile\`, then the environment variable
3. the profile that the environment or a file names
4. \`quern.yaml\`, in the current folder or above it
5. your own settings, written by \`quern config set\`, in \`${PATHS.config}/config.json\` on Linux
6. the default

\`quern config list\` shows every value and where it comes from, \`quern config get NAME\` shows one, and \`quern config path\` shows the files. A name or
value that quern does not understand is an error, with its place in the file. Secrets come from the environment or from \`password_command\`.

quern refuses a \`quern.yaml\` that belongs to somebody else, and runs a \`password_command\` in any \`quern.yaml\` only if you trust the file: with
[\`quern trust\`](commands/trust.md), or with \`QUERN_TRUST=1\` in the environment, for CI and containers: [security.md](security.md#what-a-quernyaml-may-do).

## Settings

${[cells('setting', 'meaning', 'value', 'default', 'environment', 'flag'), cells('---', '---', '---', '---', '---', '---'), ...SETTING_NAMES.map(row)].join('\n')}

## Sections of quern.yaml

- \`version:\` the format of the file; 1 by default: [upgrading.md](upgrading.md).
- \`profiles:\` named sets of settings, such as the address and limits of a server: [servers.md](servers.md).
- \`sources:\` the tables and files behind the names in FROM, with ${SOURCE_FIELD_NAMES.map((field) => `\`${field}\``).join(', ')}: [sources.md](sources.md).

## In an editor

\`quern config schema project\` prints the JSON Schema of \`quern.yaml\`, and \`quern config schema query\` that of the headers of saved queries. They are also
in [schemas/](../schemas). Editors with a YAML language server use the first line that \`quern init\` writes:

\`\`\`yaml
# yaml-language-server: $schema=./quern.schema.json
queries: queries
\`\`\`
`;
}
