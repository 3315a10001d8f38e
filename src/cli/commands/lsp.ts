// quern lsp: the language server for editors.
import type { Command } from 'commander';
import { packageVersion } from '../../package-file.ts';
import { openServices } from '../../services.ts';
import type { Parts } from '../parts.ts';

export function register(command: Command, { io, signal, flags, terminal }: Parts): void {
  command
    .option('--stdio', 'use standard input and output, which is the default anyway')
    .addHelpText(
      'after',
      `
Examples:
  quern lsp --stdio
  quern lsp --queries queries

Editors start it; docs/editors.md says how. It uses the project in the folder that is open in the editor, and runs no queries.`,
    )
    .action(async () => {
      if (io.stdin.isTTY === true)
        await terminal.note('This is a server for editors, which start it themselves: see docs/editors.md. Ctrl-C ends it.');
      const { startLanguageServer } = await import('../../lsp/start.ts');
      const services = (folder: string | undefined) =>
        openServices({ io: { ...io, cwd: folder ?? io.cwd }, signal, flags: () => ({ ...flags(), quiet: true }) });
      await startLanguageServer(io, { version: packageVersion(), services, signal });
    });
}
