// The language server: answers the requests of an editor about a document.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  CodeActionKind,
  type CodeLens,
  type Connection,
  type Location,
  MarkupKind,
  type Range,
  ResponseError,
  type SignatureHelp,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { QuernError } from '../base/errors.ts';
import type { Span } from '../base/source-text.ts';
import { formatSource } from '../queries/format-source.ts';
import type { Services } from '../services.ts';
import { callAt } from '../suggest/call.ts';
import { tree } from '../suggest/scope.ts';
import { completionsAt } from './completion.ts';
import { actionsFor, diagnose, troubleOf } from './diagnostics.ts';
import { hoverAt } from './hover.ts';
import { openProject, type Project, sqlStart } from './project.ts';
import { placesToRename, renamedAt } from './rename.ts';
import { definitionOf, placesOf, queryNameOf, symbolAt } from './symbols.ts';

/** Diagnostics wait this long for what comes together with a change. */
const PAUSE_MS = 5;
/** JSON-RPC's number for a request that is well-formed and cannot be done. */
const REQUEST_FAILED = -32803;

interface LanguageServer {
  readonly version: string;
  /** The parts of the program in the folder that the editor has open. */
  readonly services: (folder: string | undefined) => Services;
}

/** Answers what comes over `connection` until that ends. */
export function serveEditor(connection: Connection, { version, services: open }: LanguageServer): void {
  const documents = new TextDocuments(TextDocument);
  let services: Services | undefined;
  let project: Project | undefined;

  let snippets = false;

  connection.onInitialize(({ workspaceFolders, rootUri, capabilities: { textDocument: editor } }) => {
    snippets = editor?.completion?.completionItem?.snippetSupport === true;
    const root = workspaceFolders?.[0]?.uri ?? rootUri ?? undefined;
    services = open(root?.startsWith('file:') ? fileURLToPath(root) : undefined);
    const { cwd } = services.io;
    project = openProject(services, (path) =>
      documents
        .all()
        .find(({ uri }) => pathOf(uri) === resolve(cwd, path))
        ?.getText(),
    );
    return {
      serverInfo: { name: 'quern', version },
      capabilities: {
        textDocumentSync: TextDocumentSyncKind.Incremental,
        completionProvider: { triggerCharacters: ['.', '@', '`'] },
        signatureHelpProvider: { triggerCharacters: ['(', ','] },
        hoverProvider: true,
        definitionProvider: true,
        referencesProvider: true,
        renameProvider: { prepareProvider: true },
        documentFormattingProvider: true,
        codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
        codeLensProvider: {},
      },
    };
  });
  connection.onShutdown(async () => {
    await services?.close();
  });

  const waiting = new Map<string, NodeJS.Timeout>();
  const check = (document: TextDocument, pause: number): void => {
    const { uri, version: known } = document;
    clearTimeout(waiting.get(uri));
    const work = async (): Promise<void> => {
      waiting.delete(uri);
      if (project === undefined) return;
      const diagnostics = await diagnose(document, pathOf(uri), project).catch((error: unknown) => [troubleOf(error)]);
      // A newer text has its own on the way.
      if (documents.get(uri)?.version === known) await connection.sendDiagnostics({ uri, version: known, diagnostics: [...diagnostics] });
    };
    waiting.set(
      uri,
      setTimeout(() => void work(), pause),
    );
  };
  documents.onDidOpen(({ document }) => check(document, 0));
  documents.onDidChangeContent(({ document }) => {
    if (document.version > 1) check(document, PAUSE_MS);
  });
  // Other documents may read this one as a table.
  documents.onDidSave(() => {
    for (const document of documents.all()) check(document, PAUSE_MS);
  });
  documents.onDidClose(({ document: { uri } }) => {
    clearTimeout(waiting.get(uri));
    void connection.sendDiagnostics({ uri, diagnostics: [] });
  });

  /** The document of a request with what is asked about it; undefined where it is not open. */
  const about = <T>(uri: string, work: (document: TextDocument, project: Project, path: string) => T): T | undefined => {
    const document = documents.get(uri);
    return document === undefined || project === undefined ? undefined : work(document, project, pathOf(uri));
  };
  const rangeOf = (document: TextDocument, { start, end }: Span): Range => ({
    start: document.positionAt(start),
    end: document.positionAt(end),
  });

  connection.onCompletion(async ({ textDocument: { uri }, position }) => [
    ...((await about(uri, (document, known, path) =>
      completionsAt({ text: document.getText(), offset: document.offsetAt(position), path, snippets }, known),
    )) ?? []),
  ]);
  connection.onSignatureHelp(({ textDocument: { uri }, position }) =>
    about(uri, (document): SignatureHelp | null => {
      const call = callAt(document.getText().slice(0, document.offsetAt(position)), sqlStart(document.getText()));
      if (call === undefined) return null;
      const signatures = call.signatures.map(({ label, parameters }) => ({
        label,
        parameters: parameters.map(([start, end]) => ({ label: [start, end] as [number, number] })),
      }));
      return { signatures, activeSignature: call.signature, activeParameter: call.parameter };
    }),
  );
  connection.onHover(async ({ textDocument: { uri }, position }) =>
    about(uri, async (document, known, path) => {
      const told = await hoverAt(document.getText(), document.offsetAt(position), path, known);
      return told === undefined ? null : { contents: { kind: MarkupKind.Markdown, value: told.text }, range: rangeOf(document, told.span) };
    }),
  );
  connection.onDefinition(async ({ textDocument: { uri }, position }) =>
    about(uri, async (document, known): Promise<Location | null> => {
      const text = document.getText();
      const symbol = symbolAt(text, tree(text), document.offsetAt(position));
      if (symbol === undefined) return null;
      const here = definitionOf(symbol, text);
      if (here !== undefined) return { uri, range: rangeOf(document, here) };
      const saved = symbol.kind === 'table' ? (await known.catalog()).named(symbol.name) : undefined;
      if (saved === undefined) return null;
      const target = TextDocument.create('', 'sql', 0, saved.source.text);
      const start = target.positionAt(sqlStart(saved.source.text));
      return { uri: pathToFileURL(resolve(known.services.io.cwd, saved.source.name)).href, range: { start, end: start } };
    }),
  );
  connection.onReferences(({ textDocument: { uri }, position }) =>
    about(uri, (document) => {
      const text = document.getText();
      const script = tree(text);
      const symbol = symbolAt(text, script, document.offsetAt(position));
      if (script === undefined || symbol === undefined) return null;
      return placesOf(symbol, text, script).map((span) => ({ uri, range: rangeOf(document, span) }));
    }),
  );
  connection.onPrepareRename(({ textDocument: { uri }, position }) =>
    about(uri, (document) => {
      const found = renamedAt(document.getText(), document.offsetAt(position));
      return found === undefined ? null : { range: rangeOf(document, found.span), placeholder: found.name };
    }),
  );
  connection.onRenameRequest(async ({ textDocument: { uri }, position, newName }) =>
    about(uri, async (document, known, path) => {
      const places = await asked(() =>
        placesToRename(document.getText(), document.offsetAt(position), { to: newName, path, project: known }),
      );
      const newText = newName.replace(/^@/, '');
      return { changes: { [uri]: places.map((span) => ({ range: rangeOf(document, span), newText })) } };
    }),
  );
  connection.onDocumentFormatting(async ({ textDocument: { uri } }) =>
    about(uri, (document, _, path) => {
      const text = document.getText();
      const formatted = tree(text) === undefined ? undefined : formatSource({ name: path, text }, undefined);
      if (formatted === undefined || formatted === text) return [];
      return [{ range: rangeOf(document, { start: 0, end: text.length }), newText: formatted }];
    }),
  );
  connection.onCodeAction(({ textDocument: { uri }, context: { diagnostics } }) =>
    about(uri, (document) => [...actionsFor(uri, diagnostics, document)]),
  );
  connection.onCodeLens(({ textDocument: { uri } }) =>
    about(uri, (document, _, path): CodeLens[] => {
      const line = document.positionAt(sqlStart(document.getText()));
      const place = existsSync(path) ? path : queryNameOf(path);
      return [{ range: { start: line, end: line }, command: { title: 'run', command: 'quern.run', arguments: [place] } }];
    }),
  );

  documents.listen(connection);
  connection.listen();
}

const pathOf = (uri: string): string => (uri.startsWith('file:') ? fileURLToPath(uri) : decodeURIComponent(uri.replace(/^\w+:/, '')));

/** The editor shows why the user cannot have what was requested. */
async function asked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof QuernError)) throw error;
    throw new ResponseError(REQUEST_FAILED, [error.message, error.details.hint ?? []].flat().join(': '));
  }
}
