// quern trust: which project files may act for the user, and which no longer.
import type { Command } from 'commander';
import type { App } from '../app.ts';
import { QuernError } from '../errors.ts';

interface Flags {
  readonly list?: true;
  readonly revoke?: true;
}

export function register(command: Command, app: App): void {
  command
    .argument('[file]', 'the quern.yaml; by default the one in the folder that you are in, or above it')
    .option('--list', 'list what is trusted, and the servers you have been told about')
    .option('--revoke', 'trust the file no longer')
    .addHelpText(
      'after',
      `
Examples:
  quern trust
  quern trust ./quern.yaml
  quern trust --list
  quern trust --revoke

A quern.yaml that belongs to somebody else is not used before you trust it; nor is its password_command run, or a store
opened that it brought along, whosever it is. So read the file first. Trust ends when the file changes. QUERN_TRUST=1 trusts
every quern.yaml: for CI jobs and containers, which run what is checked out anyway.`,
    )
    .action(async (file: string | undefined, { list, revoke }: Flags) => {
      if (list === true && (revoke === true || file !== undefined))
        throw new QuernError('usage', `--list lists everything: ${revoke === true ? '--revoke' : file} has no part in it`, {
          hint: 'leave one of them out',
        });
      if (list === true) {
        for (const row of await app.trusted()) await app.io.stdout.write(`${row.join('\t')}\n`);
      } else if (revoke === true) {
        const { path, was } = await app.revokeTrust(file);
        await app.note(was ? `${path} is no longer trusted` : `${path} was not trusted`);
      } else {
        const { path, rights } = await app.trustProject(file);
        await app.note(`${path} is trusted until it changes`);
        for (const right of rights) await app.note(right);
      }
    });
}
