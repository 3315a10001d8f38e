// The requests of an editor about an open document.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type CodeLens,
  type Connection,
  type Hover,
  type Location,
  MarkupKind,
  type Range,
  ResponseError,
  type SignatureHelp,
  type TextEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { QuernError } from '../base/errors.ts';
import type { Span } from '../base/source-text.ts';
import { formatSource } from '../queries/format-source.ts';
import { sqlStart } from '../queries/header/text.ts';
import { callAt } from '../suggest/call.ts';
import { tree } from '../suggest/scope.ts';
import { completionsAt } from './completion.ts';
import { actionsFor } from './diagnostics.ts';
import { hoverAt } from './hover.ts';
import { outlineOf } from './outline.ts';
import type { Project } from './project.ts';
import { placesToRename, renamedAt } from './rename.ts';
import { definitionOf, placesOf, queryNameOf, symbolAt } from './symbols.ts';

/** JSON-RPC's number for a request that is well-formed and cannot be done. */
const REQUEST_FAILED = -32803;

interface OpenDocument {
  readonly document: TextDocument;
  readonly text: string;
  readonly path: string;
  readonly project: Project;
  /** The editor takes completions with places to fill in. */
  readonly snippets: boolean;
}

type Position = Parameters<TextDocument['offsetAt']>[0];

/** Answers with nothing about documents that are not open. */
export function answerRequests(connection: Connection, open: (uri: string) => OpenDocument | undefined): void {
  /** The answer of a request about the document `uri`. */
  const about = <T>(uri: string, answer: (opened: OpenDocument) => T): T | undefined => {
    const opened = open(uri);
    return opened && answer(opened);
  };
  /** The answer of a request about a place in a document. */
  const at =
    <T>(answer: (opened: OpenDocument, offset: number) => T) =>
    ({
      textDocument: { uri },
      position,
    }: {
      readonly textDocument: { readonly uri: string };
      readonly position: Position;
    }): T | undefined =>
      about(uri, (opened) => answer(opened, opened.document.offsetAt(position)));

  connection.onCompletion(
    async (request) =>
      (await at(async ({ project, ...opened }, offset) => [...(await completionsAt({ ...opened, offset }, project))])(request)) ?? [],
  );
  connection.onSignatureHelp(at(signatureHelp));
  connection.onHover(at(hover));
  connection.onDefinition(at(definition));
  connection.onReferences(at(references));
  connection.onPrepareRename(
    at(({ document, text }, offset) => {
      const found = renamedAt(text, offset);
      return found === undefined ? null : { range: rangeOf(document, found.span), placeholder: found.name };
    }),
  );
  connection.onRenameRequest(({ newName, ...request }) => at((opened, offset) => renamed(opened, offset, newName))(request));
  connection.onDocumentFormatting(({ textDocument: { uri } }) => about(uri, formatted));
  connection.onCodeAction(({ textDocument: { uri }, context: { diagnostics } }) =>
    about(uri, ({ document }) => [...actionsFor(uri, diagnostics, document)]),
  );
  connection.onDocumentSymbol(({ textDocument: { uri } }) =>
    about(uri, ({ document, text }) => [...outlineOf(text, tree(text), (span) => rangeOf(document, span))]),
  );
  connection.onCodeLens(({ textDocument: { uri } }) => about(uri, codeLenses));
}

const rangeOf = (document: TextDocument, { start, end }: Span): Range => ({
  start: document.positionAt(start),
  end: document.positionAt(end),
});

function signatureHelp({ text }: OpenDocument, offset: number): SignatureHelp | null {
  const call = callAt(text.slice(0, offset), sqlStart(text));
  if (call === undefined) return null;
  const signatures = call.signatures.map(({ label, parameters }) => ({
    label,
    parameters: parameters.map(([start, end]) => ({ label: [start, end] as [number, number] })),
  }));
  return { signatures, activeSignature: call.signature, activeParameter: call.parameter };
}

async function hover({ document, text, path, project }: OpenDocument, offset: number): Promise<Hover | null> {
  const description = await hoverAt(text, offset, path, project);
  if (description === undefined) return null;
  return { contents: { kind: MarkupKind.Markdown, value: description.text }, range: rangeOf(document, description.span) };
}

async function definition({ document, text, project }: OpenDocument, offset: number): Promise<Location | null> {
  const symbol = symbolAt(text, tree(text), offset);
  if (symbol === undefined) return null;
  const here = definitionOf(symbol, text);
  if (here !== undefined) return { uri: document.uri, range: rangeOf(document, here) };
  const saved = symbol.kind === 'table' ? (await project.catalog()).named(symbol.name) : undefined;
  if (saved === undefined) return null;
  const start = TextDocument.create('', 'sql', 0, saved.source.text).positionAt(sqlStart(saved.source.text));
  return { uri: pathToFileURL(resolve(project.services.io.cwd, saved.source.name)).href, range: { start, end: start } };
}

function references({ document, text }: OpenDocument, offset: number): Location[] | null {
  const script = tree(text);
  const symbol = symbolAt(text, script, offset);
  if (script === undefined || symbol === undefined) return null;
  return placesOf(symbol, text, script).map((span) => ({ uri: document.uri, range: rangeOf(document, span) }));
}

/** The editor shows why a name cannot be changed. */
async function renamed({ document, text, path, project }: OpenDocument, offset: number, to: string): Promise<WorkspaceEdit> {
  const places = await placesToRename(text, offset, { to, path, project }).catch((error: unknown) => {
    if (!(error instanceof QuernError)) throw error;
    throw new ResponseError(REQUEST_FAILED, [error.message, error.details.hint ?? []].flat().join(': '));
  });
  const newText = to.replace(/^@/, '');
  return { changes: { [document.uri]: places.map((span) => ({ range: rangeOf(document, span), newText })) } };
}

function formatted({ document, text, path }: OpenDocument): TextEdit[] {
  const newText = tree(text) === undefined ? undefined : formatSource({ name: path, text }, undefined);
  if (newText === undefined || newText === text) return [];
  return [{ range: rangeOf(document, { start: 0, end: text.length }), newText }];
}

function codeLenses({ document, text, path }: OpenDocument): CodeLens[] {
  const line = document.positionAt(sqlStart(text));
  const place = existsSync(path) ? path : queryNameOf(path);
  return [{ range: { start: line, end: line }, command: { title: 'run', command: 'quern.run', arguments: [place] } }];
}
