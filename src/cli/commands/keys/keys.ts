// quern keys: manages the API keys that a server accepts.
import { type Command, Option } from 'commander';
import { createKey, type IssuedKey, type KeyStore, listKeys, revokeKey, rotateKey } from '../../../server/keys/change-keys.ts';
import { type Key, OVERSIGHT, type Rate } from '../../../server/keys/key.ts';
import { formatOption } from '../../arguments/flags.ts';
import type { Parts } from '../../parts.ts';
import { readCount, readDuration, readGrace, readName, readPin, readRate, readRole, readScope, readWholeSeconds } from './flags.ts';
import { keyColumns, keyRow } from './rows.ts';
import { warningsAbout } from './warnings.ts';

interface CreateFlags {
  readonly name: string;
  readonly scope: readonly string[];
  readonly expires?: number;
  readonly pin?: Readonly<Record<string, string>>;
  readonly maxRows?: number;
  readonly rate?: Rate;
  readonly maxConcurrent?: number;
  readonly maxScanPerHour?: number;
  readonly maxTimePerHour?: number;
  readonly role?: 'console';
  readonly mayRefresh?: true;
}

const EXAMPLES = `
Examples:
  quern keys create --name dashboard --scope 'usage.*' --expires 90d
  quern keys create --name acme --scope '*' --pin project=acme --rate 10/s --max-rows 500 --max-concurrent 1
  quern keys rotate dashboard --grace 1h
  quern keys revoke dashboard`;

export function register(command: Command, parts: Parts): void {
  const { terminal } = parts;
  command.addHelpText('after', EXAMPLES);

  addCreate(command, parts);

  command
    .command('list')
    .description('List the keys, without their secrets.')
    .addOption(formatOption())
    .action(async (flags: { readonly format?: string }) => {
      const store = await keyStore(parts);
      const keys = listKeys(store);
      const rows = keys.map((key) => keyRow(key, store.now()));
      await terminal.print({ columns: keyColumns, rows, truncated: false }, { ...flags, whole: ['prefix', 'name'] });
      await terminal.note(`${keys.length} ${keys.length === 1 ? 'key' : 'keys'} in ${store.file}`);
    });

  command
    .command('show')
    .description('Print the rights of a key, and what is left of its budgets.')
    .argument('<key>', 'its name, id or prefix, as `quern keys list` shows them')
    .addOption(formatOption())
    .action(async (reference: string, flags: { readonly format?: string }) => {
      const { showKey } = await import('./show.ts');
      await showKey(parts, reference, flags);
    });

  command
    .command('revoke')
    .description('Remove a key. Servers refuse it within a second.')
    .argument('<key>', 'its name, id or prefix, as `quern keys list` shows them')
    .action(async (reference: string) => {
      const { name, prefix } = await revokeKey(await keyStore(parts), reference);
      await terminal.note(`revoked ${name} (${prefix})`);
    });

  command
    .command('rotate')
    .description('Give a key a new secret with the same rights, and print it once, to standard output.')
    .argument('<key>', 'its name, id or prefix, as `quern keys list` shows them')
    .addOption(
      new Option('--grace <duration>', 'how long the old secret still works, such as 1h; by default it stops at once').argParser(readGrace),
    )
    .addOption(
      new Option('--expires <duration>', 'how long the key is valid from now; by default its expiry stays the same').argParser(
        readDuration('--expires'),
      ),
    )
    .action(async (reference: string, { grace, expires }: { readonly grace?: number; readonly expires?: number }) => {
      const issued = await rotateKey(await keyStore(parts), reference, { graceSeconds: grace, expiresInSeconds: expires });
      await show(parts, issued);
    });
}

function addCreate(command: Command, parts: Parts): void {
  command
    .command('create')
    .description('Create a key and print its secret once, to standard output.')
    .addOption(new Option('--name <name>', 'a name for the key').makeOptionMandatory().argParser(readName))
    .addOption(
      new Option('--scope <names>', 'a saved query it may run, or /metrics; * matches any text; may be repeated')
        .makeOptionMandatory()
        .argParser(readScope),
    )
    .addOption(
      new Option('--expires <duration>', 'how long the key is valid, such as 90d; by default until it is revoked').argParser(
        readDuration('--expires'),
      ),
    )
    .addOption(new Option('--pin <parameter=value>', 'a parameter that callers cannot choose; may be repeated').argParser(readPin))
    .addOption(
      new Option('--max-rows <number>', 'the most rows that a response may have').argParser(readCount('--max-rows', 'a number of rows')),
    )
    .addOption(new Option('--rate <number/time>', 'the highest rate of requests, such as 10/s, 600/m or 100/30s').argParser(readRate))
    .addOption(
      new Option('--max-concurrent <number>', 'the most queries that may run at once; others wait').argParser(
        readCount('--max-concurrent', 'a number of queries'),
      ),
    )
    .addOption(
      new Option('--max-scan-per-hour <rows>', 'the most rows that queries with this key may read in an hour').argParser(
        readCount('--max-scan-per-hour', 'a number of rows'),
      ),
    )
    .addOption(
      new Option('--max-time-per-hour <duration>', 'the most time that queries with this key may take in an hour, such as 10m').argParser(
        readWholeSeconds('--max-time-per-hour'),
      ),
    )
    .addOption(new Option('--role <role>', 'what the key is for: everything in its scopes, or only the web console').argParser(readRole))
    .option('--may-refresh', 'let callers ask for a fresh run with Cache-Control: no-cache')
    .action(async ({ scope, expires, pin, mayRefresh, ...rest }: CreateFlags) => {
      const rights = { ...rest, scopes: scope, pins: pin ?? {}, mayRefresh: mayRefresh === true };
      const issued = await createKey(await keyStore(parts), { ...rights, expiresInSeconds: expires });
      await show(parts, issued);
      for (const warning of await warningsAbout(issued.key, parts)) await parts.terminal.warn(`warning: ${warning}`);
    });
}

async function keyStore({ settings }: Parts): Promise<KeyStore> {
  const { values } = await settings();
  return { file: values.keys_file, now: Date.now };
}

function rightsOf({ scopes }: Key): string {
  const queries = scopes.filter((scope) => scope !== OVERSIGHT);
  const run = queries.length === 0 ? [] : [`run ${queries.join(', ')}`];
  return [...run, ...(scopes.includes(OVERSIGHT) ? [`read ${OVERSIGHT}`] : [])].join(' and ');
}

async function show({ io, terminal }: Parts, { key, secret }: IssuedKey): Promise<void> {
  await io.stdout.write(`${secret}\n`);
  const end = key.expiresAt === undefined ? 'until it is revoked' : `until ${key.expiresAt}`;
  await terminal.note(`${key.name} may ${rightsOf(key)} ${end}; keep this secret, it is not shown again`);
}
