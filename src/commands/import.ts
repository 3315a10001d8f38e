// quern import: saved queries out of Logflare's endpoints, or out of a folder.
import { extname } from 'node:path';
import type { Command } from 'commander';
import type { App } from '../app.ts';
import { QuernError } from '../errors.ts';
import { isClean, REPORT_FORMATS, type ReportFormat, reportText, summary, writeReport } from '../migrate/report.ts';
import { writeFileAtomically } from '../output/file.ts';

interface Flags {
  readonly out?: string;
  readonly force?: true;
  readonly dryRun?: true;
  readonly report?: string;
}

interface LogflareFlags extends Flags {
  readonly token?: string;
}

export function register(command: Command, app: App): void {
  command.addHelpText(
    'after',
    `
Examples:
  LOGFLARE_TOKEN=… quern import logflare --url https://logflare.example.com --dry-run
  quern import logflare --url http://127.0.0.1:4000 --out queries --report import.md
  quern import dir ./bigquery-queries --force

A file is written for each query, also for one that does not translate. The exit code is 1 when some do not. See docs/migration.md`,
  );

  const takenUrl = takeUrl(command);
  shared(command.command('logflare').description('Import the endpoints of a Logflare.'))
    .option('--url <url>', 'where it is; by default LOGFLARE_URL')
    .option('--token <token>', 'private access token; better in LOGFLARE_TOKEN, since others can see the words of a command')
    .action(async ({ token, ...flags }: LogflareFlags) => {
      const url = takenUrl();
      if (token !== undefined) await app.note('note: a token among the words of a command is seen by others; LOGFLARE_TOKEN is not');
      await run(app, { url, token }, flags);
    });

  shared(command.command('dir').description('Import the .sql files and the JSON exports of endpoints in a folder.'))
    .argument('<folder>', 'folder with the files')
    .action((folder: string, flags: Flags) => run(app, { folder }, flags));
}

/** Everywhere else `--url` is the ClickHouse server; its settings can name that here. Gives what was given to `import logflare`. */
function takeUrl(command: Command): () => string | undefined {
  let url: string | undefined;
  command.hook('preSubcommand', (_, subcommand) => {
    if (subcommand.name() !== 'logflare' || command.parent === null) return;
    url = command.parent.opts<{ readonly url?: string }>().url;
    command.parent.setOptionValueWithSource('url', undefined, 'default');
  });
  return () => url;
}

const shared = (command: Command): Command =>
  command
    .option('--out <folder>', 'folder for the queries; by default the first of `queries`')
    .option('--force', 'write over files that are there')
    .option('--dry-run', 'write no queries, only tell what would come')
    .option('--report <file>', 'write the report to a file too, ending in .json or .md');

async function run(app: App, from: Parameters<App['importQueries']>[0]['from'], flags: Flags): Promise<void> {
  const format = flags.report === undefined ? undefined : reportFormat(flags.report);
  const { out, force = false, dryRun = false } = flags;
  const report = await app.importQueries({ from, out, force, dryRun });
  if (flags.report !== undefined && format !== undefined) await writeFileAtomically(app.path(flags.report), [writeReport[format](report)]);
  await app.io.stdout.write(reportText(report, app.io.stdout.columns));
  const files = report.queries.filter(({ file }) => file !== undefined);
  const fresh = files.filter(({ file_state }) => file_state !== 'same').length;
  const same = fresh === files.length ? '' : `, ${files.length - fresh} as they were`;
  await app.note(`${fresh} ${fresh === 1 ? 'file' : 'files'} ${dryRun ? 'would be written' : 'written'} to ${report.folder}${same}`);
  if (isClean(report)) await app.note(summary(report));
  else throw new QuernError('check', summary(report), { hint: 'see the report; what can be translated is in docs/dialect.md' });
}

function reportFormat(file: string): ReportFormat {
  const format = REPORT_FORMATS.find((one) => `.${one}` === extname(file));
  if (format !== undefined) return format;
  throw new QuernError('usage', `--report ${file} ends in neither .json nor .md`, { hint: 'such as --report import.md' });
}
