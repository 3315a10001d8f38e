// quern config: the settings: what they are, where each value comes from, and changing the user's own.
import { Argument, type Command } from 'commander';
import type { App } from '../app.ts';
import { nearest, QuernError } from '../errors.ts';
import { formatOption } from './flags.ts';

const SCHEMAS = ['project', 'query'] as const;

export function register(command: Command, app: App): void {
  command.addHelpText(
    'after',
    `
Examples:
  quern config list
  QUERN_STORE=/data/logs quern config list --format json
  quern config set timeout 2m
  quern config get store
  quern config schema project > quern.schema.json

Flags go before the environment, that before quern.yaml, and that before your own settings, which \`set\` writes.`,
  );

  command
    .command('list')
    .description('List every setting with its value and origin. Secrets are hidden.')
    .option('--origin', 'value and origin only, without what each setting means')
    .addOption(formatOption())
    .action(async ({ origin, ...flags }: { readonly format?: string; readonly origin?: true }) => {
      const rows = await app.settingRows();
      const names = ['setting', 'value', 'from', 'environment', 'meaning'].slice(0, origin === true ? 3 : 5);
      const columns = names.map((name) => ({ name, type: { kind: 'STRING' } as const }));
      const shown = rows.map((row) => row.slice(0, names.length));
      await app.print(
        { columns, rows: shown, truncated: false },
        { ...flags, whole: origin === true ? ['setting'] : ['setting', 'value'] },
      );
    });

  command
    .command('get')
    .description('Print the value of a setting, as it holds here.')
    .argument('<setting>', 'its name, as `quern config list` shows it')
    .action(async (setting: string) => app.io.stdout.write(`${await app.settingText(setting)}\n`));

  command
    .command('set')
    .description('Write a setting into your own settings, for all your projects.')
    .argument('<setting>', 'its name')
    .argument('<value...>', 'its value; several make a list')
    .action(async (setting: string, values: readonly string[]) => {
      const path = await app.setUserSetting(setting, values);
      await app.note(`written to ${path}`);
      await warnHidden(app, setting);
    });

  command
    .command('unset')
    .description('Remove a setting from your own settings.')
    .argument('<setting>', 'its name')
    .action(async (setting: string) => {
      const { path, was } = await app.unsetUserSetting(setting);
      await app.note(was ? `removed from ${path}` : `${setting} is not in ${path}`);
    });

  command
    .command('path')
    .description('Print the paths of the files that settings are read from.')
    .action(async () => {
      for (const [name, path, there] of await app.settingFiles())
        await app.io.stdout.write(`${name}\t${path}${there ? '' : '\t(not there)'}\n`);
    });

  const kind = new Argument('<kind>', `${SCHEMAS.join(' (quern.yaml)\nor ')} (headers of saved queries)`.replace('\n', ' '));
  kind.argChoices = [...SCHEMAS]; // read by schemaNamed, whose words are ours
  command
    .command('schema')
    .description('Print the JSON Schema that editors check and complete files by.')
    .addArgument(kind)
    .action(async (name: string) => app.io.stdout.write(`${JSON.stringify(await app.jsonSchema(schemaNamed(name)), null, 2)}\n`));
}

/** What is written here may be ruled over elsewhere. */
async function warnHidden(app: App, setting: string): Promise<void> {
  const row = (await app.settingRows()).find(([name]) => name === setting.replaceAll('-', '_'));
  const from = String(row?.[2] ?? '');
  if (!from.startsWith('user')) await app.warn(`note: ${setting} is also set by ${from}, which goes before it here`);
}

function schemaNamed(name: string): (typeof SCHEMAS)[number] {
  const found = SCHEMAS.find((candidate) => candidate === name);
  if (found !== undefined) return found;
  const near = nearest(name, SCHEMAS);
  throw new QuernError('usage', `there is no schema ${JSON.stringify(name)}`, {
    hint: near === undefined ? `there are: ${SCHEMAS.join(', ')}` : `did you mean ${near}?`,
  });
}
