// quern lsp: the language server for editors.
import type { Command } from 'commander';
import { packageVersion } from '../../package-file.ts';
import { openServices } from '../../services.ts';
import type { Parts } from '../parts.ts';

export function register(command: Command, { io, signal, flags }: Parts): void {
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
      const { startLanguageServer } = await import('../../lsp/start.ts');
      const open = (folder: string | undefined) =>
        openServices({ io: { ...io, cwd: folder ?? io.cwd }, signal, flags: () => ({ ...flags(), quiet: true }) });
      await startLanguageServer(io, packageVersion(), open);
    });
}
