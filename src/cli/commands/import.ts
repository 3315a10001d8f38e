// quern import: imports saved queries from Logflare's endpoints, or from a folder.

import { existsSync, readFileSync } from 'node:fs';
import { extname, relative, resolve } from 'node:path';
import type { Command } from 'commander';
import { nearest, QuernError } from '../../base/errors.ts';
import type { PreparedQuery } from '../../execution/prepared-query.ts';
import type { Found } from '../../migrate/folder.ts';
import { type ImportReport, isClean, REPORT_FORMATS, type ReportFormat, reportText, summary, writeReport } from '../../migrate/report.ts';
import { writeFileAtomically } from '../../output/file.ts';
import { findLogSource } from '../../sources/log/log-sources.ts';
import { TABLES_DATABASE } from '../../sources/table-names.ts';
import type { Parts } from '../parts.ts';
import { takeUrl } from './take-url.ts';

interface Flags {
  readonly out?: string;
  readonly force?: true;
  readonly dryRun?: true;
  readonly report?: string;
  readonly declareAsParameters?: true;
  readonly updateConfig?: true;
}

/** A folder, or a Logflare, whose URL and token are by default in the environment. */
type Origin = { readonly folder: string } | { readonly url: string | undefined; readonly token: string | undefined };

interface ImportRequest {
  readonly from: Origin;
  /** Folder for the queries; by default the first of the project. */
  readonly out: string | undefined;
  readonly force: boolean;
  readonly dryRun: boolean;
  readonly declareAsParameters: boolean | undefined;
}

interface LogflareFlags extends Flags {
  readonly token?: string;
}

export function register(command: Command, parts: Parts): void {
  const { terminal } = parts;
  command.addHelpText(
    'after',
    `
Examples:
  LOGFLARE_TOKEN=… quern import logflare --url https://logflare.example.com --dry-run
  quern import logflare --url http://127.0.0.1:4000 --out queries --report import.md
  quern import dir ./bigquery-queries --force
  quern import dir ./dbt-project --update-config

A file is written for each query, even if it does not translate; the exit code is 1 if some do not. See docs/migration.md`,
  );

  const takenUrl = takeUrl(command, ['logflare']);
  shared(command.command('logflare').description('Import the endpoints of a Logflare instance.'))
    .option('--url <url>', 'its address; by default LOGFLARE_URL')
    .option('--token <token>', 'private access token; better set in LOGFLARE_TOKEN, since others can see command lines')
    .action(async ({ token, ...flags }: LogflareFlags) => {
      const url = takenUrl();
      if (token !== undefined)
        await terminal.note('note: others on this machine can see a token on the command line; set LOGFLARE_TOKEN instead');
      await run(parts, { url, token }, flags);
    });

  shared(command.command('dir').description('Import .sql files and JSON exports of queries from a folder and its subfolders.'))
    .argument('<folder>', 'folder with the files')
    .action((folder: string, flags: Flags) => run(parts, { folder }, flags));

  // An unknown origin, such as `import bq`.
  command.on('command:*', ([name = '']: readonly string[]) => {
    const near = nearest(name, ['logflare', 'dir']);
    const suggestion =
      near === undefined
        ? 'for queries of BigQuery, dbt or other tools, import their files: quern import dir FOLDER; docs/migration.md says how to get them'
        : `did you mean import ${near}?`;
    throw new QuernError('usage', `quern cannot import from ${JSON.stringify(name)}`, {
      hint: existsSync(resolve(parts.io.cwd, name)) ? `to import the files of a folder, write quern import dir ${name}` : suggestion,
    });
  });
}

const shared = (command: Command): Command =>
  command
    .option('--out <folder>', 'folder for the queries; by default the first of `queries`')
    .option('--force', 'overwrite existing files')
    .option('--declare-as-parameters', 'turn the variables that a query declares into parameters, with their values as defaults')
    .option('--update-config', 'write the proposed names: and sources: to quern.yaml')
    .option('--dry-run', 'write nothing, only show what would be written')
    .option('--report <file>', 'write the report to a file too, ending in .json or .md');

async function run(parts: Parts, from: Origin, flags: Flags): Promise<void> {
  const { io, terminal } = parts;
  const format = flags.report === undefined ? undefined : reportFormat(flags.report);
  const { out, force = false, dryRun = false, declareAsParameters } = flags;
  const { projectFile } = await parts.settings();
  if (flags.updateConfig === true && projectFile === undefined)
    throw new QuernError('usage', 'there is no quern.yaml to write to', { hint: 'create one with `quern init`' });
  const report = await writeImported({ from, out, force, dryRun, declareAsParameters }, parts);
  if (flags.report !== undefined && format !== undefined)
    await writeFileAtomically(resolve(io.cwd, flags.report), [writeReport[format](report)]);
  await io.stdout.write(reportText(report, io.stdout.columns));
  const files = report.queries.filter(({ file }) => file !== undefined);
  const fresh = files.filter(({ file_state }) => file_state !== 'same').length;
  const same = fresh === files.length ? '' : `, ${files.length - fresh} unchanged`;
  await terminal.note(`${fresh} ${fresh === 1 ? 'file' : 'files'} ${dryRun ? 'would be written' : 'written'} to ${report.folder}${same}`);
  if (flags.updateConfig === true && projectFile !== undefined) await updateConfig(projectFile, report, dryRun, parts);
  if (isClean(report)) await terminal.note(summary(report));
  else throw new QuernError('check', summary(report), { hint: 'see the report; docs/dialect.md says what can be translated' });
}

