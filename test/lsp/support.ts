// An editor in front of `quern lsp`: a real client of the protocol, over the standard input and output of a process.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type ClientCapabilities,
  type CompletionItem,
  createProtocolConnection,
  type Diagnostic,
  type Position,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node';

const quern = join(import.meta.dirname, '../../bin/quern.js');

export interface Editor {
  readonly folder: string;
  readonly connection: ProtocolConnection;
  uri(name: string): string;
  /** Writes a file of the project, without opening it. */
  save(name: string, text: string): void;
  /** Opens a document, whose `|` is the cursor; gives what is said of it. */
  open(name: string, text: string): Promise<readonly Diagnostic[]>;
  /** Replaces the text of an open document. */
  type(name: string, text: string): Promise<readonly Diagnostic[]>;
  /** Of the `|` in what was opened or typed last. */
  readonly cursor: { readonly textDocument: { readonly uri: string }; readonly position: Position };
  /** What the server answers to a request about the place of the cursor. */
  ask<T>(method: string, more?: object): Promise<T>;
  completions(): Promise<readonly CompletionItem[]>;
  close(): Promise<number | null>;
}

export async function editor(files: Readonly<Record<string, string>> = {}, capabilities: ClientCapabilities = {}): Promise<Editor> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quern-lsp-')));
  const save = (name: string, text: string): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  for (const [name, text] of Object.entries(files)) save(name, text);
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, 'config'),
    QUERN_STORE: join(folder, 'store'),
    QUERN_CACHE_DIR: join(folder, 'cache'),
  };
  const child: ChildProcess = spawn(process.execPath, [quern, 'lsp', '--stdio'], {
    cwd: tmpdir(),
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error('the server has no pipes');
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const connection = createProtocolConnection(new StreamMessageReader(stdout), new StreamMessageWriter(stdin));
  const uri = (name: string): string => pathToFileURL(join(folder, name)).href;
  const told = new Map<string, (said: PublishDiagnosticsParams) => void>();
  connection.onNotification('textDocument/publishDiagnostics', (said: PublishDiagnosticsParams) =>
    told.get(`${said.uri} ${said.version}`)?.(said),
  );
  connection.listen();
  await connection.sendRequest('initialize', { processId: process.pid, rootUri: pathToFileURL(folder).href, capabilities });
  await connection.sendNotification('initialized', {});

  let cursor: Editor['cursor'] = { textDocument: { uri: '' }, position: { line: 0, character: 0 } };
  const versions = new Map<string, number>();
  const place = (name: string, text: string): string => {
    const at = text.indexOf('|');
    const before = text.slice(0, Math.max(0, at)).split('\n');
    cursor = { textDocument: { uri: uri(name) }, position: { line: before.length - 1, character: before.at(-1)?.length ?? 0 } };
    return at === -1 ? text : text.slice(0, at) + text.slice(at + 1);
  };
  const next = (name: string): { readonly version: number; readonly said: Promise<readonly Diagnostic[]> } => {
    const version = (versions.get(name) ?? 0) + 1;
    versions.set(name, version);
    return { version, said: new Promise((resolve) => told.set(`${uri(name)} ${version}`, ({ diagnostics }) => resolve(diagnostics))) };
  };
  const ask = <T>(method: string, more: object = {}): Promise<T> => connection.sendRequest<T>(method, { ...cursor, ...more });
  return {
    folder,
    connection,
    uri,
    save,
    get cursor() {
      return cursor;
    },
    async open(name, text) {
      const plain = place(name, text);
      const { version, said } = next(name);
      await connection.sendNotification('textDocument/didOpen', {
        textDocument: { uri: uri(name), languageId: 'sql', version, text: plain },
      });
      return said;
    },
    async type(name, text) {
      const plain = place(name, text);
      const { version, said } = next(name);
      await connection.sendNotification('textDocument/didChange', {
        textDocument: { uri: uri(name), version },
        contentChanges: [{ text: plain }],
      });
      return said;
    },
    ask,
    completions: () => ask('textDocument/completion'),
    async close() {
      await connection.sendRequest('shutdown');
      await connection.sendNotification('exit');
      const status = await ended;
      connection.dispose();
      rmSync(folder, { recursive: true, force: true });
      return status;
    },
  };
}
