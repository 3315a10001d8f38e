// The language server: the life of an editor's connection, and of the documents that are open in it.
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  CodeActionKind,
  type Connection,
  type InitializeParams,
  type InitializeResult,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Services } from '../services.ts';
import { diagnose, troubleOf } from './diagnostics.ts';
import { openProject, type Project } from './project.ts';
import { answerRequests } from './requests.ts';

/** Diagnostics wait this long for what comes together with a change. */
const PAUSE_MS = 5;

interface LanguageServer {
  readonly version: string;
  /** The parts of the program in the folder that the editor has open. */
  readonly services: (folder: string | undefined) => Services;
}

/** Answers what comes over `connection` until that ends. */
export function serveEditor(connection: Connection, server: LanguageServer): void {
  const editor = new Editor(connection, server);
  answerRequests(connection, (uri) => editor.open(uri));
  editor.listen();
}

class Editor {
  readonly #connection: Connection;
  readonly #server: LanguageServer;
  readonly #documents = new TextDocuments(TextDocument);
  /** The checks that are about to begin, by document. */
  readonly #checks = new Map<string, NodeJS.Timeout>();
  #services: Services | undefined;
  #project: Project | undefined;
  #snippets = false;

  constructor(connection: Connection, server: LanguageServer) {
    this.#connection = connection;
    this.#server = server;
    connection.onInitialize((params) => this.#initialize(params));
    connection.onShutdown(async () => {
      await this.#services?.close();
    });
  }

  listen(): void {
    const documents = this.#documents;
    documents.onDidOpen(({ document }) => this.#check(document, 0));
    documents.onDidChangeContent(({ document }) => {
      if (document.version > 1) this.#check(document, PAUSE_MS);
    });
    // Other documents may read this one as a table.
    documents.onDidSave(() => {
      for (const document of documents.all()) this.#check(document, PAUSE_MS);
    });
    documents.onDidClose(({ document: { uri } }) => {
      clearTimeout(this.#checks.get(uri));
      void this.#connection.sendDiagnostics({ uri, diagnostics: [] });
    });
    documents.listen(this.#connection);
    this.#connection.listen();
  }

  /** Returns undefined for a document that is not open. */
  open(uri: string) {
    const document = this.#documents.get(uri);
    const project = this.#project;
    if (document === undefined || project === undefined) return undefined;
    return { document, text: document.getText(), path: pathOf(uri), project, snippets: this.#snippets };
  }

  #initialize({ workspaceFolders, rootUri, capabilities: { textDocument: editor } }: InitializeParams): InitializeResult {
    this.#snippets = editor?.completion?.completionItem?.snippetSupport === true;
    const root = workspaceFolders?.[0]?.uri ?? rootUri ?? undefined;
    const services = this.#server.services(root?.startsWith('file:') ? fileURLToPath(root) : undefined);
    const openAt = (path: string) => this.#documents.all().find(({ uri }) => pathOf(uri) === resolve(services.io.cwd, path));
    this.#services = services;
    this.#project = openProject(services, (path) => openAt(path)?.getText());
    return {
      serverInfo: { name: 'quern', version: this.#server.version },
      capabilities: {
        textDocumentSync: TextDocumentSyncKind.Incremental,
        completionProvider: { triggerCharacters: ['.', '@', '`'] },
        signatureHelpProvider: { triggerCharacters: ['(', ','] },
        hoverProvider: true,
        definitionProvider: true,
        referencesProvider: true,
        documentSymbolProvider: true,
        renameProvider: { prepareProvider: true },
        documentFormattingProvider: true,
        codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
        codeLensProvider: {},
      },
    };
  }

  #check(document: TextDocument, pauseMs: number): void {
    const { uri, version } = document;
    clearTimeout(this.#checks.get(uri));
    const work = async (): Promise<void> => {
      this.#checks.delete(uri);
      if (this.#project === undefined) return;
      const found = await diagnose(document, pathOf(uri), this.#project).catch((error: unknown) => [troubleOf(error)]);
      // A newer text has a check of its own.
      if (this.#documents.get(uri)?.version === version) await this.#connection.sendDiagnostics({ uri, version, diagnostics: [...found] });
    };
    this.#checks.set(
      uri,
      setTimeout(() => void work(), pauseMs),
    );
  }
}

const pathOf = (uri: string): string => (uri.startsWith('file:') ? fileURLToPath(uri) : decodeURIComponent(uri.replace(/^\w+:/, '')));
