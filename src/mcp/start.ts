// The server for agents over standard input and output.
import { Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Io } from '../base/io.ts';
import { mcpServer } from './server.ts';
import type { Toolbox } from './toolbox.ts';

/** Ends with its input, or when `signal` aborts. */
export async function startMcp(
  toolbox: Toolbox,
  { stdin, stdout }: Io,
  { version, signal }: { readonly version: string; readonly signal: AbortSignal },
) {
  const output = new Writable({ write: (chunk: Uint8Array, _, done) => void stdout.write(chunk).then(() => done(), done) });
  const server = mcpServer(toolbox, version);
  await server.connect(new StdioServerTransport(stdin, output));
  await new Promise<void>((ended) => {
    stdin.on('end', ended).on('close', ended);
    // The user may have had enough while it was being loaded.
    if (signal.aborted) ended();
    else signal.addEventListener('abort', () => ended());
  });
  await server.close();
}
