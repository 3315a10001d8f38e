// quern mcp: offers saved queries as tools to agents.
import type { Command } from 'commander';
import { QuernError } from '../../base/errors.ts';
import { packageVersion } from '../../package-file.ts';
import { openServices } from '../../services.ts';
import { collect } from '../arguments/flags.ts';
import type { Parts } from '../parts.ts';

interface Flags {
  readonly scope?: readonly string[];
  readonly allowSql?: boolean;
  readonly pin?: readonly string[];
}

export function register(command: Command, { io, signal, flags, terminal }: Parts): void {
  command
    .option('--scope <pattern>', 'only saved queries with this name; * matches any text; may be repeated', collect)
    .option('--allow-sql', 'let agents run SQL of their own, read-only and within the limits of the settings')
    .option('--pin <name=value>', 'set a parameter of all queries, which agents neither see nor choose; may be repeated', collect)
    .addHelpText(
      'after',
      `
Examples:
  quern mcp
  quern mcp --scope 'usage.*' --queries queries
  quern mcp --allow-sql --max-scan 1000000000
  quern mcp --pin project=demo

Agents start it and speak the Model Context Protocol over standard input and output; docs/agents.md says how. Each saved query is a
tool; other tools explain one, translate SQL without running it, and list and describe sources, which are resources, too. All limits in
the settings apply.`,
    )
    .action(async ({ scope, allowSql = false, pin = [] }: Flags) => {
      const pins = Object.fromEntries(pin.map(readPin));
      if (allowSql && pin.length > 0)
        throw new QuernError('usage', 'SQL of agents could read past --pin', { hint: 'leave out --allow-sql, or --pin' });
      if (io.stdin.isTTY === true)
        await terminal.note('This is a server for agents, which start it themselves: see docs/agents.md. Ctrl-C ends it.');
      const [{ startMcp }, { sharedToolbox }, { lender }, { callElsewhere, toolboxOf }, { mustBeHere }] = await Promise.all([
        import('../../mcp/start.ts'),
        import('../../mcp/elsewhere.ts'),
        import('../../mcp/borrow.ts'),
        import('./agent-tools.ts'),
        import('../hand-over/hand-over.ts'),
      ]);
      const parts = lender(() => openServices({ io, signal, flags: () => ({ ...flags(), quiet: true }), beforeStore: mustBeHere }));
      const offer = { scope, allowSql, pins };
      const toolbox = sharedToolbox(toolboxOf(offer, parts.use), (store, call, ends) =>
        callElsewhere(store, { call, offer, signal: AbortSignal.any([signal, ends]) }, { io, flags }),
      );
      await startMcp(toolbox, io, { version: packageVersion(), signal });
      await parts.close();
    });
}

function readPin(text: string): readonly [string, string] {
  const [, name, value] = /^(\w+)=(.*)$/s.exec(text.replace(/^[\w-]+(?==)/, (found) => found.replaceAll('-', '_'))) ?? [];
  if (name === undefined || value === undefined)
    throw new QuernError('usage', `--pin ${JSON.stringify(text)} is not name=value`, { hint: 'write it like --pin project=demo' });
  return [name.toLowerCase(), value];
}
