// Finds errors and likely mistakes in a document, as an editor shows them.
import { type CodeAction, CodeActionKind, type Diagnostic, DiagnosticSeverity, type Range } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { nearest, QuernError } from '../base/errors.ts';
import { positionAt } from '../base/source-text.ts';
import { planQueryChecks } from '../checks/plan-query-checks.ts';
import { lintFiles } from '../execution/lint-files.ts';
import type { Finding } from '../queries/lint.ts';
import { type Project, savedQueryOf, suggestionIn } from './project.ts';

const SEVERITIES: Readonly<Record<Finding['severity'], DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  note: DiagnosticSeverity.Information,
};

/** Nothing is run. `path`: of the document's file, whether it is saved or not. */
export async function diagnose(document: TextDocument, path: string, project: Project): Promise<readonly Diagnostic[]> {
  const source = { name: path, text: document.getText() };
  const findings = [...(await lintFiles([source], await project.preparing()))];
  if (!findings.some(({ severity }) => severity === 'error')) findings.push(...(await checkFindings(source, project)));
  return findings.map(({ line, column, severity, rule, message, hint }): Diagnostic => {
    const start = document.offsetAt({ line: line - 1, character: column - 1 });
    return {
      range: { start: document.positionAt(start), end: document.positionAt(start + wordAt(source.text, start).length) },
      severity: SEVERITIES[severity],
      source: 'quern',
      code: rule,
      message: hint === undefined ? message : `${message}\n${hint}`,
      data: { suggestion: suggestionIn(hint) },
    };
  });
}

/** Finds errors in the checks of the header, once the query itself is right. */
async function checkFindings(source: { readonly name: string; readonly text: string }, project: Project): Promise<readonly Finding[]> {
  const query = savedQueryOf(source);
  if (query === undefined || query.checks === undefined || query.dialect === 'clickhouse') return [];
  const { services } = project;
  const catalog = await project.catalog();
  const errors = await services.running(({ preparedQueries: _, ...held }) => planQueryChecks(query, { ...held, catalog }, services.signal));
  return errors.map((error): Finding => {
    const { span, source: where, hint, problems = [] } = error.details;
    const place = where?.text === source.text && span !== undefined ? positionAt(source.text, span.start) : { line: 1, column: 1 };
    const message = [error.message, ...problems.map(({ name, message: text }) => `${name} ${text}`)].join('; ');
    return { file: source.name, ...place, severity: 'error', rule: error.code, message, hint };
  });
}

/** The name, number, text or sign that begins at `offset`. */
function wordAt(text: string, offset: number): string {
  const rest = text.slice(offset, offset + 200);
  return /^(?:@?[A-Za-z_][\w.-]*|`[^`\n]*`|'[^'\n]*'|"[^"\n]*"|[\d.]+|\S)/.exec(rest)?.[0] ?? ' ';
}

/** Changes that follow from what diagnostics say: the name that was meant. */
export function actionsFor(uri: string, diagnostics: readonly Diagnostic[], document: TextDocument): readonly CodeAction[] {
  return diagnostics.flatMap((diagnostic): readonly CodeAction[] => {
    const suggestion = suggestionOf(diagnostic.data);
    if (diagnostic.source !== 'quern' || suggestion === undefined) return [];
    const range = replaced(document, diagnostic.range, suggestion);
    const written = document.getText(range);
    // The place may be around what is wrong; only a name that is nearly the one meant is replaced.
    if (nearest(written, [suggestion]) === undefined) return [];
    const newText = /[A-Z]/.test(written) ? suggestion : suggestion.toLowerCase();
    return [
      {
        title: `Change to ${newText}`,
        kind: CodeActionKind.QuickFix,
        isPreferred: true,
        diagnostics: [diagnostic],
        edit: { changes: { [uri]: [{ range, newText }] } },
      },
    ];
  });
}

/** Returns the range that the suggestion replaces: only the wrong part of a path such as `r.pth`, if the suggestion is a part. */
function replaced(document: TextDocument, range: Range, suggestion: string): Range {
  const text = document.getText(range);
  const dot = suggestion.includes('.') || text.startsWith('`') ? -1 : text.lastIndexOf('.');
  const from = text.startsWith('@') ? 1 : dot + 1;
  return { start: { line: range.start.line, character: range.start.character + from }, end: range.end };
}

const suggestionOf = (data: unknown): string | undefined =>
  typeof data === 'object' && data !== null && 'suggestion' in data && typeof data.suggestion === 'string' ? data.suggestion : undefined;

/** A diagnostic of what keeps a document from being looked at: a project file that is wrong, a server that cannot be reached. */
export function troubleOf(error: unknown): Diagnostic {
  const message = error instanceof QuernError ? [error.message, error.details.hint ?? []].flat().join('\n') : String(error);
  const nowhere = { line: 0, character: 0 };
  return { range: { start: nowhere, end: nowhere }, severity: DiagnosticSeverity.Error, source: 'quern', message };
}
