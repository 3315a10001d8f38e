// quern config: shows the settings and where each value comes from, and changes the user's own.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Argument, type Command } from 'commander';
import { didYouMean, QuernError } from '../../base/errors.ts';
import type { JsonSchema } from '../../base/json-schema.ts';
import type { Settings } from '../../config/load.ts';
import { defaultPaths } from '../../config/paths.ts';
import { FILE_NAME, findProjectFile } from '../../config/project-file.ts';
import { SETTING_NAMES, SETTINGS, type SettingName } from '../../config/settings.ts';
import { printableValue } from '../../config/shown-value.ts';
import { userFilePath } from '../../config/user-file.ts';
import { settingNamed, setUserSetting, unsetUserSetting } from '../../config/user-settings.ts';
import { formatOption } from '../arguments/flags.ts';
import type { Parts } from '../parts.ts';

const KINDS = ['project', 'query', 'checks'] as const;

export function register(command: Command, { io, settings, terminal }: Parts): void {
  command.addHelpText(
    'after',
    `
Examples:
  quern config list
  QUERN_STORE=/data/logs quern config list --format json
  quern config set timeout 2m
  quern config get store
  quern config schema project > quern.schema.json

Flags override the environment, which overrides quern.yaml, which overrides your own settings, which \`set\` writes.`,
  );

  command
    .command('list')
    .description('List every setting with its value and origin. Secrets are hidden.')
    .option('--origin', 'only values and origins, without descriptions')
    .addOption(formatOption())
    .action(async ({ origin, ...flags }: { readonly format?: string; readonly origin?: true }) => {
      const rows = settingRows(await settings());
      const names = ['setting', 'value', 'from', 'environment', 'meaning'].slice(0, origin === true ? 3 : 5);
      const columns = names.map((name) => ({ name, type: { kind: 'STRING' } as const }));
      const shown = rows.map((row) => row.slice(0, names.length));
      await terminal.print(
        { columns, rows: shown, truncated: false },
        { ...flags, whole: origin === true ? ['setting'] : ['setting', 'value'], wrap: true },
      );
    });

  command
    .command('get')
    .description('Print the value that a setting has here.')
    .argument('<setting>', 'its name, as `quern config list` shows it')
    .action(async (setting: string) => io.stdout.write(`${settingText(setting, await settings())}\n`));

  command
    .command('set')
    .description('Save a setting in your own settings, for all your projects.')
    .argument('<setting>', 'its name')
    .argument('<value...>', 'its value; give several for a list')
    .action(async (setting: string, values: readonly string[]) => {
      const path = await setUserSetting(setting, values, io);
      await terminal.note(`written to ${path}`);
      const from = hidingOrigin(setting, await settings());
      if (from !== undefined) await terminal.warn(`note: ${setting} is also set by ${from}, which overrides it here`);
    });

  command
    .command('unset')
    .description('Remove a setting from your own settings.')
    .argument('<setting>', 'its name')
    .action(async (setting: string) => {
      const { path, was } = await unsetUserSetting(setting, io);
      await terminal.note(was ? `removed from ${path}` : `${setting} is not in ${path}`);
    });

  command
    .command('path')
    .description('Print the paths of the files that settings are read from.')
    .action(async () => {
      for (const [name, path, there] of settingFiles(io)) await io.stdout.write(`${name}\t${path}${there ? '' : '\t(not there)'}\n`);
    });

  const kind = new Argument('<kind>', 'project (quern.yaml), query (headers of saved queries) or checks (check files)');
  kind.argChoices = [...KINDS]; // checked by schemaNamed, which has quern's words for an error
  command
    .command('schema')
    .description('Print the JSON Schema that editors use to check and complete a kind of file.')
    .addArgument(kind)
    .action(async (name: string) => io.stdout.write(`${JSON.stringify((await schemaNamed(name))(), null, 2)}\n`));
}

/** Rows of setting, value, origin, environment variable, meaning; secrets are hidden. */
function settingRows(settings: Settings): readonly (readonly string[])[] {
  return SETTING_NAMES.map((name) => {
    const value = printableValue(name, settings.values[name]);
    return [name, value, originOf(name, settings), SETTINGS[name].env, SETTINGS[name].help];
  });
}

function originOf(name: SettingName, { origins }: Settings): string {
  const { from, where } = origins[name];
  return where === '' ? from : `${from} ${where}`;
}

/** Throws `usage` for a secret. */
function settingText(name: string, { values }: Settings): string {
  const known = settingNamed(name);
  if (SETTINGS[known].secret !== true) return printableValue(known, values[known]);
  throw new QuernError('usage', `${known} is a secret and is never printed`, { hint: `it comes from ${SETTINGS[known].env}` });
}

/** A value in the user's settings may be overridden elsewhere. */
function hidingOrigin(setting: string, settings: Settings): string | undefined {
  const from = originOf(settingNamed(setting), settings);
  return from.startsWith('user') ? undefined : from;
}

/** Lists the kind of each file of settings, its path, and whether it exists. */
function settingFiles({ cwd, env }: Parts['io']): readonly (readonly [string, string, boolean])[] {
  const project = findProjectFile(cwd);
  const user = userFilePath(defaultPaths(env).config);
  return [
    ['project', project ?? join(cwd, FILE_NAME), project !== undefined],
    ['user', user, existsSync(user)],
  ];
}

async function schemaNamed(name: string): Promise<() => JsonSchema> {
  const found = KINDS.find((candidate) => candidate === name);
  if (found !== undefined) return (await import('./schemas.ts')).SCHEMAS[found];
  throw new QuernError('usage', `there is no schema ${JSON.stringify(name)}`, {
    hint: didYouMean(name, KINDS) ?? `the schemas are ${KINDS.join(', ')}`,
  });
}
