// The language server over standard input and output.
import { Writable } from 'node:stream';
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import type { Io } from '../io.ts';
import type { Services } from '../services.ts';
import { serveEditor } from './server.ts';

/** Ends with its input. `open`: the parts of the program in a folder. */
export function startLanguageServer({ stdin, stdout }: Io, version: string, open: (folder: string | undefined) => Services): Promise<void> {
  const output = new Writable({
    write: (chunk: Uint8Array, _, done) => void stdout.write(chunk).then(() => done(), done),
  });
  const connection = createConnection(ProposedFeatures.all, stdin, output);
  return new Promise((ended) => {
    stdin.on('end', ended);
    serveEditor(connection, { version, services: open });
  });
}
