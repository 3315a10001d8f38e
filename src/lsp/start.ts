// The language server over standard input and output.
import { Writable } from 'node:stream';
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import type { Io } from '../base/io.ts';
import type { Services } from '../services.ts';
import { serveEditor } from './server.ts';

interface Start {
  readonly version: string;
  /** The parts of the program in a folder. */
  readonly services: (folder: string | undefined) => Services;
  readonly signal: AbortSignal;
}

/** Ends with its input, or when `signal` aborts. */
export function startLanguageServer({ stdin, stdout }: Io, { version, services, signal }: Start): Promise<void> {
  const output = new Writable({
    write: (chunk: Uint8Array, _, done) => void stdout.write(chunk).then(() => done(), done),
  });
  const connection = createConnection(ProposedFeatures.all, stdin, output);
  return new Promise((ended) => {
    stdin.on('end', ended);
    serveEditor(connection, { version, services });
    const stop = (): void => {
      connection.dispose();
      stdin.pause();
      ended();
    };
    // The user may have had enough while it was being loaded.
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop);
  });
}
