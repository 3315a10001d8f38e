// quern keys: manages the API keys that a server accepts.
import { Argument, type Command, Option } from 'commander';
import { QuernError } from '../../../base/errors.ts';
import { createKey, type IssuedKey, type KeyStore, listKeys, revokeKey, rotateKey } from '../../../server/keys/change-keys.ts';
import { BIGQUERY, type Key, OVERSIGHT, RIGHTS, SQL_PAGE } from '../../../server/keys/key.ts';
import { formatOption } from '../../arguments/flags.ts';
import type { Parts } from '../../parts.ts';
import { takeUrl } from '../take-url.ts';
import {
  readCount,
  readDuration,
  readGrace,
  readName,
  readPin,
  readRate,
  readRole,
  readScope,
  readServerUrl,
  readWholeSeconds,
} from './flags.ts';
import type { CredentialsFlags } from './google-credentials.ts';
import { keyColumns, keyRow } from './rows.ts';
import { warningsAbout } from './warnings.ts';

type Limits = 'maxRows' | 'rate' | 'maxConcurrent' | 'maxScanPerHour' | 'maxTimePerHour' | 'role';

interface CreateFlags extends CredentialsFlags, Pick<Key, Limits> {
  readonly name?: string;
  readonly scope: readonly string[];
  readonly expires?: number;
  readonly pin?: Readonly<Record<string, string>>;
  readonly mayRefresh?: true;
}

interface RotateFlags extends CredentialsFlags {
  readonly grace?: number;
  readonly expires?: number;
}

const EXAMPLES = `
Examples:
  quern keys create --name dashboard --scope 'usage.*' --expires 90d
  quern keys create --name acme --scope '*' --pin project=acme --rate 10/s --max-rows 500 --max-concurrent 1
  quern keys create reports --scope bigquery --google-credentials reports.json --url https://quern.example.com
  quern keys rotate dashboard --grace 1h
  quern keys revoke dashboard`;

export function register(command: Command, parts: Parts): void {
  const { terminal } = parts;
  command.addHelpText('after', EXAMPLES);

  const takenUrl = takeUrl(command, ['create', 'rotate']);
  addCreate(command, parts, takenUrl);

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

  addCredentials(command.command('rotate'))
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
    .action(async (reference: string, flags: RotateFlags) => {
      const store = await keyStore(parts);
      const how = { graceSeconds: flags.grace, expiresInSeconds: flags.expires };
      const url = takenUrl();
      const issued = await issueWith({ ...flags, url }, parts, (publicKey) => rotateKey(store, reference, { ...how, publicKey }));
      await show(parts, issued, flags.googleCredentials);
    });
}

/** Returns the name, which may be an argument or a flag. */
function nameOf(given: string | undefined, named: string | undefined): string {
  const name = given ?? named;
  if (name !== undefined && (given === undefined || named === undefined || given === named)) return name;
  throw new QuernError('usage', name === undefined ? 'the key has no name' : `the key has two names, ${given} and ${named}`, {
    hint: "write it like quern keys create dashboard --scope 'usage.*'",
  });
}

/** Issues a key, and writes the file for Google's libraries where one is wanted. */
async function issueWith(
  flags: CredentialsFlags,
  { settings }: Parts,
  issue: (publicKey?: string) => Promise<IssuedKey>,
): Promise<IssuedKey> {
  if (flags.googleCredentials === undefined) {
    const [stray] = (['url', 'universeDomain'] as const).filter((name) => flags[name] !== undefined);
    if (stray === undefined) return issue();
    throw new QuernError('usage', `--${stray === 'url' ? 'url' : 'universe-domain'} only applies to a file for Google's libraries`, {
      hint: 'add --google-credentials FILE',
    });
  }
  const url = flags.url === undefined ? undefined : readServerUrl(flags.url);
  const { withCredentialsFile } = await import('./google-credentials.ts');
  return withCredentialsFile({ ...flags, url }, (await settings()).values, issue);
}

/** The flags of a file for Google's libraries. */
function addCredentials(command: Command): Command {
  return command
    .option('--google-credentials <file>', "write a service-account file with which Google's libraries log in to `quern serve --bigquery`")
    .option('--url <url>', 'with --google-credentials: the address of the server; by default where `quern serve` listens')
    .option('--universe-domain <domain>', 'with --google-credentials: the universe_domain in the file, quern.internal by default');
}

function addCreate(command: Command, parts: Parts, takenUrl: () => string | undefined): void {
  addCredentials(command.command('create'))
    .description('Create a key and print its secret once, to standard output.')
    .addArgument(new Argument('[name]', 'a name for the key').argParser(readName))
    .addOption(new Option('--name <name>', 'the same as a flag').argParser(readName))
    .addOption(
      new Option(
        '--scope <names>',
        "a saved query it may run, /metrics, /sql for the console's SQL page, or bigquery for BigQuery's API; * matches any text; may be repeated",
      )
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
    .action(async (given: string | undefined, flags: CreateFlags) => {
      const { name: named, scope, expires, pin, mayRefresh, googleCredentials, url: _, universeDomain: __, ...rest } = flags;
      const name = nameOf(given, named);
      if (googleCredentials !== undefined && !scope.includes(BIGQUERY))
        throw new QuernError('usage', `a key without the scope ${BIGQUERY} cannot use BigQuery's API, which the file is for`, {
          hint: `add --scope ${BIGQUERY}`,
        });
      const rights = { ...rest, name, scopes: scope, pins: pin ?? {}, mayRefresh: mayRefresh === true, expiresInSeconds: expires };
      const store = await keyStore(parts);
      const issued = await issueWith({ ...flags, url: takenUrl() }, parts, (publicKey) => createKey(store, { ...rights, publicKey }));
      await show(parts, issued, googleCredentials);
      for (const warning of await warningsAbout(issued.key, parts)) await parts.terminal.warn(`warning: ${warning}`);
    });
}

async function keyStore({ settings }: Parts): Promise<KeyStore> {
  const { values } = await settings();
  return { file: values.keys_file, now: Date.now };
}

function rightsOf({ scopes }: Key): string {
  const queries = scopes.filter((scope) => !RIGHTS.includes(scope));
  const run = queries.length === 0 ? [] : [`run ${queries.join(', ')}`];
  const api = scopes.includes(BIGQUERY) ? ["use BigQuery's API"] : [];
  const sql = scopes.includes(SQL_PAGE) ? ['send SQL over all tables from the console'] : [];
  return [...run, ...api, ...sql, ...(scopes.includes(OVERSIGHT) ? [`read ${OVERSIGHT}`] : [])].join(' and ');
}

/** `file`: the service-account file that was written. */
async function show({ io, terminal }: Parts, { key, secret }: IssuedKey, file?: string): Promise<void> {
  await io.stdout.write(`${secret}\n`);
  const end = key.expiresAt === undefined ? 'until it is revoked' : `until ${key.expiresAt}`;
  await terminal.note(`${key.name} may ${rightsOf(key)} ${end}; keep this secret, it is not shown again`);
  if (file !== undefined) await terminal.note(`wrote ${file}: whoever has the file has the key`);
}
