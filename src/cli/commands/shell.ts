// quern shell: runs SQL that is typed line by line.
import type { Command } from 'commander';
import { addFileFlags, type FileFlags } from '../arguments/file-flags.ts';
import { formatOption } from '../arguments/flags.ts';
import type { Parts } from '../parts.ts';

export function register(command: Command, parts: Parts): void {
  addFileFlags(command.addOption(formatOption()), 'paths in FROM, ')
    .addHelpText(
      'after',
      `
Examples:
  quern shell
  echo 'select 1 as one; select 2 as two;' | quern shell

On a terminal it has a history and completes words by Tab; \\? lists its commands. Otherwise it runs the statements of standard input, each ended by
;, until one fails. A statement runs as with \`quern query\`, so FROM may name files. While a shell has the embedded store open, it also runs the commands of other
processes that need this store; while another process has it, that process runs the statements.`,
    )
    .action(async ({ format, ...flags }: FileFlags & { readonly format?: string }) => {
      const { openSession } = await import('../shell/session.ts');
      const session = openSession(parts, format, flags);
      const { runLines, runTerminal } = await import('../shell/lines.ts');
      await (parts.io.stdin.isTTY === true ? runTerminal(parts, session) : runLines(parts, session));
    });
}
