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
  quern shell                                on a terminal: history, completion by Tab, \\? for help
  quern shell < statements.sql               statements with ; behind each, until one fails

A statement is run as \`quern query\` runs it; files may stand in FROM. While a shell on the embedded store is open, no other quern can
open that store.`,
    )
    .action(async ({ format }: { readonly format?: string }) => {
      const { openSession } = await import('../shell/session.ts');
      const session = openSession(parts, format);
      const { runLines, runTerminal } = await import('../shell/lines.ts');
      await (parts.io.stdin.isTTY === true ? runTerminal(parts, session) : runLines(parts, session));
    });
}
