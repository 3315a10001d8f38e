// Servers that programs start say so to a person who starts them at a terminal, instead of waiting in silence, and end with Ctrl-C.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { main } from '../../src/cli/main.ts';

test.each([
  ['lsp', 'This is a server for editors, which start it themselves: see docs/editors.md. Ctrl-C ends it.\n'],
  ['mcp', 'This is a server for agents, which start it themselves: see docs/agents.md. Ctrl-C ends it.\n'],
])('%s', async (command, told) => {
  const folder = mkdtempSync(join(tmpdir(), 'quern-terminal-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const said: string[] = [];
  const output = { isTerminal: true, columns: 80, write: async (text: string) => void said.push(text) };
  let interrupt: () => void = () => undefined;
  // Nothing is typed, so the server waits.
  const ended = main([command], {
    stdin: Object.assign(new PassThrough(), { isTTY: true }),
    stdout: output,
    stderr: output,
    env: { HOME: folder, NO_COLOR: '1' },
    cwd: folder,
    peakMemoryBytes: () => 300e6,
    onHangUp: () => () => undefined,
    onInterrupt(listener) {
      interrupt = () => void listener(false);
      return () => undefined;
    },
  });
  await vi.waitFor(() => expect(said.join('')).toBe(told), { timeout: 20_000 });
  interrupt();
  expect([await ended, said.join('')]).toEqual([0, told]);
});
