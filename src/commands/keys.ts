// quern keys: the API keys that a server accepts.
import { type Command, Option } from 'commander';
import type { App } from '../app.ts';
import { createKey, type IssuedKey, type KeyStore, listKeys, revokeKey, rotateKey } from '../keys/change-keys.ts';
import { type Key, OVERSIGHT, type Rate } from '../keys/key.ts';
import { formatOption } from './flags.ts';
import { doubtsAbout } from './key-doubts.ts';
import { readCount, readDuration, readGrace, readName, readPin, readRate, readScope } from './key-flags.ts';
import { keyColumns, keyRow } from './key-rows.ts';

interface CreateFlags {
  readonly name: string;
  readonly scope: readonly string[];
  readonly expires?: number;
  readonly pin?: Readonly<Record<string, string>>;
  readonly maxRows?: number;
  readonly rate?: Rate;
  readonly maxConcurrent?: number;
  readonly mayRefresh?: true;
}

const EXAMPLES = `
Examples:
  quern keys create --name dashboard --scope 'usage.*' --expires 90d
  quern keys create --name acme --scope '*' --pin project=acme --rate 10/s --max-rows 500 --max-concurrent 1
  quern keys rotate dashboard --grace 1h
  quern keys revoke dashboard`;

export function register(command: Command, app: App): void {
  command.addHelpText('after', EXAMPLES);

  command
    .command('create')
    .description('Make a key and print its secret, once, on standard output.')
    .addOption(new Option('--name <name>', 'what the key is called').makeOptionMandatory().argParser(readName))
    .addOption(
      new Option('--scope <names>', 'a saved query it may run, or /metrics; * stands for any text; may be repeated')
        .makeOptionMandatory()
        .argParser(readScope),
    )
    .addOption(
      new Option('--expires <duration>', 'how long it works, such as 90d; without it, until it is revoked').argParser(
        readDuration('--expires'),
      ),
    )
    .addOption(new Option('--pin <parameter=value>', 'a parameter that callers cannot choose; may be repeated').argParser(readPin))
    .addOption(new Option('--max-rows <number>', 'most rows of an answer').argParser(readCount('--max-rows', 'a number of rows')))
    .addOption(new Option('--rate <number/time>', 'most requests in a time, such as 10/s, 600/m or 100/30s').argParser(readRate))
    .addOption(
      new Option('--max-concurrent <number>', 'most queries at the engine at once; others wait').argParser(
        readCount('--max-concurrent', 'a number of queries'),
      ),
    )
    .option('--may-refresh', 'callers may ask for a fresh run with Cache-Control: no-cache')
    .action(async ({ scope, expires, pin, mayRefresh, ...rest }: CreateFlags) => {
      const rights = { ...rest, scopes: scope, pins: pin ?? {}, mayRefresh: mayRefresh === true };
      const issued = await createKey(await keyStore(app), {
        ...rights,
        ...(expires === undefined ? {} : { expiresInSeconds: expires }),
      });
      await show(app, issued);
      for (const doubt of await doubtsAbout(issued.key, app)) await app.warn(`warning: ${doubt}`);
    });

  command
    .command('list')
    .description('List the keys, without their secrets.')
    .addOption(formatOption())
    .action(async (flags: { readonly format?: string }) => {
      const store = await keyStore(app);
      const keys = listKeys(store);
      const rows = keys.map((key) => keyRow(key, store.now()));
      await app.print({ columns: keyColumns, rows, truncated: false }, { ...flags, whole: ['prefix', 'name'] });
      await app.note(`${keys.length} ${keys.length === 1 ? 'key' : 'keys'} in ${store.file}`);
    });

  command
    .command('revoke')
    .description('Remove a key. Servers refuse it within a second.')
    .argument('<key>', 'its name, id or prefix, as `quern keys list` shows them')
    .action(async (reference: string) => {
      const { name, prefix } = await revokeKey(await keyStore(app), reference);
      await app.note(`revoked ${name} (${prefix})`);
    });

  command
    .command('rotate')
    .description('Give a key a new secret, with the same rights, and print it, once, on standard output.')
    .argument('<key>', 'its name, id or prefix, as `quern keys list` shows them')
    .addOption(
      new Option('--grace <duration>', 'how long the old secret still works, such as 1h; without it, no longer').argParser(readGrace),
    )
    .addOption(
      new Option('--expires <duration>', 'how long the key works from now; without it, as long as before').argParser(
        readDuration('--expires'),
      ),
    )
    .action(async (reference: string, { grace, expires }: { readonly grace?: number; readonly expires?: number }) => {
      const issued = await rotateKey(await keyStore(app), reference, {
        ...(grace === undefined ? {} : { graceSeconds: grace }),
        ...(expires === undefined ? {} : { expiresInSeconds: expires }),
      });
      await show(app, issued);
    });
}

async function keyStore(app: App): Promise<KeyStore> {
  const { values } = await app.settings();
  return { file: values.keys_file, now: Date.now };
}

function rightsOf({ scopes }: Key): string {
  const queries = scopes.filter((scope) => scope !== OVERSIGHT);
  const run = queries.length === 0 ? [] : [`run ${queries.join(', ')}`];
  return [...run, ...(scopes.includes(OVERSIGHT) ? [`read ${OVERSIGHT}`] : [])].join(' and ');
}

async function show(app: App, { key, secret }: IssuedKey): Promise<void> {
  await app.io.stdout.write(`${secret}\n`);
  const end = key.expiresAt === undefined ? 'until it is revoked' : `until ${key.expiresAt}`;
  await app.note(`${key.name} may ${rightsOf(key)} ${end}; keep this secret, it is not shown again`);
}
