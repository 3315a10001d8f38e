// quern shell: SQL typed line by line.
import type { Command } from 'commander';
import type { Parts } from '../parts.ts';
import { formatOption } from './flags.ts';

export function register(command: Command, parts: Parts): void {
  command
    .addOption(formatOption())
    .addHelpText(
      'after',
      `
Examples:
  quern shell
  echo 'select 1 as one; select 2 as two;' | quern shell

On a terminal it has a history and completes words by Tab; \\? lists its commands. Otherwise it runs the statements of standard input, each ended by
;, until one fails. A statement runs as with \`quern query\`, so FROM may name files. While a shell has the embedded store open, no other quern can open that
store.`,
    )
    .action(async ({ format }: { readonly format?: string }) => {
      const { openSession } = await import('../shell/session.ts');
      const session = openSession(parts, format);
      const { runLines, runTerminal } = await import('../shell/lines.ts');
      await (parts.io.stdin.isTTY === true ? runTerminal(parts, session) : runLines(parts, session));
    });
}
