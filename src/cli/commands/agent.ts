// quern __agent: a call of an agent's tool, which `quern mcp` hands over to the process that uses the store.
import type { Command } from 'commander';
import type { ToolCall } from '../../mcp/elsewhere.ts';
import { readTextFile } from '../arguments/text-file.ts';
import type { Parts } from '../parts.ts';
import type { Offer } from './agent-tools.ts';

export function register(command: Command, parts: Parts): void {
  command.argument('<file>').action(async (file: string) => {
    const [{ callOn }, { toolboxOf }] = await Promise.all([import('../../mcp/elsewhere.ts'), import('./agent-tools.ts')]);
    const { text } = await readTextFile(file, parts.io);
    const { call, offer } = JSON.parse(text) as { readonly call: ToolCall; readonly offer: Offer }; // as callElsewhere writes it
    const toolbox = toolboxOf(offer, (work) => work(parts));
    const result = await callOn(toolbox, call, parts.signal);
    await parts.io.stdout.write(`${JSON.stringify({ result })}\n`);
  });
}