/** Adds the complete entries of the proposal. */
async function updateConfig(path: string, { proposal, sources }: ImportReport, dryRun: boolean, { io, terminal }: Parts): Promise<void> {
  const { withEntries } = await import('../../config/add-entries.ts');
  const before = readFileSync(path, 'utf8');
  const tables = Object.entries(proposal.sources).map(([name, table]) => [name, { table }] as const);
  const after = withEntries(before, { names: proposal.names, sources: Object.fromEntries(tables) });
  const shown = relative(io.cwd, path);
  const left = proposal.wildcards.length + sources.length;
  const rest = left === 0 ? '' : `; ${left} ${left === 1 ? 'entry is' : 'entries are'} left for you to complete, see above`;
  if (after === before) return terminal.note(`${shown} is unchanged${rest}`);
  if (!dryRun) await writeFileAtomically(path, [after]);
  await terminal.note(`the proposed entries ${dryRun ? 'would be' : 'were'} added to ${shown}${rest}`);
}

function reportFormat(file: string): ReportFormat {
  const format = REPORT_FORMATS.find((one) => `.${one}` === extname(file));
  if (format !== undefined) return format;
  throw new QuernError('usage', `--report ${file} ends in neither .json nor .md`, { hint: 'name it like --report import.md' });
}

async function writeImported({ from, out, force, dryRun, declareAsParameters }: ImportRequest, parts: Parts): Promise<ImportReport> {
  const { io, settings, queryFolders, functionFolders, connection } = parts;
  const { values } = await settings();
  const target = out === undefined ? values.queries[0] : resolve(io.cwd, out);
  if (target === undefined) {
    // A missing source folder is reported first.
    if ('folder' in from) await find(from, target, values.timeout, parts);
    throw new QuernError('usage', 'there is no folder for your own saved queries', {
      hint: 'name one with --out, or create a project with `quern init`',
    });
  }
  const found = await find(from, target, values.timeout, parts);
  const place = await connection();
  const { sources } = await place.snapshot();
  const options = { folder: target, shown: relative(io.cwd, target) || '.', force, dryRun, declareAsParameters };
  const [{ importQueries }, { openCatalog }] = await Promise.all([import('../../migrate/import.ts'), import('../../queries/catalog.ts')]);
  // The folder of a new project is only made when a query is written to it.
  const folders = (await queryFolders()).filter((folder) => folder !== target || existsSync(folder));
  const queries = openCatalog(folders, io.cwd, await functionFolders());
  const deps = { catalog: queries, server: place.remote, askEngine: (prepared: PreparedQuery) => askEngine(prepared, parts) };
  const defined = Object.keys(Object((await settings()).sections.sources?.value));
  const isOwn = ({ database, name }: { readonly database?: string | undefined; readonly name: string }): boolean =>
    database === TABLES_DATABASE || (defined.includes(name) && findLogSource(name) === undefined);
  return importQueries(found, options, { ...deps, sources, isOwn });
}

/** Plans ClickHouse SQL with no value for any parameter. */
async function askEngine(prepared: PreparedQuery, { running, signal }: Parts): Promise<void> {
  const { engineSteps } = await import('../../execution/estimate.ts');
  await running((current) => engineSteps(prepared, { arguments: {}, asOf: undefined, signal }, current));
}

async function find(from: Origin, target: string | undefined, timeoutSeconds: number, { io, signal }: Parts): Promise<readonly Found[]> {
  if ('folder' in from) {
    const { readFolder } = await import('../../migrate/folder.ts');
    // Queries that an earlier import wrote are not imported again.
    return readFolder(resolve(io.cwd, from.folder), target);
  }
  const url = from.url ?? given(io.env['LOGFLARE_URL']);
  if (url === undefined) throw new QuernError('usage', 'the address of Logflare is missing', { hint: 'pass --url, or set LOGFLARE_URL' });
  const token = from.token ?? given(io.env['QUERN_LOGFLARE_TOKEN']) ?? given(io.env['LOGFLARE_TOKEN']);
  if (token === undefined)
    throw new QuernError('usage', 'the Logflare token is missing', { hint: 'set LOGFLARE_TOKEN to a private access token' });
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new QuernError('usage', 'the Logflare token contains characters that are not allowed in tokens', {
      hint: 'check LOGFLARE_TOKEN',
    });
  const { fetchEndpoints } = await import('../../migrate/logflare-api.ts');
  return fetchEndpoints({ url, token, timeoutSeconds, signal });
}

const given = (value: string | undefined): string | undefined => (value === undefined || value === '' ? undefined : value);
