// quern mcp: offers saved queries as tools to agents.
import type { Command } from 'commander';
import { packageVersion } from '../../package-file.ts';
import { openServices, type Services } from '../../services.ts';
import type { Parts } from '../parts.ts';

interface Flags {
  readonly scope?: readonly string[];
}

export function register(command: Command, { io, signal, flags, terminal }: Parts): void {
  command
    .option(
      '--scope <pattern>',
      'only saved queries with this name; * matches any text; may be repeated',
      (word: string, before: readonly string[] = []) => [...before, word],
    )
    .addHelpText(
      'after',
      `
Examples:
  quern mcp
  quern mcp --scope 'usage.*' --queries queries

Agents start it and speak the Model Context Protocol over standard input and output; docs/agents.md says how. Each saved query is a
tool; other tools explain one, and translate SQL without running it. Sources are resources. All limits in the settings apply.`,
    )
    .action(async ({ scope }: Flags) => {
      if (io.stdin.isTTY === true)
        await terminal.note('This is a server for agents, which start it themselves: see docs/agents.md. Ctrl-C ends it.');
      const [{ startMcp }, { projectToolbox }, { lender }, { scopeCovers }] = await Promise.all([
        import('../../mcp/start.ts'),
        import('../../mcp/project-toolbox.ts'),
        import('../../mcp/borrow.ts'),
        import('../../server/keys/key.ts'),
      ]);
      const parts = lender(() => openServices({ io, signal, flags: () => ({ ...flags(), quiet: true }) }));
      const covers = (query: string): boolean => scope === undefined || scope.some((pattern) => scopeCovers(pattern, query));
      const list = async (services: Services) => {
        const { sourcesOf } = await import('../../connection/list-sources.ts');
        return sourcesOf(await services.connection(), { refresh: false });
      };
      await startMcp(projectToolbox(parts.use, { covers, list }), io, { version: packageVersion(), signal });
      await parts.close();
    });
}
